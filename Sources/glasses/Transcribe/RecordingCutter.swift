import Foundation
import GlassesAudio
import GlassesCore

/// Cuts a WAV file into utterances at a recogniser's rate while its bytes come, as the microphone's audio would be cut: by an engine
/// that judges what is speech, and by energy without one or from where it fails.
struct RecordingCutter {
    /// An utterance and its place in milliseconds since the recording's beginning.
    struct Utterance: Sendable, Hashable {
        var samples: [Int16]
        var startMs: Int64
        var endMs: Int64
    }

    private struct Converter {
        var mixer: ChannelMixer
        let resampler: Resampler
    }

    private let sampleRate: Int
    private var decoder = WAVDecoder()
    /// Made once the file's format is known.
    private var converter: Converter?
    private var detector: UtteranceDetector
    private var judge: RecordingJudge?
    /// Why the engine does not judge any more.
    private(set) var judgeFailure: SpeechEngineError?
    private var open: Utterance?
    private var frames: Int64 = 0

    /// A cutter for a recogniser that takes `sampleRate` frames per second; `detector` is the engine that judges.
    init(
        sampleRate: Int, detector engine: (any VoiceActivityEngine)? = nil,
        patience: Duration = RecordingJudge.patience
    ) throws(AudioFormatError) {
        self.sampleRate = sampleRate
        detector = try UtteranceDetector(sampleRate: sampleRate)
        if let engine {
            judge = try RecordingJudge(engine, sampleRate: sampleRate, patience: patience)
            _ = detector.awaitJudge()
        }
    }

    /// Seconds of the recording so far.
    var seconds: Double { decoder.sampleRate.map { Double(frames) / Double($0) } ?? 0 }

    /// Takes the next bytes of the file, and answers the utterances that they complete.
    mutating func process(_ bytes: some Collection<UInt8>) async throws(AudioFormatError) -> [Utterance] {
        let samples = try decoder.decode(bytes)
        guard let rate = decoder.sampleRate, let channels = decoder.channels else { return [] }
        frames += Int64(samples.count / channels)
        var converter: Converter
        if let made = self.converter {
            converter = made
        } else {
            converter = Converter(
                mixer: try ChannelMixer(channels: channels),
                resampler: try Resampler(inputRate: rate, outputRate: sampleRate))
        }
        let converted = converter.resampler.process(converter.mixer.downmix(samples))
        self.converter = converter
        return complete(await detect(converted))
    }

    /// Says that no more bytes come, and answers the last utterances and how the file ended.
    mutating func finish() async throws(AudioFormatError) -> (utterances: [Utterance], ending: WAVDecoder.Ending) {
        let ending = try decoder.finish()
        let rest = converter?.resampler.flush() ?? []
        return (complete(await detect(rest) + detector.finish()), ending)
    }

    private mutating func detect(_ samples: [Int16]) async -> [UtteranceEvent] {
        guard judge != nil else { return detector.process(samples) }
        var events: [UtteranceEvent] = []
        let piece = RecordingJudge.pieceMs * sampleRate / 1_000
        for start in stride(from: 0, to: samples.count, by: piece) {
            let part = Array(samples[start..<min(start + piece, samples.count)])
            // All at one moment: a recording is judged as fast as it can be, and no judge is late.
            events += detector.process(part)
            guard let judge else { continue }
            do throws(SpeechEngineError) {
                for judgement in try await judge.judge(part) {
                    events += detector.judged(judgement.samples, probability: judgement.probability)
                }
            } catch {
                self.judge = nil
                judgeFailure = error
                events += detector.judgeFailed()
            }
        }
        return events
    }

    private mutating func complete(_ events: [UtteranceEvent]) -> [Utterance] {
        var utterances: [Utterance] = []
        for event in events {
            switch event {
            case .speechPaused, .speechResumed, .judgeLost: break
            case .speechStarted(let start, let audio):
                open = Utterance(samples: audio, startMs: start.milliseconds, endMs: start.milliseconds)
            case .speechContinued(let audio):
                open?.samples += audio
            case .speechStopped(let end, _, _):
                open?.endMs = end.milliseconds
                if let open { utterances.append(open) }
                open = nil
            }
        }
        return utterances
    }
}
