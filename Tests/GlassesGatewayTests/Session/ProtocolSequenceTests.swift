import Foundation
import GlassesDomain
import Testing

@testable import GlassesGateway

/// The canonical sequences of the protocol, over a real socket.
@Suite("Protocol sequences", .serialized, .timeLimit(.minutes(5)))
struct ProtocolSequenceTests {
    private func types(_ events: [JSONValue]) -> [String] { events.compactMap { $0["type"]?.stringValue } }

    /// `types` with runs of the same type made one.
    private func shape(_ events: [JSONValue]) -> [String] {
        types(events).reduce(into: []) { shape, type in if shape.last != type { shape.append(type) } }
    }

    private func update(_ fields: JSONValue) -> JSONValue {
        let session = (fields.objectValue ?? [:]).merging(["type": "realtime"]) { _, new in new }
        return ["type": "session.update", "session": .object(session)]
    }

    private let tools: JSONValue = [
        ["type": "function", "name": "first", "parameters": ["type": "object"]],
        ["type": "function", "name": "second", "parameters": ["type": "object"]],
    ]

    @Test(
        "a session is announced first, even to a client that speaks first, and an update is answered with the whole session"
    )
    func start() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(update(["model": "gpt-realtime-2.1", "instructions": "Be brief.", "tracing": "auto"]))
        let created = try await client.event()
        #expect(created["type"] == "session.created")
        let session = try #require(created["session"])
        #expect(session["model"] == "gpt-realtime")
        #expect(session["object"] == "realtime.session")
        let seconds = try #require(session["expires_at"]?.intValue) - RealClock.port.wallClockMilliseconds() / 1_000
        #expect((3_500...3_600).contains(seconds))
        let updated = try #require(try await client.next("session.updated")["session"])
        #expect(updated["model"] == "gpt-realtime")
        #expect(updated["instructions"] == "Be brief.")
        #expect(updated["audio"]?["input"]?["turn_detection"]?["interrupt_response"] == true)
        #expect(updated["audio"]?["output"]?["format"] == ["type": "audio/pcm", "rate": 24_000])
        client.close()
    }

    @Test("clients that believe to talk to Azure find their path", arguments: ["/openai/v1", "/openai"])
    func azure(_ path: String) async throws {
        let rig = try GatewayRig()
        let base = rig.base.replacingOccurrences(of: "/v1", with: path)
        let query = "api-version=2025-08-28&deployment=mine"
        let client = try await SocketClient.open(base, query: query, headers: ["api-key": "k"])
        #expect(try await client.event()["session"]?["model"] == "mine")
        client.close()
    }

    @Test("a text turn has the events of the guide in their order")
    func textTurn() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(update(["output_modalities": ["text"]]))
        try await client.next("session.updated")
        client.say("good morning")
        let events = try await client.events(until: "response.done")
        #expect(
            shape(events) == [
                "conversation.item.added", "conversation.item.done", "response.created", "response.output_item.added",
                "conversation.item.added", "response.content_part.added", "response.output_text.delta",
                "response.output_text.done", "response.content_part.done", "conversation.item.done",
                "response.output_item.done", "response.done",
            ])
        let text = events.filter { $0["type"] == "response.output_text.delta" }.compactMap { $0["delta"]?.stringValue }
        #expect(text.joined() == "You said good morning.")
        #expect(events.last?["response"]?["status"] == "completed")
        client.close()
    }

    @Test("a spoken turn is committed, transcribed and answered with sound of the right length")
    func voiceTurn() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(update(["audio": ["input": ["transcription": ["model": "gpt-4o-mini-transcribe"]]]]))
        client.speak()
        let events = try await client.events(until: "response.done")
        let order = [
            "input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped", "input_audio_buffer.committed",
            "response.created", "response.output_item.added", "response.content_part.added",
            "response.output_audio.done",
            "response.output_item.done", "response.done",
        ]
        #expect(types(events).filter(order.contains) == order)
        let itemId = events.first { $0["type"] == "input_audio_buffer.committed" }?["item_id"]
        let transcribed = try #require(
            events.first { $0["type"] == "conversation.item.input_audio_transcription.completed" })
        #expect(transcribed["item_id"] == itemId)
        #expect(transcribed["transcript"] == "hello there")
        let audio = events.filter { $0["type"] == "response.output_audio.delta" }
            .compactMap { $0["delta"]?.stringValue?.count }.reduce(0, +)
        // 21 characters of 10 ms at 24 kHz and two bytes, in base64.
        #expect(abs(audio - 21 * 480 * 4 / 3) < 32)
        client.close()
    }

    @Test("push to talk answers only when it is asked to")
    func pushToTalk() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(update(["audio": ["input": ["turn_detection": nil]]]))
        client.hear(Sound.speech(ms: 500))
        client.send(["type": "input_audio_buffer.commit"])
        let committed = try await client.events(until: "conversation.item.done")
        #expect(!types(committed).contains("response.created"))
        client.send(["type": "response.create"])
        let done = try await client.next("response.done")
        #expect(done["response"]?["status"] == "completed")
        client.close()
    }

    @Test("two calls of one response take their outputs one by one, with an answer to each")
    func calls() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(update(["tools": tools, "output_modalities": ["text"]]))
        client.say("call")
        let events = try await client.events(until: "response.done")
        let added = events.filter { $0["type"] == "response.output_item.added" }.compactMap { $0["item"] }
        #expect(added.map { $0["status"] } == ["in_progress", "in_progress"])
        #expect(added.map { $0["arguments"] } == ["", ""])
        let done = events.filter { $0["type"] == "response.output_item.done" }.compactMap { $0["item"] }
        #expect(done.map { $0["name"] } == ["first", "second"])
        #expect(done.map { $0["arguments"] } == ["{\"x\":1}", "{\"x\":1}"])
        for (index, call) in done.enumerated() {
            let output: JSONValue = [
                "type": "function_call_output", "call_id": call["call_id"] ?? "", "output": .string("out\(index)"),
            ]
            client.send(["type": "conversation.item.create", "item": output])
            client.send(["type": "response.create"])
            let answer = try await client.next("response.done")
            #expect(answer["response"]?["status"] == "completed")
        }
        client.close()
    }

    @Test("speech over an answer cuts it; the item can be truncated, read back and deleted")
    func bargeIn() async throws {
        let rig = try GatewayRig(recognizer: FakeRecognizer("think", "wait"))
        let client = try await SocketClient.open(rig.base)
        client.say("a long story about the sea")
        let answer = try await client.events(until: "response.done")
        let itemId = try #require(answer.first { $0["type"] == "response.output_item.added" }?["item"]?["id"])
        client.speak()
        try await client.next("response.created")
        client.speak()
        let cut = try await client.next("response.done")
        #expect(cut["response"]?["status"] == "cancelled")
        #expect(cut["response"]?["status_details"]?["reason"] == "turn_detected")
        client.send([
            "type": "conversation.item.truncate", "item_id": itemId, "content_index": 0, "audio_end_ms": 100,
        ])
        #expect(try await client.next("conversation.item.truncated")["audio_end_ms"] == 100)
        client.send(["type": "conversation.item.retrieve", "item_id": itemId])
        let item = try await client.next("conversation.item.retrieved")["item"]
        let audio = item?["content"]?.arrayValue?.first?["audio"]?.stringValue ?? ""
        #expect(audio.count == 100 * 48 * 4 / 3)
        client.send(["type": "conversation.item.delete", "item_id": itemId])
        #expect(try await client.next("conversation.item.deleted")["item_id"] == itemId)
        client.close()
    }

    @Test("a response that is cancelled ends as cancelled by the client")
    func cancel() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.say("think")
        try await client.next("response.created")
        client.send(["type": "response.cancel"])
        let done = try await client.next("response.done")
        #expect(done["response"]?["status_details"]?["reason"] == "client_cancelled")
        client.close()
    }

    @Test("a response outside the conversation leaves no item in it and gives its metadata back")
    func outOfBand() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send([
            "type": "response.create",
            "response": [
                "conversation": "none", "output_modalities": ["text"], "metadata": ["topic": "weather"],
                "input": [SocketClient.message("rain")],
            ],
        ])
        let events = try await client.events(until: "response.done")
        #expect(!types(events).contains { $0.hasPrefix("conversation.item") })
        let response = try #require(events.last?["response"])
        #expect(response["metadata"] == ["topic": "weather"])
        #expect(response["conversation_id"] == JSONValue.null)
        client.close()
    }

    @Test("a replayed history is taken back, and spoken output in it is refused")
    func replay() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        let spoken: JSONValue = [
            "type": "message", "role": "assistant", "content": [["type": "output_audio", "transcript": "Hello."]],
        ]
        let written: JSONValue = [
            "type": "message", "role": "assistant", "content": [["type": "output_text", "text": "Hello."]],
        ]
        client.send(["type": "conversation.item.create", "event_id": "spoken", "item": spoken])
        let refused = try await client.next("error")["error"]
        #expect(refused?["event_id"] == "spoken")
        #expect(refused?["param"] == "item.content[0].text")
        client.send(["type": "conversation.item.create", "item": SocketClient.message("hi")])
        client.send(["type": "conversation.item.create", "item": written])
        let added = try await client.events(until: "conversation.item.done")
        #expect(added.last?["item"]?["role"] == "user")
        try await client.next("conversation.item.done")
        client.close()
    }
}
