import Foundation
import GlassesAudio
import GlassesCore
import GlassesPluginHost

/// Recognises a WAV file, utterance by utterance, as the microphone's audio would be.
struct RecordingRecognition: Sendable {
    /// A day of speech at 16 kHz is larger; nobody recognises that in one go.
    private static let largestFile = 512 << 20

    /// An utterance and its place in milliseconds since the recording's beginning.
    struct Utterance: Sendable, Hashable {
        var samples: [Int16]
        var startMs: Int64
        var endMs: Int64
    }

    let path: String
    let printer: TranscriptPrinter
    let console: Console

    func run() async -> ExitStatus {
        let engine: any SpeechToTextEngine
        switch await EngineFinder(host: PluginHost()).recogniser() {
        case .success(let found): engine = found
        case .failure(let problem):
            console.report(problem)
            return .unavailable
        }
        let status = await recognise(engine)
        await engine.shutdown()
        return status
    }

    private func recognise(_ engine: any SpeechToTextEngine) async -> ExitStatus {
        let utterances: [Utterance]
        do {
            utterances = try Self.utterances(in: try read(), sampleRate: engine.sampleRate)
        } catch {
            console.note("glasses: \(path) cannot be recognised. \(Self.reason(error))")
            return .usage
        }
        if utterances.isEmpty { console.note("glasses: no speech was found in \(path)") }
        return await transcribe(utterances, with: engine)
    }

    /// A function of its own: Swift 6.3's optimiser crashes on typed and untyped catches around one await.
    private func transcribe(_ utterances: [Utterance], with engine: any SpeechToTextEngine) async -> ExitStatus {
        for utterance in utterances {
            do throws(SpeechEngineError) {
                let result = try await engine.recognise(utterance.samples)
                printer.print(
                    .final(
                        text: result.text, confidence: result.confidence, startMs: utterance.startMs,
                        endMs: utterance.endMs))
            } catch {
                console.report(Problem(error))
                return .unavailable
            }
        }
        return .ok
    }

    private func read() throws -> WAVAudio {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let bytes = try file.read(upToCount: Self.largestFile + 1) ?? Data()
        try file.close()
        guard bytes.count <= Self.largestFile else {
            throw ToolError("It is larger than \(Self.largestFile >> 20) MiB; split it.")
        }
        return try WAVReader.read(Array(bytes))
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as AudioFormatError: error.description
        case let error as ToolError: error.message
        default: error.localizedDescription
        }
    }

    /// Cuts a recording into utterances at `sampleRate`.
    static func utterances(in recording: WAVAudio, sampleRate: Int) throws(AudioFormatError) -> [Utterance] {
        let resampler = try Resampler(inputRate: recording.sampleRate, outputRate: sampleRate)
        let samples = resampler.process(try recording.mono()) + resampler.flush()
        var detector = try UtteranceDetector(sampleRate: sampleRate)
        var utterances: [Utterance] = []
        for event in detector.process(samples) + detector.finish() {
            switch event {
            case .speechStarted(let start, let audio):
                utterances.append(
                    Utterance(samples: audio, startMs: start.milliseconds, endMs: start.milliseconds))
            case .speechContinued(let audio):
                if !utterances.isEmpty { utterances[utterances.count - 1].samples += audio }
            case .speechStopped(let end, _, _):
                if !utterances.isEmpty { utterances[utterances.count - 1].endMs = end.milliseconds }
            }
        }
        return utterances
    }
}
