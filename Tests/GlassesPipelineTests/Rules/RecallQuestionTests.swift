import GlassesDomain
import GlassesPipeline
import Testing

/// Questions after what was remembered, with the memory tools that a demo has.
@Suite struct RecallQuestionTests {
    private let tools = [
        BrainTool(
            name: "remember", description: "Remember something that the user says.",
            parameters: [
                "type": "object", "properties": ["note": ["type": "string", "description": "What to remember."]],
                "required": ["note"],
            ]), BrainTool(name: "recall", description: "Recall what the user asked to remember."),
        BrainTool(name: "get_time", description: "Tell what time it is now."),
    ]

    @Test(arguments: [
        "what do you remember", "What do you remember?", "what have you remembered", "what have you noted",
        "what did I ask you to remember", "tell me what you remember",
    ])
    func aQuestionAfterWhatIsRememberedRecallsIt(question: String) {
        var brain = RulesBrain()
        #expect(brain.interpret(question, tools: tools) == .calls([BrainCall(name: "recall")]))
    }

    @Test(arguments: ["what do you see", "what do you want", "do you remember the moon landing"])
    func anotherQuestionRecallsNothing(question: String) {
        var brain = RulesBrain()
        if case .calls = brain.interpret(question, tools: tools) { Issue.record("A tool was called.") }
    }

    @Test func whatFollowsRememberIsStillANote() {
        var brain = RulesBrain()
        #expect(
            brain.interpret("remember that my keys are in the kitchen", tools: tools)
                == .calls([BrainCall(name: "remember", arguments: ["note": "my keys are in the kitchen"])]))
    }
}
