import Foundation
import GlassesDomain
import GlassesWebSocket
import Testing

@testable import GlassesGateway

@Suite("Invalid client events", .serialized, .timeLimit(.minutes(5)))
struct InvalidEventTests {
    @Test(
        "what is no event is answered with an error that names its field and id, and the session goes on",
        arguments: [
            ("{", "invalid_json", nil), ("", "invalid_json", nil), ("null", "invalid_event", "type"),
            ("[]", "invalid_event", "type"), ("\"text\"", "invalid_event", "type"), ("{}", "invalid_event", "type"),
            (#"{"type":7,"event_id":"mine"}"#, "invalid_event", "type"),
            (#"{"type":"fly.away","event_id":"mine"}"#, "invalid_value", "type"),
            (#"{"type":"session.update","event_id":"mine"}"#, "missing_required_parameter", "session"),
            (
                #"{"type":"session.update","event_id":"mine","session":{}}"#, "missing_required_parameter",
                "session.type"
            ),
            (#"{"type":"input_audio_buffer.append","event_id":"mine","audio":"?"}"#, "invalid_value", "audio"),
            (#"{"type":"input_audio_buffer.commit","event_id":"mine"}"#, "input_audio_buffer_commit_empty", nil),
            (#"{"type":"response.cancel","event_id":"mine"}"#, "response_cancel_not_active", nil),
            (
                #"{"type":"conversation.item.retrieve","event_id":"mine","item_id":"no"}"#,
                "item_retrieve_invalid_item_id", "item_id"
            ),
            (
                #"{"type":"conversation.item.delete","event_id":"mine","item_id":"no"}"#,
                "item_delete_invalid_item_id", "item_id"
            ),
            (
                #"{"type":"conversation.item.truncate","event_id":"mine","item_id":"no","content_index":0,"audio_end_ms":1}"#,
                "item_truncate_invalid_item_id", "item_id"
            ),
        ] as [(String, String, String?)])
    func answered(_ text: String, _ code: String, _ param: String?) async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(text)
        let event = try await client.next("error")
        let error = try #require(event["error"])
        #expect(event["event_id"]?.stringValue?.isEmpty == false)
        #expect(error["code"]?.stringValue == code)
        #expect(error["param"]?.stringValue == param)
        #expect(error["message"]?.stringValue?.isEmpty == false)
        if code != "invalid_event", text.contains("mine") { #expect(error["event_id"] == "mine") }
        client.send(["type": "input_audio_buffer.clear"])
        try await client.next("input_audio_buffer.cleared")
        client.close()
    }

    @Test("a second response.create is refused by its id, and the first one goes on alone")
    func secondCreate() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.say("think")
        try await client.next("response.created")
        client.send(["type": "response.create", "event_id": "second"])
        let error = try await client.next("error")["error"]
        #expect(error?["code"] == "conversation_already_has_active_response")
        #expect(error?["event_id"] == "second")
        client.send(["type": "response.cancel"])
        try await client.next("response.done")
        client.close()
    }

    @Test("unknown fields are no errors")
    func unknownFields() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base, query: "model=m&extra=1&api-version=2025-08-28")
        client.send(["type": "session.update", "session": ["type": "realtime", "new_field": ["x": 1]], "more": 7])
        try await client.next("session.updated")
        client.close()
    }

    @Test("a binary message ends the connection with 1003")
    func binary() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        _ = client.channel.send(.binary([1, 2, 3]), lane: .control)
        #expect(try await client.closure().closeCode == 1_003)
    }
}
