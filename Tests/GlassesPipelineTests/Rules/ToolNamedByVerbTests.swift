import GlassesDomain
import GlassesPipeline
import Testing

@Suite("A tool whose name is one verb")
struct ToolNamedByVerbTests {
    private let tools = [
        BrainTool(name: "stop", description: "Stop the ringing timer, or end the conversation."),
        BrainTool(name: "get_time", description: "Tell what time it is now."),
    ]

    @Test("the verb alone calls the tool", arguments: ["stop", "Stop!", "please stop", "stop it"])
    func verbAlone(_ utterance: String) {
        var brain = RulesBrain()
        #expect(brain.interpret(utterance, tools: tools) == .calls([BrainCall(name: "stop")]))
    }

    @Test("the verb with a thing that the tool does not know calls nothing", arguments: ["stop the car", "don't stop"])
    func verbWithForeignThing(_ utterance: String) {
        var brain = RulesBrain()
        if case .calls = brain.interpret(utterance, tools: tools) { Issue.record("A tool was called.") }
    }
}
