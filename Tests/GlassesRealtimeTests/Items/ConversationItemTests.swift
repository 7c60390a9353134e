import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct ConversationItemTests {
    /// Items that the event tables do not hold.
    static let items: [EventExample<ConversationItem>] = [
        EventExample(
            ConversationItem(
                id: "m1", body: .mcpListTools(MCPListToolsItem(serverLabel: "s", tools: [["name": "t"]]))),
            #"{"id":"m1","object":"realtime.item","type":"mcp_list_tools","server_label":"s","tools":[{"name":"t"}]}"#),
        EventExample(
            ConversationItem(
                id: "m2",
                body: .mcpCall(
                    MCPCallItem(
                        serverLabel: "s", name: "t", arguments: "{}", approvalRequestId: "m3",
                        error: ["type": "tool_execution_error", "message": "no"]))),
            """
            {"id":"m2","object":"realtime.item","type":"mcp_call","server_label":"s","name":"t","arguments":"{}",
            "output":null,"approval_request_id":"m3","error":{"type":"tool_execution_error","message":"no"}}
            """),
        EventExample(
            ConversationItem(
                id: "m3",
                body: .mcpApprovalRequest(MCPApprovalRequestItem(serverLabel: "s", name: "t", arguments: "{}"))),
            """
            {"id":"m3","object":"realtime.item","type":"mcp_approval_request","server_label":"s","name":"t",
            "arguments":"{}"}
            """),
        EventExample(
            ConversationItem(
                id: "m4", body: .mcpApprovalResponse(MCPApprovalResponseItem(approvalRequestId: "m3", approve: true))),
            """
            {"id":"m4","object":"realtime.item","type":"mcp_approval_response","approval_request_id":"m3",
            "approve":true,"reason":null}
            """),
        EventExample(
            ConversationItem(
                body: .message(
                    MessageItem(role: .user, content: [.inputImage(url: "data:image/png;base64,AA==", detail: "low")]))
            ),
            """
            {"object":"realtime.item","type":"message","role":"user","content":[{"type":"input_image",
            "image_url":"data:image/png;base64,AA==","detail":"low"}]}
            """),
        EventExample(
            ConversationItem(body: .message(MessageItem(role: .system, content: [.inputText("Hush.")]))),
            """
            {"object":"realtime.item","type":"message","role":"system","content":[{"type":"input_text",
            "text":"Hush."}]}
            """),
    ]

    @Test(arguments: items)
    func anItemKeepsItsFormInBothDirections(_ example: EventExample<ConversationItem>) throws {
        let item = try json(example.text)
        let message: JSONValue = ["type": "conversation.item.done", "item": item, "event_id": "e"]
        let decoded = try RealtimeCodec.decodeServerEvent(Array(message.jsonText.utf8)).event
        #expect(decoded == .conversationItemDone(ItemPlacement(item: example.event, previousItemId: nil)))
        #expect(try json(RealtimeCodec.encode(decoded, eventId: "e"))["item"] == item)
    }

    @Test func anUnknownItemTypeAndAnUnknownPartSurviveWhole() throws {
        let raw: JSONValue = ["type": "dance", "id": "d1", "status": "spinning", "steps": [1, 2]]
        let part: JSONValue = ["type": "smell", "smell": "rose"]
        let message: JSONValue = [
            "type": "response.done", "event_id": "e",
            "response": [
                "id": "r", "status": "completed",
                "output": [raw, ["type": "message", "role": "assistant", "content": [part]]],
            ],
        ]
        let event = try RealtimeCodec.decodeServerEvent(Array(message.jsonText.utf8)).event
        guard case .responseDone(let response) = event else { throw UnexpectedEvent() }
        #expect(response.output[0] == ConversationItem(id: "d1", body: .unknown(type: "dance", raw: raw)))
        #expect(response.output[1].body == .message(MessageItem(role: .assistant, content: [.unknown(part)])))
        let encoded = try json(RealtimeCodec.encode(event, eventId: "e"))["response"]?["output"]
        #expect(encoded?.arrayValue?[0] == raw)
        #expect(encoded?.arrayValue?[1]["content"] == [part])
    }

    static let refused: [(item: ConversationItem, param: String)] = [
        (message(.user, []), "item.content"),
        (message(.user, [.inputText("a"), .outputText("b")]), "item.content[1].type"),
        (message(.user, [.inputAudio(audio: nil, transcript: "a")]), "item.content[0].audio"),
        (message(.user, [.inputImage(url: "https://example.org/a.png", detail: nil)]), "item.content[0].image_url"),
        (message(.system, [.inputAudio(audio: [], transcript: nil)]), "item.content[0].type"),
        (message(.assistant, [.outputAudio(audio: [], transcript: "a")]), "item.content[0].text"),
        (message(.assistant, [.inputText("a")]), "item.content[0].type"),
        (ConversationItem(body: .functionCall(FunctionCallItem(name: "", arguments: "", callId: "c"))), "item.name"),
        (.functionOutput(callId: "", output: ""), "item.call_id"),
        (ConversationItem(id: "i", body: .itemReference), "item.type"),
        (ConversationItem(body: .mcpListTools(MCPListToolsItem(serverLabel: "s", tools: []))), "item.type"),
        (
            ConversationItem(body: .mcpApprovalResponse(MCPApprovalResponseItem(approvalRequestId: "", approve: true))),
            "item.approval_request_id"
        ),
        (ConversationItem(body: .unknown(type: "dance", raw: [:])), "item.type"),
    ]

    @Test(arguments: refused)
    func anItemThatNoServerTakesNamesItsField(_ item: ConversationItem, _ param: String) {
        #expect(item.firstProblem()?.param == param)
    }

    static let accepted: [ConversationItem] = [
        .userText("a"), .assistantText("a"), .functionOutput(callId: "c", output: ""),
        message(.system, [.inputText("a")]),
        message(.user, [.inputAudio(audio: [0, 0], transcript: nil), .inputText("")]),
        message(.user, [.inputImage(url: "data:image/jpeg;base64,AA==", detail: nil)]),
        ConversationItem(body: .functionCall(FunctionCallItem(name: "f", arguments: "{}", callId: "c"))),
        ConversationItem(body: .mcpApprovalResponse(MCPApprovalResponseItem(approvalRequestId: "m", approve: false))),
    ]

    @Test(arguments: accepted)
    func anItemOfTheProtocolHasNoProblem(_ item: ConversationItem) {
        #expect(item.firstProblem() == nil)
    }

    private static func message(_ role: MessageRole, _ content: [ContentPart]) -> ConversationItem {
        ConversationItem(body: .message(MessageItem(role: role, content: content)))
    }
}

struct UnexpectedEvent: Error {}
