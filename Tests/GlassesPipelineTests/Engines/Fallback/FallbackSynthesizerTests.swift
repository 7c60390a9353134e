import GlassesDomain
import Testing

@testable import GlassesPipeline

@Suite("A voice with others behind it", .timeLimit(.minutes(1)))
struct FallbackSynthesizerTests {
    private static let broken = SpeechEngineError(code: "engine_failed", message: "It broke.")

    private static func open(
        _ notices: EngineNotices = EngineNotices(), _ engines: (any TextToSpeechEngine)...
    ) async throws -> FallbackSynthesizer {
        let candidates = engines.enumerated().map { index, engine in
            EngineCandidate<any TextToSpeechEngine>(name: "voice \(index)") { .success(engine) }
        }
        let roster = EngineRoster(
            candidates, clock: ManualClock().port, end: { await $0.shutdown() }, notify: { notices.append($0) })
        return try #require(await FallbackSynthesizer.open(roster))
    }

    private static func frames(_ voice: FallbackSynthesizer, _ text: String) async throws -> Int {
        var count = 0
        for try await block in voice.synthesize(text, voice: nil, rate: 1, pitch: 0) {
            #expect(block.sampleRate == voice.sampleRate)
            count += block.samples.count
        }
        return count
    }

    @Test("a text on which the voice breaks down is spoken by the next, and so are those after it")
    func breaksDown() async throws {
        let (first, second) = (FakeSynthesizer(.fail(Self.broken)), FakeSynthesizer())
        let notices = EngineNotices()
        let voice = try await Self.open(notices, first, second)
        #expect(try await Self.frames(voice, "hello") == 800)
        #expect(try await Self.frames(voice, "good day") == 1_280)
        #expect(first.spokenTexts == ["hello"])
        #expect(second.spokenTexts == ["hello", "good day"])
        #expect(
            notices.all == [
                .selected(name: "voice 0"), .replaced(name: "voice 1", instead: "voice 0", because: Self.broken),
            ])
    }

    @Test("a text that was heard in part is not said twice; the next text goes to the next voice")
    func breaksAfterSound() async throws {
        let second = FakeSynthesizer()
        let voice = try await Self.open(EngineNotices(), BreakingSynthesizer(Self.broken), second)
        await #expect(throws: Self.broken) { try await Self.frames(voice, "hello") }
        #expect(try await Self.frames(voice, "good day") == 1_280)
        #expect(second.spokenTexts == ["good day"])
    }

    @Test("when every voice breaks down the text fails, with the last one's cause")
    func none() async throws {
        let voice = try await Self.open(
            EngineNotices(), FakeSynthesizer(.fail(Self.broken)), FakeSynthesizer(.fail(Self.broken)))
        await #expect(throws: Self.broken) { try await Self.frames(voice, "hello") }
    }
}

/// A synthesiser that breaks after its first block.
private final class BreakingSynthesizer: TextToSpeechEngine {
    let id = "fake.breaking"
    let sampleRate = 16_000
    let voices = ["fake"]
    private let error: SpeechEngineError

    init(_ error: SpeechEngineError) { self.error = error }

    func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: PCMBlock.self)
        continuation.yield(PCMBlock(samples: [1], sampleRate: sampleRate))
        continuation.finish(throwing: error)
        return stream
    }

    func shutdown() async {}
}
