import GlassesAudio
import GlassesDomain
import Synchronization

/// Turns microphone audio into transcripts, utterance by utterance.
final class ContinuousRecognition: Sendable {
    /// Utterances whose words may be waited for at once; more mean that the engine does not keep up with the speaker.
    static let waitingLimit = 8

    private struct Storage {
        var detector: UtteranceDetector
        var utterance: (any SpeechToTextUtterance)?
        var startMs: Int64 = 0
        /// Utterances that are complete and whose words are waited for.
        var waiting = 0
        /// Blocks of the utterance in progress that the engine did not take.
        var refusedBlocks: Int64 = 0
    }

    private let storage: Mutex<Storage>
    private let engine: any SpeechToTextEngine
    private let config: TranscriptionConfig
    private let events: EventLog
    private let continuation: AsyncStream<Transcript>.Continuation
    private let finals = OperationChain()

    init(
        engine: any SpeechToTextEngine, config: TranscriptionConfig, events: EventLog,
        continuation: AsyncStream<Transcript>.Continuation
    ) throws(AudioFormatError) {
        self.engine = engine
        self.config = config
        self.events = events
        self.continuation = continuation
        storage = Mutex(Storage(detector: try UtteranceDetector(sampleRate: engine.sampleRate)))
    }

    /// What to listen with.
    var listener: MicrophoneHub.Listener {
        MicrophoneHub.Listener(
            sampleRate: engine.sampleRate, deliver: { [weak self] samples, _ in self?.process(samples) },
            interrupted: { [weak self] in self?.cancel() })
    }

    /// Returns when the task is cancelled.
    func untilCancelled() async {
        let (stream, keep) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        keep.finish()
    }

    /// Drops the utterance in progress.
    func cancel() {
        storage.withLock { storage in
            storage.detector.clear()
            storage.utterance?.cancel()
            storage.utterance = nil
            reportRefused(&storage)
        }
    }

    private func process(_ samples: [Int16]) {
        storage.withLock { storage in
            for event in storage.detector.process(samples) { apply(event, &storage) }
        }
    }

    private func apply(_ event: UtteranceEvent, _ storage: inout Storage) {
        switch event {
        case .speechStarted(let start, let audio):
            storage.startMs = start.milliseconds
            let utterance = engine.start { [weak self] in self?.partial($0) }
            storage.utterance = utterance
            push(audio, &storage)
        case .speechContinued(let audio): push(audio, &storage)
        case .speechPaused, .speechResumed, .judgeLost: break
        case .speechStopped(let end, _, _):
            guard let utterance = storage.utterance else { return }
            storage.utterance = nil
            reportRefused(&storage)
            guard storage.waiting < Self.waitingLimit else {
                utterance.cancel()
                return log(failure: "engine_behind")
            }
            storage.waiting += 1
            finish(utterance, from: storage.startMs, to: end.milliseconds)
        }
    }

    private func push(_ audio: [Int16], _ storage: inout Storage) {
        if storage.utterance?.push(audio) == false { storage.refusedBlocks += 1 }
    }

    /// Tells once an utterance how much of it the engine did not take.
    private func reportRefused(_ storage: inout Storage) {
        guard storage.refusedBlocks > 0 else { return }
        events.log(.warn, "transcription.audio_dropped", ["blocks": .int(storage.refusedBlocks)])
        storage.refusedBlocks = 0
    }

    private func log(failure code: String) {
        events.log(.warn, "transcription.failed", ["code": .string(code)])
    }

    private func partial(_ result: RecognitionResult) {
        guard config.partial, !result.text.isEmpty, result.confidence >= Double(config.minPartialConfidence) else {
            return
        }
        continuation.yield(.partial(text: result.text, confidence: result.confidence))
    }

    private func finish(_ utterance: any SpeechToTextUtterance, from startMs: Int64, to endMs: Int64) {
        finals.add { [self] in
            defer { storage.withLock { $0.waiting -= 1 } }
            do throws(SpeechEngineError) {
                let result = try await utterance.finish()
                guard !result.text.isEmpty else { return }
                continuation.yield(
                    .final(text: result.text, confidence: result.confidence, startMs: startMs, endMs: endMs))
            } catch {
                // One utterance is lost; the next one is heard.
                log(failure: error.code)
            }
        }
    }
}
