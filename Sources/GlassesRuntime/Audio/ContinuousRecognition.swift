import GlassesAudio
import GlassesDomain
import Synchronization

/// Turns microphone audio into transcripts, utterance by utterance.
final class ContinuousRecognition: Sendable {
    private struct Storage {
        var detector: UtteranceDetector
        var utterance: (any SpeechToTextUtterance)?
        var startMs: Int64 = 0
    }

    private let storage: Mutex<Storage>
    private let engine: any SpeechToTextEngine
    private let config: TranscriptionConfig
    private let continuation: AsyncStream<Transcript>.Continuation
    private let finals = OperationChain()

    init(
        engine: any SpeechToTextEngine, config: TranscriptionConfig, continuation: AsyncStream<Transcript>.Continuation
    ) throws(AudioFormatError) {
        self.engine = engine
        self.config = config
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
            _ = utterance.push(audio)
            storage.utterance = utterance
        case .speechContinued(let audio): _ = storage.utterance?.push(audio)
        case .speechStopped(let end, _, _):
            guard let utterance = storage.utterance else { return }
            storage.utterance = nil
            finish(utterance, from: storage.startMs, to: end.milliseconds)
        }
    }

    private func partial(_ result: RecognitionResult) {
        guard config.partial, !result.text.isEmpty, result.confidence >= Double(config.minPartialConfidence) else {
            return
        }
        continuation.yield(.partial(text: result.text, confidence: result.confidence))
    }

    private func finish(_ utterance: any SpeechToTextUtterance, from startMs: Int64, to endMs: Int64) {
        let continuation = continuation
        finals.add {
            do {
                let result = try await utterance.finish()
                guard !result.text.isEmpty else { return }
                continuation.yield(
                    .final(text: result.text, confidence: result.confidence, startMs: startMs, endMs: endMs))
            } catch {
                // One utterance is lost; the engine's own log says why, and the next utterance is heard.
                return
            }
        }
    }
}
