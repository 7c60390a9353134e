import GlassesDomain
import Testing

@testable import GlassesPipeline

@Suite("Sessions that share a recogniser", .timeLimit(.minutes(1)))
struct RecognitionQueueTests {
    private static let second = [Int16](repeating: 1, count: 16_000)

    @Test("an utterance that has the engine is recognised while it is spoken")
    func single() async throws {
        let engine = FakeRecognizer(.words("hello"))
        let queue = RecognitionQueue(engine: engine)
        let ticket = queue.open()
        #expect(engine.startCount == 1)
        queue.push(Self.second, to: ticket)
        queue.push(Self.second, to: ticket)
        #expect(try await queue.finish(ticket).text == "hello")
        #expect(engine.finishedSamples == [32_000])
    }

    @Test("a complete utterance goes before one that is still spoken, which loses no audio")
    func preemption() async throws {
        let engine = FakeRecognizer(.words("short"), .words("long"))
        let queue = RecognitionQueue(engine: engine)
        let long = queue.open()
        queue.push(Self.second, to: long)
        let short = queue.open()
        queue.push(Self.second, to: short)
        #expect(try await queue.finish(short).text == "short")
        queue.push(Self.second, to: long)
        #expect(try await queue.finish(long).text == "long")
        #expect(engine.finishedSamples == [16_000, 32_000])
        #expect(engine.overlaps == 0)
    }

    @Test("utterances that end together are recognised one after another")
    func contention() async throws {
        let engine = FakeRecognizer(.words("w"), .words("w"), .words("w"), .words("w"))
        let queue = RecognitionQueue(engine: engine)
        let tickets = (0..<4).map { _ in queue.open() }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for ticket in tickets { group.addTask { try await queue.finish(ticket).text } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts == ["w", "w", "w", "w"])
        #expect(engine.overlaps == 0)
    }

    @Test("a failed utterance passes the engine on")
    func failure() async throws {
        let error = SpeechEngineError(code: "engine_failed", message: "It broke.")
        let queue = RecognitionQueue(engine: FakeRecognizer(.failure(error), .words("next")))
        let (first, second) = (queue.open(), queue.open())
        await #expect(throws: error) { try await queue.finish(first) }
        #expect(try await queue.finish(second).text == "next")
    }

    @Test("cancelling ends a wait, for the engine's answer and for the engine")
    func cancellation() async throws {
        let engine = FakeRecognizer(.hang, .words("next"))
        let queue = RecognitionQueue(engine: engine)
        let (hanging, waiting, last) = (queue.open(), queue.open(), queue.open())
        let first = Task { try await queue.finish(hanging) }
        try await until { engine.finishedSamples.count == 1 }
        let second = Task { try await queue.finish(waiting) }
        queue.cancel(waiting)
        second.cancel()
        queue.cancel(hanging)
        await #expect(throws: SpeechEngineError.self) { try await first.value }
        await #expect(throws: SpeechEngineError.self) { try await second.value }
        #expect(try await queue.finish(last).text == "next")
    }
}
