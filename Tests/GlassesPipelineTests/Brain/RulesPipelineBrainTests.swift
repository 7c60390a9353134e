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
}
