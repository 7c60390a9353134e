import Foundation
import GlassesAudio
import GlassesCore
import GlassesPluginHost

/// Something that a meter says: a recording or a text.
enum MeterLine: Sendable, Hashable {
    case file(String)
    case text(String)
}

/// The speech of a line at the rates of a device.
struct MeterSpeech: Sendable, Hashable {
    /// Longer than anybody's question; a longer file is a mistake.
    private static let longest = 30.0
    /// A minute of stereo at 192 kHz with 32 bits is smaller.
    private static let largestFile = 128 << 20

    /// What goes to the loudspeaker.
    let forSpeaker: [Int16]
    /// The same at the microphone's rate.
    let forRecording: [Int16]

    /// How long it lasts, in milliseconds, without what follows it.
    let milliseconds: Int

    /// The speech at the rates of `device`, and what is played right after it; throws a ``Problem``.
    init(_ speech: PCMBlock, followedBy rest: [Int16] = [], for device: MeterDevice) throws {
        try self.init(
            speech, followedBy: rest, speakerRate: device.speakerRate, microphoneRate: device.microphoneRate)
    }

    /// The same at two rates.
    init(_ speech: PCMBlock, followedBy rest: [Int16] = [], speakerRate: Int, microphoneRate: Int) throws {
        let all = PCMBlock(samples: speech.samples + rest, sampleRate: speech.sampleRate)
        forSpeaker = try Self.resampled(all, to: speakerRate)
        forRecording = try Self.resampled(all, to: microphoneRate)
        milliseconds = Int(speech.duration.seconds * 1_000)
        let loudest = SoundPeaks.peaks(of: speech.samples, sampleRate: speech.sampleRate).max() ?? 0
        guard loudest > 10 * SoundRule.floor, speech.duration.seconds <= Self.longest else {
            throw Problem(
                code: "meter_speech_unusable",
                "A question or interruption needs up to \(Int(Self.longest)) s of speech that is not all but silent.")
        }
    }

    /// The audio of `line`, spoken by the installed voice if it is a text; throws a ``Problem``.
    static func audio(of line: MeterLine, host: PluginHost) async throws -> PCMBlock {
        switch line {
        case .file(let path): return try read(path)
        case .text(let text):
            let voice = try await EngineFinder(host: host).synthesiser().get()
            do {
                let speech = try await voice.audio(of: text)
                await voice.shutdown()
                return speech
            } catch {
                await voice.shutdown()
                throw Problem(session: error)
            }
        }
    }

    private static func read(_ path: String) throws -> PCMBlock {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let bytes = try file.read(upToCount: largestFile) ?? Data()
            try file.close()
            let audio = try WAVReader.read(Array(bytes))
            return PCMBlock(samples: try audio.mono(), sampleRate: audio.sampleRate)
        } catch {
            let reason = (error as? AudioFormatError)?.description ?? error.localizedDescription
            throw Problem(code: "meter_speech_unreadable", "\(path) cannot be played. \(reason)")
        }
    }

    private static func resampled(_ speech: PCMBlock, to rate: Int) throws -> [Int16] {
        let resampler = try Resampler(inputRate: speech.sampleRate, outputRate: rate)
        return resampler.process(speech.samples) + resampler.flush()
    }
}
