import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesGateway

@Suite("Relay filter")
struct RelayFilterTests {
    private func upstream(_ capabilities: Upstream.Capabilities = .init()) -> Upstream {
        Upstream(
            url: "wss://a.example/realtime?model=theirs", host: "a.example", model: "theirs", key: "sk-secret",
            keyHeader: .authorization, certificateAuthority: nil, capabilities: capabilities)
    }

    private func verdict(_ text: String, _ capabilities: Upstream.Capabilities = .init()) -> RelayFilter.Verdict {
        RelayFilter(upstream(capabilities)).client(Array(text.utf8)) { $0 + "1" }
    }

    @Test("the model in a session.update becomes the upstream's, and nothing else changes")
    func model() throws {
        let sent =
            #"{"type":"session.update","event_id":"e","session":{"type":"realtime","model":"ours","x":[1,null]}}"#
        guard case .replace(let bytes) = verdict(sent) else {
            Issue.record("The update was not changed.")
            return
        }
        let tree = try JSONValue(jsonText: bytes)
        #expect(tree["session"]?["model"] == "theirs")
        #expect(tree["session"]?["x"] == [1, nil])
        #expect(tree["event_id"] == "e")
    }

    @Test(
        "what needs no change passes as it came",
        arguments: [
            #"{"type":"session.update","session":{"type":"realtime"}}"#,
            #"{"type":"session.update","session":{"type":"realtime","model":"theirs"}}"#,
            #"{"type":"input_audio_buffer.append","audio":"AAAA"}"#,
            #"{"type":"conversation.item.truncate","item_id":"i","content_index":0,"audio_end_ms":1}"#,
            #"{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"session.update"}]}}"#,
            "session.update is no JSON", "", "[]",
        ])
    func unchanged(_ text: String) { #expect(verdict(text) == .forward) }

    @Test("where an answer cannot be named, a cancel goes on without its name, and only there")
    func cancel() throws {
        let sent = #"{"type":"response.cancel","event_id":"e","response_id":"r"}"#
        #expect(verdict(sent) == .forward)
        guard case .replace(let bytes) = verdict(sent, .init(cancelByName: false)) else {
            Issue.record("The cancel was not changed.")
            return
        }
        #expect(try JSONValue(jsonText: bytes) == ["type": "response.cancel", "event_id": "e"])
        #expect(verdict(#"{"type":"response.cancel"}"#, .init(cancelByName: false)) == .forward)
    }

    @Test(
        "an event that the upstream lacks is answered here, with the id of the client's event",
        arguments: ["truncate", "retrieve", "delete"])
    func refused(_ name: String) throws {
        let text = #"{"type":"conversation.item.\#(name)","event_id":"mine","item_id":"i"}"#
        let none = Upstream.Capabilities(truncate: false, retrieve: false, delete: false)
        guard case .answer(let bytes) = verdict(text, none) else {
            Issue.record("The event was not answered.")
            return
        }
        guard case .error(let info) = try RealtimeCodec.decodeServerEvent(bytes).event else {
            Issue.record("The answer is no error.")
            return
        }
        #expect(info.eventId == "mine")
        #expect(info.code == "unsupported_event")
    }

    @Test("an upstream that lacks an event still gets the others")
    func others() {
        let text = #"{"type":"conversation.item.create","item":{"type":"message"}}"#
        #expect(verdict(text, Upstream.Capabilities(truncate: false)) == .forward)
    }
}
