import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("A session through its connection", .timeLimit(.minutes(1)))
struct PipelineDriverTests {
    @Test("a text turn is answered with speech of the engine's length")
    func textTurn() async throws {
        let synthesizer = FakeSynthesizer()
        let client = try await TestClient(
            PipelineEngines(recognizer: nil, synthesizer: synthesizer, brain: FakeBrain.echo))
        try await client.next("session.created")
        client.send(.conversationItemCreate(ItemCreation(item: .userText("hello"))))
        client.send(.responseCreate(nil))
        let response = try await client.nextResponse()
        #expect(response.status == .completed)
        #expect(synthesizer.spokenTexts == ["You said hello."])
        let audio = client.events.reduce(into: [UInt8]()) { bytes, event in
            if case .responseOutputAudioDelta(let delta) = event { bytes += delta.audio }
        }
        // 15 characters of 10 ms, at 24 kHz and two bytes.
        #expect(audio.count == 15 * 240 * 2)
    }

    @Test("a spoken turn is heard, understood and answered")
    func voiceTurn() async throws {
        let recognizer = FakeRecognizer(.words("take a picture"))
        let client = try await TestClient(
            PipelineEngines(recognizer: recognizer, synthesizer: FakeSynthesizer(), brain: FakeBrain.echo))
        client.speak()
        let response = try await client.nextResponse()
        #expect(response.output.count == 1)
        guard case .message(let message) = response.output[0].body else { return }
        #expect(message.content == [.outputAudio(audio: nil, transcript: "You said take a picture.")])
        let samples = try #require(recognizer.finishedSamples.first)
        // 300 ms before the speech, 800 ms of it, 200 ms of the silence that ended it, at 16 kHz.
        #expect((19_200...21_700).contains(samples))
    }

    @Test("a hanging recogniser fails its turn after 30 s, and the next turn works")
    func hangingRecognizer() async throws {
        let clock = ManualClock()
        let recognizer = FakeRecognizer(.hang, .words("again"))
        let client = try await TestClient(
            PipelineEngines(recognizer: recognizer, synthesizer: FakeSynthesizer(), brain: FakeBrain.echo), clock: clock
        )
        client.speak()
        try await client.next("input_audio_buffer.committed")
        try await until { clock.sleeperCount > 0 }
        clock.advance(by: .seconds(30))
        let failed = try await client.nextResponse()
        #expect(failed.status == .failed)
        #expect(failed.statusDetails?.error?.code == "timeout")
        client.speak()
        #expect(try await client.nextResponse().status == .completed)
    }

    @Test("a hanging brain fails its response after 30 s")
    func hangingBrain() async throws {
        let clock = ManualClock()
        let brain = FakeBrain { _ throws(BrainError) in
            do { try await Task.sleep(for: .seconds(3_600)) } catch {
                throw BrainError(code: "cancelled", message: "Cancelled.")
            }
            return BrainReply()
        }
        let client = try await TestClient(
            PipelineEngines(recognizer: nil, synthesizer: FakeSynthesizer(), brain: brain), clock: clock)
        client.send(.responseCreate(nil))
        try await client.next("response.created")
        try await until { clock.sleeperCount > 0 }
        clock.advance(by: .seconds(30))
        #expect(try await client.nextResponse().statusDetails?.error?.code == "timeout")
    }

    @Test("a hanging synthesiser fails its response after 30 s")
    func hangingSynthesizer() async throws {
        let clock = ManualClock()
        let client = try await TestClient(
            PipelineEngines(recognizer: nil, synthesizer: FakeSynthesizer(.hang), brain: FakeBrain.echo), clock: clock)
        client.send(.responseCreate(nil))
        try await client.next("response.output_audio_transcript.delta")
        // The brain's timer may still be there; the second one is the synthesiser's.
        try await until { clock.begunSleeps == 2 && clock.sleeperCount == 1 }
        clock.advance(by: .seconds(30))
        #expect(try await client.nextResponse().statusDetails?.error?.code == "timeout")
        client.send(.inputAudioBufferClear)
        try await client.next("input_audio_buffer.cleared")
    }

    @Test("a failing synthesiser fails the response with its reason")
    func failingSynthesizer() async throws {
        let error = SpeechEngineError(code: "engine_failed", message: "No voice.")
        let client = try await TestClient(
            PipelineEngines(recognizer: nil, synthesizer: FakeSynthesizer(.fail(error)), brain: FakeBrain.echo))
        client.send(.responseCreate(nil))
        #expect(try await client.nextResponse().statusDetails?.error?.code == "engine_failed")
    }

    @Test("closing ends the connection once, with the client's code, and refuses what follows")
    func closing() async throws {
        let client = try await TestClient(PipelineEngines(recognizer: nil, synthesizer: nil, brain: FakeBrain.echo))
        client.connection.close(code: 1_000, reason: "done")
        client.connection.close(code: 1_001, reason: "again")
        #expect(await client.closure()?.closeCode == 1_000)
        #expect(await client.closure() == nil)
        let message = RealtimeCodec.encode(ClientEvent.inputAudioBufferClear)
        #expect(client.connection.send(.text(message), lane: .control) == .refused)
    }

    @Test("garbage is answered with an error, and the session goes on")
    func garbage() async throws {
        let client = try await TestClient(PipelineEngines(recognizer: nil, synthesizer: nil, brain: FakeBrain.echo))
        _ = client.connection.send(.text(Array("{]".utf8)), lane: .control)
        guard case .error(let info) = try await client.next("error") else { return }
        #expect(info.code == "invalid_json")
        client.send(.inputAudioBufferClear)
        try await client.next("input_audio_buffer.cleared")
    }

    @Test("a client that does not read holds the synthesiser back instead of filling memory, and loses nothing")
    func backPressure() async throws {
        let synthesizer = FakeSynthesizer()
        let sentence = String(repeating: "word ", count: 59) + "end. "
        let brain = FakeBrain { _ throws(BrainError) in BrainReply(speech: String(repeating: sentence, count: 60)) }
        let client = try await TestClient(PipelineEngines(recognizer: nil, synthesizer: synthesizer, brain: brain))
        client.send(.responseCreate(nil))
        // 4 MiB of events are 22 of these sentences; two more may be on their way.
        for read in 0..<60 {
            try await client.next("response.output_audio_transcript.delta")
            #expect(synthesizer.spokenTexts.count - read <= 24)
        }
        #expect(try await client.nextResponse().status == .completed)
        #expect(synthesizer.spokenTexts.count == 60)
    }

    @Test("letting go of the connection ends its session")
    func abandoned() async throws {
        let clock = ManualClock()
        var client: TestClient? = try await TestClient(
            PipelineEngines(recognizer: nil, synthesizer: FakeSynthesizer(.hang), brain: FakeBrain.echo), clock: clock)
        client?.send(.responseCreate(nil))
        try await client?.next("response.output_audio_transcript.delta")
        try await until { clock.sleeperCount > 0 }
        client = nil
        try await until { clock.sleeperCount == 0 }
    }

    @Test("a binary message ends the connection, since none was negotiated")
    func binaryMessage() async throws {
        let client = try await TestClient(PipelineEngines(recognizer: nil, synthesizer: nil, brain: FakeBrain.echo))
        #expect(client.connection.send(.binary([1, 2, 3]), lane: .audio) == .refused)
        #expect(await client.closure()?.closeCode == 1_003)
    }
}
