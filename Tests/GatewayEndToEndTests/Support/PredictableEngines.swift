import GlassesDomain
import GlassesPipeline
import Synchronization

/// Engines whose every word a test can foretell: what was said is a number, and what is answered repeats it.
enum PredictableEngines {
    /// Engines with this ear.
    static func make(_ ear: CountingEar = CountingEar()) -> PipelineEngines {
        PipelineEngines(recognizer: ear, synthesizer: ToneVoice(), brain: EchoBrain())
    }

    /// A voice-like sound at 16 kHz: a buzz of 150 Hz in syllables.
    static func speech(_ milliseconds: Int) -> [Int16] {
        (0..<milliseconds * 16).map { index in
            let loudness = index % 3_200 < 2_400 ? 7_000.0 : 300.0
            return Int16(loudness * (Double(index % 107) / 53.5 - 1))
        }
    }
}

/// A recogniser that hears nothing in silence and the number of the utterance in everything else.
final class CountingEar: SpeechToTextEngine {
    let id = "test.ear"
    let sampleRate = 16_000
    /// The loud milliseconds of each utterance that was understood.
    private let heard = Mutex<[Int]>([])

    var loudMilliseconds: [Int] { heard.withLock { $0 } }

    func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance {
        Utterance(ear: self)
    }

    func shutdown() async {}

    private final class Utterance: SpeechToTextUtterance {
        private let ear: CountingEar
        private let loud = Mutex(0)
        init(ear: CountingEar) { self.ear = ear }

        func push(_ samples: [Int16]) -> Bool {
            let count = samples.count { abs(Int($0)) > 200 }
            loud.withLock { $0 += count }
            return true
        }

        func finish() async throws(SpeechEngineError) -> RecognitionResult {
            let milliseconds = loud.withLock { $0 } / 16
            guard milliseconds > 50 else { return RecognitionResult(text: "", confidence: 1) }
            let number = ear.heard.withLock { all in
                all.append(milliseconds)
                return all.count
            }
            return RecognitionResult(text: "utterance \(number)", confidence: 1)
        }

        func cancel() {}
    }
}

/// A voice that hums 20 ms a letter.
final class ToneVoice: TextToSpeechEngine {
    let id = "test.voice"
    let sampleRate = 24_000
    let voices = ["tone"]

    func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: PCMBlock.self)
        for _ in text {
            continuation.yield(PCMBlock(samples: [Int16](repeating: 500, count: 480), sampleRate: sampleRate))
        }
        continuation.finish()
        return stream
    }

    func shutdown() async {}
}

/// A brain that says what it was told, in any number of conversations.
struct EchoBrain: PipelineBrain {
    let name = "echo"
    let canCompose = false
    let acceptsImages = false

    func makeSession() -> any PipelineBrainSession { Session() }

    private struct Session: PipelineBrainSession {
        func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
            let words = request.pending.compactMap { if case .user(let text) = $0 { text } else { nil } }
            guard !words.isEmpty else { return BrainReply(speech: "I heard nothing.") }
            return BrainReply(speech: "You said \(words.joined(separator: " and ")).")
        }
    }
}
