import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import Synchronization

/// A recogniser that understands the next of its texts, whatever was said.
final class FakeRecognizer: SpeechToTextEngine {
    let id = "fake.recognizer"
    let sampleRate = 16_000
    private let texts: Mutex<[String]>

    init(_ texts: String...) { self.texts = Mutex(texts) }

    func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance {
        Utterance(recognizer: self)
    }

    func shutdown() async {}

    private final class Utterance: SpeechToTextUtterance {
        private let recognizer: FakeRecognizer
        init(recognizer: FakeRecognizer) { self.recognizer = recognizer }
        func push(_ samples: [Int16]) -> Bool { true }
        func finish() async throws(SpeechEngineError) -> RecognitionResult {
            let text = recognizer.texts.withLock { $0.isEmpty ? "" : $0.removeFirst() }
            return RecognitionResult(text: text, confidence: 1)
        }
        func cancel() {}
    }
}

/// A synthesiser that makes 10 ms of sound a character, in blocks of 100 ms at 16 kHz.
final class FakeSynthesizer: TextToSpeechEngine {
    let id = "fake.synthesizer"
    let sampleRate = 16_000
    let voices = ["fake"]

    func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: PCMBlock.self)
        var rest = text.count * 160
        while rest > 0 {
            let count = min(rest, 1_600)
            continuation.yield(PCMBlock(samples: [Int16](repeating: 100, count: count), sampleRate: sampleRate))
            rest -= count
        }
        continuation.finish()
        return stream
    }

    func shutdown() async {}
}

/// A brain that calls the tools of the session when the user says so, takes its time when told to, and otherwise
/// repeats.
struct FakeBrain: PipelineBrain {
    let name = "fake"
    let canCompose = false
    let acceptsImages = true

    func makeSession() -> any PipelineBrainSession { Session() }

    private struct Session: PipelineBrainSession {
        func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
            switch request.pending.last {
            case .user("call"):
                return BrainReply(calls: request.tools.map { BrainFunctionCall(name: $0.name, arguments: "{\"x\":1}") })
            case .user("think"):
                // Longer than any test; a cancelled answer ends at once.
                do { try await Task.sleep(for: .seconds(600)) } catch { return BrainReply() }
                return BrainReply(speech: "Done.")
            case .user("instructions"): return BrainReply(speech: request.instructions)
            case .user(let text): return BrainReply(speech: "You said \(text).")
            case .picture(let picture): return BrainReply(speech: "A \(picture) with the words \(picture.caption).")
            case .result(_, let name, let output): return BrainReply(speech: "\(name) gave \(output).")
            case .system, .assistant, .call, nil: return BrainReply(speech: "Nothing new.")
            }
        }
    }
}

/// Test audio at 24 kHz.
enum Sound {
    static func silence(ms: Int) -> [Int16] { [Int16](repeating: 0, count: ms * 24) }

    /// A voice-like sound: a buzz of 150 Hz in syllables of changing loudness.
    static func speech(ms: Int) -> [Int16] {
        (0..<ms * 24).map { index in
            let syllable = index / 4_800
            let loudness = index % 4_800 < 3_600 ? 4_000 + 2_500 * (syllable % 3) : 300
            let buzz = Double(index % 160) / 80 - 1
            return Int16(Double(loudness) * buzz)
        }
    }
}
