import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("A conversation as a chat endpoint takes it")
struct ChatMessagesTests {
    private static func messages(
        _ context: [BrainMessage], _ occasion: BrainRequest.Occasion = .turn, sees: Bool = false, limit: Int = 1_000
    ) -> [JSONValue] {
        let request = BrainRequest(occasion: occasion, instructions: "Be kind.", context: context)
        return ChatMessages.of(request, meter: PictureMeter(coder: nil), seesPictures: sees, limit: limit)
    }

    private static func call(_ id: String) -> BrainMessage {
        .call(callId: id, BrainFunctionCall(name: "f\(id)", arguments: "{}"))
    }

    private static func result(_ id: String) -> BrainMessage {
        .result(callId: id, name: "f\(id)", output: "out \(id)")
    }

    /// Roles and what identifies the message.
    private static func outline(_ messages: [JSONValue]) -> [String] {
        messages.map { message in
            let calls = (message["tool_calls"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            let text = message["content"]?.stringValue ?? ""
            return ([message["role"]?.stringValue ?? "", text] + calls).joined(separator: "|")
        }
    }

    @Test("all rules of the app stand in one system message in front")
    func system() {
        #expect(
            Self.outline(Self.messages([.user("a"), .system("Rule."), .assistant("b"), .user("c")]))
                == ["system|Be kind.\n\nRule.", "user|a", "assistant|b", "user|c"])
    }

    @Test("each call is followed by its result, wherever that came, and by a word where there is none")
    func calls() {
        let context: [BrainMessage] = [
            .user("both"), .assistant("Sure."), Self.call("1"), Self.call("2"), Self.result("2"), .user("and?"),
            Self.result("1"),
            Self.call("3"), .user("more"),
        ]
        #expect(
            Self.outline(Self.messages(context)) == [
                "system|Be kind.", "user|both", "assistant|Sure.|1|2", "tool|out 1", "tool|out 2", "user|and?",
                "assistant||3", "tool|There is no result yet.", "user|more",
            ])
    }

    @Test("calls of one answer stay together when their results came in between")
    func between() {
        let context: [BrainMessage] = [.user("go"), Self.call("1"), Self.result("1"), Self.call("2"), Self.result("2")]
        #expect(
            Self.outline(Self.messages(context)) == [
                "system|Be kind.", "user|go", "assistant||1|2", "tool|out 1", "tool|out 2",
            ])
    }

    @Test("a result without its call is told as text, and texts in a row are one message")
    func strays() {
        #expect(
            Self.outline(Self.messages([Self.result("9"), .user("so?")]))
                == ["system|Be kind.", "user|[The result of f9: out 9]\nso?"])
    }

    @Test("where nothing new was said, the model is told why it is asked")
    func occasions() {
        for occasion in [BrainRequest.Occasion.nothingUnderstood, .silence, .unprompted] {
            let messages = Self.messages([.user("a"), .assistant("b")], occasion)
            #expect(messages.last?["role"] == "user")
            #expect(messages.last?["content"]?.stringValue?.hasPrefix("[") == true)
        }
        #expect(Self.messages([], .unprompted).last?["content"] == "[Begin the conversation.]")
    }

    @Test("the oldest turns are left out, the newest never is, and calls keep their results")
    func bounded() {
        let long = String(repeating: "x", count: 600)
        let context: [BrainMessage] = [
            .user(long), Self.call("1"), Self.result("1"), .assistant("b"), .user("c"), .assistant(long),
            .user(long + long),
        ]
        #expect(Self.outline(Self.messages(context)).count == 2)
        #expect(
            Self.outline(Self.messages(context, limit: 2_000)).map { $0.prefix(9) } == [
                "system|Be", "user|c", "assistant", "user|xxxx",
            ])
    }

    @Test("a picture goes only to a model that sees; another is told what was measured")
    func pictures() {
        let picture = BrainPicture(url: "data:image/jpeg;base64,AAAA", caption: "what is it", age: .zero)
        let seen = Self.messages([.picture(picture)], sees: true).last
        #expect(seen?["content"]?.arrayValue?.last?["image_url"]?["url"] == .string(picture.url))
        #expect(seen?["content"]?.arrayValue?.first?["text"] == "what is it")
        let told = Self.messages([.picture(picture)]).last?["content"]?.stringValue
        #expect(told == "[A picture. You cannot see what is in it. It came just now.] what is it")
    }

    @Test("tools go with their schemas, and not at all when none may be called")
    func tools() {
        let tool = FunctionTool(name: "f", description: "Does.", parameters: ["type": "object", "required": ["x"]])
        func body(_ choice: GlassesRealtime.ToolChoice) -> JSONValue {
            ChatRequestBody.json(
                of: BrainRequest(occasion: .turn, tools: [tool], toolChoice: choice, maxTokens: 9), model: "m",
                messages: [])
        }
        let function: JSONValue = [
            "name": "f", "description": "Does.", "parameters": ["type": "object", "required": ["x"]],
        ]
        #expect(body(.auto)["tools"] == [["type": "function", "function": function]])
        #expect(body(.auto)["tool_choice"] == nil && body(.required)["tool_choice"] == "required")
        #expect(body(.function(name: "f"))["tool_choice"]?["function"]?["name"] == "f")
        #expect(body(.none)["tools"] == nil)
        #expect(body(.auto)["max_completion_tokens"] == 9 && body(.auto)["stream"] == true)
    }
}
