import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("Client events that cannot be done")
struct ErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        var param: String?
        var prepare: @Sendable (inout MachineRig) -> Void = { _ in }
        let event: @Sendable () -> ClientEvent

        init(
            _ name: String, _ code: String, param: String? = nil,
            prepare: @escaping @Sendable (inout MachineRig) -> Void = { _ in },
            event: @escaping @Sendable () -> ClientEvent
        ) {
            testDescription = name
            self.code = code
            self.param = param
            self.prepare = prepare
            self.event = event
        }
    }

    @Test("is answered with one error that names the event, and the session goes on", arguments: cases)
    func refusal(_ row: Case) {
        var rig = MachineRig()
        row.prepare(&rig)
        #expect(rig.client(row.event(), id: "mine") == ["error"])
        #expect(rig.lastError?.code == row.code)
        #expect(rig.lastError?.param == row.param)
        #expect(rig.lastError?.eventId == "mine")
        #expect(rig.client(.inputAudioBufferClear) == ["input_audio_buffer.cleared"])
    }

    static let cases: [Case] = races + items + truncations + values

    private static let races = [
        Case("response.create while active", "conversation_already_has_active_response") { rig in
            rig.client(.responseCreate(nil))
        } event: {
            .responseCreate(nil)
        },
        Case("response.cancel with none", "response_cancel_not_active") { .responseCancel(responseId: nil) },
        Case("response.cancel of an unknown response", "response_cancel_not_active") { rig in
            rig.client(.responseCreate(nil))
        } event: {
            .responseCancel(responseId: "resp_77")
        },
        Case("commit of nothing", "input_audio_buffer_commit_empty") { .inputAudioBufferCommit },
        Case("commit of 90 ms", "input_audio_buffer_commit_empty") { rig in
            rig.update { $0.input.turnDetection = .clear }
            rig.hear(Sound.speech(ms: 90))
        } event: {
            .inputAudioBufferCommit
        },
        Case("output_audio_buffer.clear", "invalid_value", param: "type") { .outputAudioBufferClear },
        Case("unknown event", "invalid_value", param: "type") { .unknown(type: "session.dance", raw: [:]) },
        Case("too many out-of-band responses", "rate_limit_exceeded") { rig in
            for _ in 0..<8 { rig.client(.responseCreate(outOfBand)) }
        } event: {
            .responseCreate(outOfBand)
        },
    ]

    private static let items = [
        Case("delete of an unknown item", "item_delete_invalid_item_id", param: "item_id") {
            .conversationItemDelete(itemId: "nope")
        },
        Case("retrieve of an unknown item", "item_retrieve_invalid_item_id", param: "item_id") {
            .conversationItemRetrieve(itemId: "nope")
        },
        Case("an item after an unknown one", "invalid_value", param: "previous_item_id") {
            .conversationItemCreate(ItemCreation(item: .userText("x"), previousItemId: "nope"))
        },
        Case("an item with a taken id", "invalid_value", param: "item.id") { rig in
            rig.client(.conversationItemCreate(ItemCreation(item: .userText("x", id: "a"))))
        } event: {
            .conversationItemCreate(ItemCreation(item: .userText("y", id: "a")))
        },
        Case("an output of an unknown call", "invalid_value", param: "item.call_id") {
            .conversationItemCreate(ItemCreation(item: .functionOutput(callId: "call_9", output: "x")))
        },
        Case("a second output of a call", "invalid_value", param: "item.call_id") { rig in
            rig.client(.conversationItemCreate(ItemCreation(item: call("c"))))
            rig.client(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c", output: "1"))))
        } event: {
            .conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c", output: "2")))
        },
        Case("a picture for a brain that cannot see", "invalid_value", param: "item.content[0].type") {
            create(.user, .inputImage(url: "data:image/png;base64,AA==", detail: nil))
        },
        Case("spoken output in a replay", "missing_required_parameter", param: "item.content[0].text") {
            create(.assistant, .outputAudio(audio: nil, transcript: "hello"))
        },
        Case("output text of a user", "invalid_value", param: "item.content[0].type") {
            create(.user, .outputText("hello"))
        },
        Case("an item without content", "missing_required_parameter", param: "item.content") {
            .conversationItemCreate(
                ItemCreation(item: ConversationItem(body: .message(MessageItem(role: .user, content: [])))))
        },
        Case("an item reference", "invalid_value", param: "item.type") {
            .conversationItemCreate(ItemCreation(item: ConversationItem(id: "a", body: .itemReference)))
        },
        Case("two mebibytes of text", "invalid_value", param: "item.content") {
            create(.user, .inputText(String(repeating: "a", count: 2 << 20)))
        },
    ]

    private static let truncations = [
        Case("truncate of an unknown item", "item_truncate_invalid_item_id", param: "item_id") {
            .conversationItemTruncate(ItemTruncation(itemId: "nope", audioEndMs: 10))
        },
        Case("truncate of a text", "unsupported_content_type", param: "item_id") { rig in
            rig.client(.conversationItemCreate(ItemCreation(item: .assistantText("hello", id: "a"))))
        } event: {
            .conversationItemTruncate(ItemTruncation(itemId: "a", audioEndMs: 10))
        },
        Case("truncate beyond the end", "invalid_value", param: "audio_end_ms") { rig in
            rig.answerAloud(ms: 1_000)
        } event: {
            .conversationItemTruncate(ItemTruncation(itemId: "item_1", audioEndMs: 1_001))
        },
        Case("truncate of a second part", "invalid_value", param: "content_index") { rig in
            rig.answerAloud(ms: 1_000)
        } event: {
            .conversationItemTruncate(ItemTruncation(itemId: "item_1", contentIndex: 1, audioEndMs: 10))
        },
        Case("truncate at a negative time", "invalid_value", param: "audio_end_ms") { rig in
            rig.answerAloud(ms: 1_000)
        } event: {
            .conversationItemTruncate(ItemTruncation(itemId: "item_1", audioEndMs: -1))
        },
    ]

    private static let values = [
        Case("another voice after audio", "cannot_update_voice", param: "session.audio.output.voice") { rig in
            rig.answerAloud(ms: 100)
        } event: {
            update { $0.output.voice = "other" }
        },
        Case("a G.711 session", "invalid_value", param: "session.audio.input.format") {
            update { $0.input.format = .pcmu }
        },
        Case("a G.711 response", "invalid_value", param: "response.audio.output.format") {
            var parameters = ResponseParameters()
            parameters.audioFormat = .pcma
            return .responseCreate(parameters)
        },
        Case("MCP tools", "invalid_value", param: "session.tools") {
            update { $0.tools = [.mcp(serverLabel: "x", raw: ["type": "mcp", "server_label": "x"])] }
        },
        Case("both modalities", "invalid_value", param: "session.output_modalities") {
            update { $0.outputModalities = [.audio, .text] }
        },
        Case("say without a text", "invalid_value", param: "response.input") {
            var parameters = outOfBand
            parameters.metadata = ["extentos_say": "1"]
            return .responseCreate(parameters)
        },
        Case("a reference to an unknown item", "invalid_value", param: "response.input[0].id") {
            var parameters = outOfBand
            parameters.input = [ConversationItem(id: "nope", body: .itemReference)]
            return .responseCreate(parameters)
        },
        Case("an append of 16 MiB", "invalid_value", param: "audio") {
            .inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 16 << 20))
        },
        Case("35 s of collected audio", "input_audio_buffer_full", param: "audio") { rig in
            rig.update { $0.input.turnDetection = .clear }
        } event: {
            .inputAudioBufferAppend(audio: [UInt8](repeating: 1, count: 35 * 48_000))
        },
    ]

    private static var outOfBand: ResponseParameters {
        var parameters = ResponseParameters()
        parameters.conversation = ResponseParameters.Conversation.none
        return parameters
    }

    private static func call(_ id: String) -> ConversationItem {
        ConversationItem(body: .functionCall(FunctionCallItem(name: "f", arguments: "{}", callId: id)))
    }

    private static func create(_ role: MessageRole, _ part: ContentPart) -> ClientEvent {
        .conversationItemCreate(
            ItemCreation(item: ConversationItem(body: .message(MessageItem(role: role, content: [part])))))
    }

    private static func update(_ change: (inout SessionUpdate) -> Void) -> ClientEvent {
        var update = SessionUpdate()
        update.type = .realtime
        change(&update)
        return .sessionUpdate(update)
    }
}
