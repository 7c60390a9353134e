import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct RealtimeCodecErrorTests {
    static let garbage: [(text: String, kind: RealtimeCodecError.Code)] = [
        ("", .invalidJSON), ("{", .invalidJSON), ("secret words", .invalidJSON), ("{} {}", .invalidJSON),
        (#"{"type":"error",}"#, .invalidJSON),
        (String(repeating: "[", count: 5000), .invalidJSON),
        (
            #"{"type":"x","a":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}",
            .invalidJSON
        ),
        ("null", .invalidEvent), ("[]", .invalidEvent), ("7", .invalidEvent), ("{}", .invalidEvent),
        (#"{"type":7}"#, .invalidEvent), (#"{"type":null}"#, .invalidEvent),
    ]

    @Test(arguments: garbage)
    func garbageIsAnErrorOfTheRemoteInBothRoles(_ text: String, _ kind: RealtimeCodecError.Code) {
        let bytes = Array(text.utf8)
        let server = #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeServerEvent(bytes) }
        let client = #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeClientEvent(bytes) }
        #expect(server?.kind == kind)
        #expect(client?.kind == kind)
        #expect(server?.blame == .remote)
    }

    @Test func bytesThatAreNotTextAreAnError() {
        let error = #expect(throws: RealtimeCodecError.self) {
            try RealtimeCodec.decodeServerEvent([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D])
        }
        #expect(error?.code == "invalid_json")
    }

    @Test func aMessageAboveTheLimitIsRefusedBeforeItIsRead() throws {
        let bytes = RealtimeCodec.encode(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 300)))
        #expect(throws: Never.self) { try RealtimeCodec.decodeClientEvent(bytes, limit: bytes.count) }
        let error = #expect(throws: RealtimeCodecError.self) {
            try RealtimeCodec.decodeClientEvent(bytes, limit: bytes.count - 1)
        }
        #expect(error?.code == "message_too_large")
        #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeServerEvent(bytes, limit: 10) }
    }

    @Test func theLongestAppendOfTheProtocolFitsTheGateway() {
        let audio = [UInt8](repeating: 7, count: RealtimeLimits.appendAudioBytes)
        let message = RealtimeCodec.encode(.inputAudioBufferAppend(audio: audio), eventId: "c1")
        #expect(message.count <= RealtimeLimits.gatewayInboundBytes)
    }

    struct Refusal: Sendable {
        let text: String
        let code: String
        let param: String?

        init(_ text: String, _ code: String, _ param: String?) {
            self.text = text
            self.code = code
            self.param = param
        }
    }

    /// Broken client events: what the server answers, and which field it names.
    static let refusals = [
        Refusal(#"{"type":"session.update"}"#, "missing_required_parameter", "session"),
        Refusal(#"{"type":"session.update","session":[]}"#, "invalid_type", "session"),
        Refusal(#"{"type":"session.update","session":{"type":"opera"}}"#, "invalid_value", "session.type"),
        Refusal(
            #"{"type":"session.update","session":{"type":"realtime","audio":{"output":{"speed":"fast"}}}}"#,
            "invalid_type", "session.audio.output.speed"),
        Refusal(
            #"{"type":"session.update","session":{"type":"realtime","tools":[{"type":"function"}]}}"#,
            "missing_required_parameter", "session.tools[0].name"),
        Refusal(
            #"{"type":"session.update","session":{"type":"realtime","max_output_tokens":"many"}}"#,
            "invalid_type", "session.max_output_tokens"),
        Refusal(
            #"{"type":"session.update","session":{"type":"realtime","audio":{"input":{"turn_detection":5}}}}"#,
            "invalid_type", "session.audio.input.turn_detection"),
        Refusal(#"{"type":"input_audio_buffer.append"}"#, "missing_required_parameter", "audio"),
        Refusal(#"{"type":"input_audio_buffer.append","audio":5}"#, "invalid_type", "audio"),
        Refusal(#"{"type":"input_audio_buffer.append","audio":"not base64!"}"#, "invalid_value", "audio"),
        Refusal(#"{"type":"input_audio_buffer.append","audio":"AAA"}"#, "invalid_value", "audio"),
        Refusal(#"{"type":"conversation.item.create"}"#, "missing_required_parameter", "item"),
        Refusal(#"{"type":"conversation.item.create","item":{}}"#, "missing_required_parameter", "item.type"),
        Refusal(
            #"{"type":"conversation.item.create","item":{"type":"message","role":"user"}}"#,
            "missing_required_parameter", "item.content"),
        Refusal(
            #"{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"text":"a"}]}}"#,
            "missing_required_parameter", "item.content[0].type"),
        Refusal(
            #"{"type":"conversation.item.create","item":{"type":"function_call_output","output":"a"}}"#,
            "missing_required_parameter", "item.call_id"),
        Refusal(#"{"type":"conversation.item.retrieve"}"#, "missing_required_parameter", "item_id"),
        Refusal(#"{"type":"conversation.item.delete","item_id":4}"#, "invalid_type", "item_id"),
        Refusal(
            #"{"type":"conversation.item.truncate","item_id":"i","content_index":0}"#,
            "missing_required_parameter", "audio_end_ms"),
        Refusal(
            #"{"type":"conversation.item.truncate","item_id":"i","audio_end_ms":10.5}"#, "invalid_type",
            "audio_end_ms"),
        Refusal(#"{"type":"response.create","response":7}"#, "invalid_type", "response"),
        Refusal(
            #"{"type":"response.create","response":{"conversation":"mine"}}"#, "invalid_value",
            "response.conversation"),
        Refusal(
            #"{"type":"response.create","response":{"metadata":{"my secret":1}}}"#, "invalid_type",
            "response.metadata"),
        Refusal(#"{"type":"response.cancel","response_id":[]}"#, "invalid_type", "response_id"),
    ]

    @Test(arguments: refusals)
    func aBrokenClientEventNamesItsFieldAndItsEvent(_ refusal: Refusal) throws {
        let bytes = Array((#"{"event_id":"c3","# + refusal.text.dropFirst()).utf8)
        let error = try #require(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeClientEvent(bytes) }
        #expect(error.code == refusal.code)
        #expect(error.param == refusal.param)
        #expect(error.eventId == "c3")
        let answer = RealtimeErrorInfo(error)
        #expect(
            answer
                == RealtimeErrorInfo(
                    message: error.message, code: refusal.code, param: refusal.param, eventId: "c3"))
        #expect(answer.severity == .clientBug)
    }

    @Test(arguments: ["my secret words", #"{"type":"response.create","response":{"metadata":{"my secret words":1}}}"#])
    func anErrorQuotesNothingOfTheMessage(_ text: String) throws {
        let error = try #require(throws: RealtimeCodecError.self) {
            try RealtimeCodec.decodeClientEvent(Array(text.utf8))
        }
        #expect(!"\(error) \(error.param ?? "")".contains("secret"))
    }

    @Test func anAudioDeltaThatCannotBeReadIsAnErrorEvenOfAServer() throws {
        let text = #"{"type":"response.output_audio.delta","response_id":"r","item_id":"i","delta":"?"}"#
        let error = try #require(throws: RealtimeCodecError.self) {
            try RealtimeCodec.decodeServerEvent(Array(text.utf8))
        }
        #expect(error.code == "invalid_value")
        #expect(error.param == "delta")
    }
}
