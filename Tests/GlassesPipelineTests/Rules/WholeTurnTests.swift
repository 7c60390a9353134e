import GlassesDomain
import Testing

@testable import GlassesPipeline

@Suite("Whether a request is whole")
struct WholeTurnTests {
    static let tools = [
        BrainTool(name: "take_photo", description: "Take a picture"),
        BrainTool(name: "get_time", description: "Tell what time it is"),
        BrainTool(
            name: "set_timer", description: "Set a timer",
            parameters: ["type": "object", "properties": ["minutes": ["type": "integer"]], "required": ["minutes"]]),
        BrainTool(
            name: "remember", description: "Remember a fact",
            parameters: ["type": "object", "properties": ["fact": ["type": "string"]], "required": ["fact"]]),
        BrainTool(
            name: "set_light", description: "Turn the light on or off",
            parameters: [
                "type": "object", "properties": ["state": ["type": "string", "enum": ["on", "off"]]],
                "required": ["state"],
            ]),
    ]
    static let cases: [(String, Bool)] = [
        ("take a picture", true), ("what time is it", true), ("set a timer for five minutes", true),
        ("turn the light off", true), ("set a timer for five", false), ("set a timer for", false),
        ("set a timer", false), ("take a", false), ("take a picture and", false),
        ("remember that my keys are in the kitchen", false), ("sing me a song", false), ("hello", false), ("", false),
    ]

    @Test("a command is whole when nothing is missing and nothing need follow", arguments: cases)
    func judges(utterance: String, isWhole: Bool) {
        #expect(RulesBrain().isWhole(utterance, tools: Self.tools) == isWhole)
    }

    @Test("the answer to an open question counts, and asking changes nothing")
    func openQuestion() {
        var brain = RulesBrain()
        guard case .ask = brain.interpret("set a timer", tools: Self.tools) else {
            Issue.record("no question")
            return
        }
        for _ in 0..<2 { #expect(brain.isWhole("five minutes", tools: Self.tools)) }
        #expect(brain.isWaitingForAnswer)
        #expect(
            brain.interpret("five minutes", tools: Self.tools)
                == .calls([BrainCall(name: "set_timer", arguments: ["minutes": 5])]))
    }
}
