import GlassesDomain
import Synchronization

/// A synthesiser that answers each text with the same samples at 24 kHz.
final class FakeSynthesizer: TextToSpeechEngine {
    enum Behaviour: Sendable {
        case speak([Int16])
        case fail
        /// Never ends until it is cancelled.
        case hang
    }

    let id = "fake.synthesizer"
    let sampleRate = 24_000
    let voices = ["fake"]
    private let behaviour: Behaviour

    init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        let (stream, continuation) = AsyncThrowingStream<PCMBlock, any Error>.makeStream()
        switch behaviour {
        case .speak(let samples):
            continuation.yield(PCMBlock(samples: samples, sampleRate: sampleRate))
            continuation.finish()
        case .fail:
            continuation.finish(throwing: SpeechEngineError(code: "engine_failed", message: "It broke. Try again."))
        case .hang: break
        }
        return stream
    }

    func shutdown() async {}
}

/// A recogniser that understands what it was told to.
final class FakeRecognizer: SpeechToTextEngine {
    /// What one utterance leads to.
    struct Script: Sendable {
        var partials: [RecognitionResult] = []
        var final: Result<RecognitionResult, SpeechEngineError>
        /// Whether it takes audio.
        var accepts = true
        /// Whether ``SpeechToTextUtterance/finish()`` waits until the utterance is cancelled.
        var hangs = false
    }

    let id = "fake.recognizer"
    let sampleRate = 16_000
    private let script: Script
    private let utterances = Mutex(0)

    init(_ script: Script) { self.script = script }

    /// Utterances that were begun.
    var startCount: Int { utterances.withLock { $0 } }

    func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance {
        utterances.withLock { $0 += 1 }
        for partial in script.partials { onPartial(partial) }
        return FakeUtterance(script)
    }

    func shutdown() async {}
}

private final class FakeUtterance: SpeechToTextUtterance {
    private let script: FakeRecognizer.Script
    private let cancelled = AsyncStream<Void>.makeStream()

    init(_ script: FakeRecognizer.Script) { self.script = script }

    func push(_ samples: [Int16]) -> Bool { script.accepts }

    func finish() async throws(SpeechEngineError) -> RecognitionResult {
        if script.hangs { for await _ in cancelled.stream {} }
        return try script.final.get()
    }

    func cancel() { cancelled.continuation.finish() }
}
