import Foundation
import GlassesAudio
import GlassesCore

/// Recognises a recording utterance by utterance, in little memory however long it is.
struct RecordingRecognition: Sendable {
    /// An utterance with its words, and its place in milliseconds since the recording's beginning.
    struct Utterance: Sendable, Hashable {
        let text: String
        /// 0 to 1.
        let confidence: Double
        let startMs: Int64
        let endMs: Int64
    }

    /// What there is to tell while it goes on.
    enum Event: Sendable, Hashable {
        /// What was understood so far of an utterance.
        case partial(RecognitionResult)
        /// An utterance was understood.
        case utterance(Utterance)
        /// This much of the file was read, 0 to 1.
        case read(Double)
        /// The engine that judges what is speech failed; energy judges the rest of the file.
        case judgeLost(SpeechEngineError)
    }

    /// What the recording was.
    struct Extent: Sendable, Hashable {
        /// Its length.
        let seconds: Double
        /// How the file ended.
        let ending: WAVDecoder.Ending
    }

    let engines: RecordingEngines

    /// Recognises the recording at `path`; throws a ``Problem`` whose sentence begins with the path. One task at a time calls
    /// `report`, partial texts come on a thread of the engine.
    func run(_ path: String, report: @escaping @Sendable (Event) -> Void) async throws -> Extent {
        do {
            return try await recognise(try await RecordingSource.open(path), report)
        } catch {
            throw Self.problem(path, error)
        }
    }

    private func recognise(
        _ source: RecordingSource, _ report: @escaping @Sendable (Event) -> Void
    ) async throws -> Extent {
        var cutter = try RecordingCutter(sampleRate: engines.recogniser.sampleRate, detector: engines.detector)
        var isJudged = true
        var count: Int64 = 0
        while true {
            let bytes = try await source.next()
            try Task.checkCancellation()
            guard !bytes.isEmpty else { break }
            count += Int64(bytes.count)
            if let size = source.size, size > 0 { report(.read(min(1, Double(count) / Double(size)))) }
            for utterance in try await cutter.process(bytes) { try await recognise(utterance, report) }
            if isJudged, let failure = cutter.judgeFailure {
                isJudged = false
                report(.judgeLost(failure))
            }
        }
        let (utterances, ending) = try await cutter.finish()
        for utterance in utterances { try await recognise(utterance, report) }
        return Extent(seconds: cutter.seconds, ending: ending)
    }

    private func recognise(
        _ utterance: RecordingCutter.Utterance, _ report: @escaping @Sendable (Event) -> Void
    ) async throws {
        let result = try await engines.recogniser.recognise(utterance.samples) { report(.partial($0)) }
        report(
            .utterance(
                Utterance(
                    text: result.text, confidence: result.confidence, startMs: utterance.startMs,
                    endMs: utterance.endMs)))
    }

    private static func problem(_ path: String, _ error: any Error) -> Problem {
        let name = path == RecordingSource.standardInput ? "Standard input" : path.printable
        let sentence = { (reason: String) in "\(name) cannot be recognised. \(reason)" }
        switch error {
        case let error as Problem: return Problem(code: error.code, sentence(error.sentence))
        case let error as AudioFormatError: return Problem(code: error.code, sentence(error.description))
        case let error as SpeechEngineError:
            return Problem(code: error.code, sentence(error.message), command: Problem(error).command)
        default: return Problem(code: "recording_not_readable", sentence(error.localizedDescription))
        }
    }
}
