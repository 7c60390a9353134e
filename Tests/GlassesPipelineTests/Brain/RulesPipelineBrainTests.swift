import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("The rules brain in a session")
struct RulesPipelineBrainTests {
    private static let tools = [
        FunctionTool(name: "take_picture", description: "Take a picture with the camera."),
        FunctionTool(
            name: "set_timer", description: "Set a timer.",
            parameters: [
                "type": "object", "properties": ["minutes": ["type": "integer", "description": "Length in minutes"]],
                "required": ["minutes"],
            ]),
    ]

    private static func ask(_ texts: String..., choice: GlassesRealtime.ToolChoice = .auto) -> BrainRequest {
        let messages = texts.map(BrainMessage.user)
        return BrainRequest(occasion: .turn, context: messages, pending: messages, tools: tools, toolChoice: choice)
    }

    @Test("a command becomes a call with its arguments and no speech")
    func command() async throws {
        let reply = try await RulesPipelineBrain().makeSession().reply(to: Self.ask("set a timer for five minutes"))
        #expect(reply.calls == [BrainFunctionCall(name: "set_timer", arguments: #"{"minutes":5}"#)])
        #expect(reply.speech == nil)
    }

    @Test("a question that waits is answered by the next text of its session only")
    func openQuestion() async throws {
        let brain = RulesPipelineBrain()
        let session = brain.makeSession()
        #expect(try await session.reply(to: Self.ask("set a timer")).speech?.hasSuffix("?") == true)
        let other = try await brain.makeSession().reply(to: Self.ask("five minutes"))
        #expect(other.calls.isEmpty)
        let answered = try await session.reply(to: Self.ask("five minutes"))
        #expect(answered.calls == [BrainFunctionCall(name: "set_timer", arguments: #"{"minutes":5}"#)])
    }

    @Test("two texts that wait together are both dealt with, in order")
    func twoTexts() async throws {
        let request = Self.ask("take a picture", "set a timer for 2 minutes")
        let reply = try await RulesPipelineBrain().makeSession().reply(to: request)
        #expect(reply.calls.map(\.name) == ["take_picture", "set_timer"])
    }

    @Test("results are spoken in the order of their calls, whichever ended first")
    func results() async throws {
        let calls: [BrainMessage] = [
            .call(callId: "a", BrainFunctionCall(name: "take_picture", arguments: "{}")),
            .call(callId: "b", BrainFunctionCall(name: "set_timer", arguments: "{}")),
        ]
        let results: [BrainMessage] = [
            .result(callId: "b", name: "set_timer", output: #"{"message":"The timer is set."}"#),
            .result(callId: "a", name: "take_picture", output: "Picture taken."),
        ]
        let request = BrainRequest(occasion: .turn, context: calls + results, pending: results, tools: Self.tools)
        let reply = try await RulesPipelineBrain().makeSession().reply(to: request)
        #expect(reply == BrainReply(speech: "Picture taken. The timer is set."))
    }

    @Test("tool_choice none calls nothing")
    func noTools() async throws {
        let reply = try await RulesPipelineBrain().makeSession().reply(to: Self.ask("take a picture", choice: .none))
        #expect(reply.calls.isEmpty)
        #expect(reply.speech != nil)
    }

    @Test(
        "without anything to answer it says something fitting",
        arguments: [
            (BrainRequest.Occasion.silence, "Are you still there?"),
            (.nothingUnderstood, "Sorry, I didn't catch that."), (.unprompted, "How can I help you?"),
        ])
    func prompts(occasion: BrainRequest.Occasion, speech: String) async throws {
        let reply = try await RulesPipelineBrain().makeSession().reply(to: BrainRequest(occasion: occasion))
        #expect(reply.speech == speech)
    }

    @Test("asked for more after everything was answered, it adds nothing")
    func nothingToAdd() async throws {
        let request = BrainRequest(occasion: .unprompted, context: [.user("hello"), .assistant("Hello.")])
        #expect(try await RulesPipelineBrain().makeSession().reply(to: request) == BrainReply())
    }

    private static let sessionTools =
        tools + [
            FunctionTool(
                name: "end_conversation", description: "Ends the conversation. Call it when the user says goodbye."),
            FunctionTool(name: "get_device_info", description: "Tells as JSON which device the user speaks through."),
        ]

    private static func askSession(_ text: String, tools: [FunctionTool] = sessionTools) -> BrainRequest {
        BrainRequest(occasion: .turn, context: [.user(text)], pending: [.user(text)], tools: tools)
    }

    @Test(
        "a farewell is answered and ends the conversation", arguments: ["Goodbye.", "bye bye", "That's all for now!"])
    func farewell(text: String) async throws {
        let reply = try await RulesPipelineBrain().makeSession().reply(to: Self.askSession(text))
        #expect(
            reply
                == BrainReply(speech: "Goodbye.", calls: [BrainFunctionCall(name: "end_conversation", arguments: "{}")])
        )
        let without = try await RulesPipelineBrain().makeSession().reply(to: Self.askSession(text, tools: Self.tools))
        #expect(without.calls.isEmpty, "a session without the tool does not end")
    }

    @Test(
        "no guess ends the conversation or asks for the device",
        arguments: [
            "end the timer", "stop", "stop the conversation with my boss", "say goodbye to mum", "tell me the device",
        ])
    func noGuess(text: String) async throws {
        let reply = try await RulesPipelineBrain().makeSession().reply(to: Self.askSession(text))
        #expect(!reply.calls.contains { ["end_conversation", "get_device_info"].contains($0.name) })
    }

    @Test("a tool of such a name that takes arguments is an app's, and is ranked as every other")
    func appsOwn() async throws {
        let own = FunctionTool(
            name: "get_device_info", description: "Tells about a device of the house.",
            parameters: ["type": "object", "properties": ["room": ["type": "string"]], "required": ["room"]])
        let reply = try await RulesPipelineBrain().makeSession().reply(to: Self.askSession("battery", tools: [own]))
        #expect(reply.calls.isEmpty)
    }

    @Test("the device is told in words")
    func device() async throws {
        let session = RulesPipelineBrain().makeSession()
        let asked = try await session.reply(to: Self.askSession("How much battery is left?"))
        #expect(asked == BrainReply(calls: [BrainFunctionCall(name: "get_device_info", arguments: "{}")]))
        let line =
            #"{"vendor":"acme","device":"Glasses 2","camera":true,"connected":true,"off":["camera"],"battery":38}"#
        let result = BrainMessage.result(callId: "c", name: "get_device_info", output: line)
        let told = try await session.reply(
            to: BrainRequest(occasion: .turn, context: [result], pending: [result], tools: Self.sessionTools))
        #expect(
            told.speech
                == "This is Glasses 2. Its battery is at 38 percent. You have switched off the camera.")
    }
}
