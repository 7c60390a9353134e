import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("A speech engine whose child dies")
struct ChildEngineTests {
    @Test("The utterance that was open fails with its cause, and the next one is recognised by a new child")
    func losesOneUtterance() async throws {
        let fixture = try await EngineFixture(.process)
        let engine = try await fixture.recogniser()
        for _ in 0..<2 {
            let (crashing, other) = (engine.start { _ in }, engine.start { _ in })
            #expect(other.push([Int16](repeating: 0, count: 100)))
            #expect(crashing.push([Int16](repeating: 0, count: 666)))
            let error = await #expect(throws: SpeechEngineError.self) { try await crashing.finish() }
            #expect(error?.code == "engine_failed")
            #expect(error?.message.contains("signal 6") == true)
            // It had been accepted by the child that died.
            let second = await #expect(throws: SpeechEngineError.self) { try await other.finish() }
            #expect(second?.code == "engine_failed")
            let next = engine.start { _ in }
            #expect(next.push([Int16](repeating: 0, count: 320)))
            #expect(try await next.finish().text == "320 frames")
        }
        await engine.shutdown()
        #expect(fixture.misbehaviours.all == [])
    }

    @Test("The text that was being spoken fails after its audio so far, and the next one is spoken by a new child")
    func losesOneText() async throws {
        let fixture = try await EngineFixture(.process)
        let engine = try await fixture.synthesiser()
        var frames = 0
        let error = await #expect(throws: SpeechEngineError.self) {
            for try await block in engine.synthesize("thirteen char", voice: nil, rate: 1, pitch: 0) {
                frames += block.samples.count
            }
        }
        #expect(error?.code == "engine_failed")
        #expect(frames == 3_200)
        frames = 0
        for try await block in engine.synthesize("four", voice: nil, rate: 1, pitch: 0) {
            frames += block.samples.count
        }
        #expect(frames == 6_400)
        await engine.shutdown()
    }

    @Test("After three deaths in a row the engine fails at once, with the signal")
    func givesUp() async throws {
        let fixture = try await EngineFixture(.process)
        let engine = try await fixture.recogniser()
        for _ in 0..<3 {
            let utterance = engine.start { _ in }
            #expect(utterance.push([Int16](repeating: 0, count: 666)))
            _ = await #expect(throws: SpeechEngineError.self) { try await utterance.finish() }
        }
        let error = await #expect(throws: SpeechEngineError.self) { try await engine.start { _ in }.finish() }
        #expect(error?.code == "engine_failed")
        #expect(error?.message.contains("signal 6") == true)
        await engine.shutdown()
    }

    @Test("A minute of audio in one block reaches the child")
    func carriesLongBlocks() async throws {
        let engine = try await EngineFixture(.process).recogniser()
        let utterance = engine.start { _ in }
        #expect(utterance.push([Int16](repeating: 0, count: 16_000 * 60)))
        #expect(try await utterance.finish().text == "960000 frames")
        await engine.shutdown()
    }
}
