import GlassesDomain
import Synchronization

@testable import GlassesPipeline

/// A recogniser that understands what it was told to, one utterance at a time.
final class FakeRecognizer: SpeechToTextEngine {
    enum Outcome: Sendable {
        case words(String)
        case failure(SpeechEngineError)
        /// Never answers.
        case hang
    }

    private struct State {
        var outcomes: [Outcome]
        var isBusy = false
        var overlaps = 0
        var finishedSamples: [Int] = []
        var startCount = 0
    }

    let id = "fake.recognizer"
    let sampleRate = 16_000
    private let state: Mutex<State>

    init(_ outcomes: Outcome...) { state = Mutex(State(outcomes: outcomes)) }

    /// Utterances that were begun while another one was open, which the real engines queue behind it.
    var overlaps: Int { state.withLock(\.overlaps) }
    /// The length of each utterance that was finished.
    var finishedSamples: [Int] { state.withLock(\.finishedSamples) }
    /// Utterances ever begun.
    var startCount: Int { state.withLock(\.startCount) }

    func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance {
        state.withLock { state in
            if state.isBusy { state.overlaps += 1 }
            state.isBusy = true
            state.startCount += 1
        }
        return FakeUtterance(engine: self)
    }

    func shutdown() async {}

    fileprivate func finish(samples: Int) -> Outcome {
        state.withLock { state in
            state.finishedSamples.append(samples)
            return state.outcomes.isEmpty ? .words("") : state.outcomes.removeFirst()
        }
    }

    fileprivate func release() { state.withLock { $0.isBusy = false } }
}

private final class FakeUtterance: SpeechToTextUtterance {
    private struct State {
        var samples = 0
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let engine: FakeRecognizer
    private let state = Mutex(State())

    init(engine: FakeRecognizer) { self.engine = engine }

    func push(_ samples: [Int16]) -> Bool {
        state.withLock { $0.samples += samples.count }
        return true
    }

    func finish() async throws(SpeechEngineError) -> RecognitionResult {
        switch engine.finish(samples: state.withLock(\.samples)) {
        case .words(let text):
            engine.release()
            return RecognitionResult(text: text, confidence: 1)
        case .failure(let error):
            engine.release()
            throw error
        case .hang:
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isCancelled { state.waiter = continuation }
                    return state.isCancelled
                }
                if isOver { continuation.resume() }
            }
            throw SpeechEngineError(code: "cancelled", message: "Dropped.")
        }
    }

    func cancel() {
        let waiter = state.withLock { state in
            state.isCancelled = true
            defer { state.waiter = nil }
            return state.waiter
        }
        engine.release()
        waiter?.resume()
    }
}

/// A synthesiser that makes 10 ms of sound a character, in blocks of 100 ms at 16 kHz.
final class FakeSynthesizer: TextToSpeechEngine {
    enum Behaviour: Sendable {
        case speak
        case fail(SpeechEngineError)
        case hang
    }

    let id = "fake.synthesizer"
    let sampleRate = 16_000
    let voices = ["fake"]
    private let behaviour: Behaviour
    private let texts = Mutex<[String]>([])

    init(_ behaviour: Behaviour = .speak) { self.behaviour = behaviour }

    /// What was asked for so far.
    var spokenTexts: [String] { texts.withLock { $0 } }

    func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        texts.withLock { $0.append(text) }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: PCMBlock.self)
        switch behaviour {
        case .speak:
            var rest = text.count * 160
            while rest > 0 {
                let count = min(rest, 1_600)
                continuation.yield(PCMBlock(samples: [Int16](repeating: 100, count: count), sampleRate: 16_000))
                rest -= count
            }
            continuation.finish()
        case .fail(let error): continuation.finish(throwing: error)
        case .hang: break
        }
        return stream
    }

    func shutdown() async {}
}

/// A brain whose answers are a function of the request.
struct FakeBrain: PipelineBrain {
    let name = "fake"
    var canCompose = false
    var acceptsImages = false
    var answer: @Sendable (BrainRequest) async throws(BrainError) -> BrainReply

    /// Repeats the last thing that waits for an answer.
    static let echo = FakeBrain { request in
        guard case .user(let text) = request.pending.last else { return BrainReply(speech: "Nothing new.") }
        return BrainReply(speech: "You said \(text).")
    }

    init(answer: @escaping @Sendable (BrainRequest) async throws(BrainError) -> BrainReply) { self.answer = answer }

    func makeSession() -> any PipelineBrainSession { Session(answer: answer) }

    private struct Session: PipelineBrainSession {
        let answer: @Sendable (BrainRequest) async throws(BrainError) -> BrainReply
        func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply { try await answer(request) }
    }
}
