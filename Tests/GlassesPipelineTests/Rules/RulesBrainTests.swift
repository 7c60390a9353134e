import GlassesDomain
import Testing

@testable import GlassesPipeline

/// A tool whose parameters are given as JSON schemas, all of them required but those named in `optional`.
private func tool(
    _ name: String, _ description: String, _ properties: [String: JSONValue] = [:], optional: Set<String> = []
) -> BrainTool {
    let required = properties.keys.filter { !optional.contains($0) }.sorted().map(JSONValue.string)
    return BrainTool(
        name: name, description: description,
        parameters: ["type": "object", "properties": .object(properties), "required": .array(required)])
}

private let takePicture = tool("take_picture", "Take a photo.")
private let setTimer = tool(
    "set_timer", "Start a countdown timer.", ["minutes": ["type": "number", "minimum": 0.1, "maximum": 1440]])
private let remember = tool("remember", "Remember something.", ["text": ["type": "string"]])
private let callContact = tool("call_contact", "Call a contact.", ["contact": ["type": "string"]])
private let light = tool("set_light", "Turn the light on or off.", ["on": ["type": "boolean"]])
private let tools = [takePicture, setTimer, remember, callContact, light]

private func decide(_ text: String, _ tools: [BrainTool] = tools, _ choice: BrainToolChoice = .auto) -> BrainDecision {
    var brain = RulesBrain()
    return brain.interpret(text, tools: tools, toolChoice: choice)
}

private func call(_ name: String, _ arguments: JSONValue = [:]) -> BrainCall {
    BrainCall(name: name, arguments: arguments)
}

@Suite struct RulesBrainTests {
    @Test(
        "a duration is given in the unit that the parameter names",
        arguments: [
            ("minutes", "integer", JSONValue.int(30)), ("seconds", "integer", .int(1800)),
            ("hours", "number", .double(0.5)),
            ("durationMs", "integer", .int(1_800_000)), ("duration_seconds", "number", .int(1800)),
        ])
    func durationUnit(name: String, type: String, value: JSONValue) {
        let sleep = tool("start_nap", "Start a nap.", [name: ["type": .string(type)]])
        #expect(decide("start a nap for half an hour", [sleep]) == .calls([call("start_nap", .object([name: value]))]))
    }

    @Test("half a minute is not rounded for a parameter of whole minutes")
    func noRounding() {
        let nap = tool("start_nap", "Start a nap.", ["minutes": ["type": "integer"]])
        guard case .ask(_, "start_nap", "minutes") = decide("start a nap for half a minute", [nap]) else {
            Issue.record("not asked")
            return
        }
    }

    @Test("hours and minutes go to their own parameters")
    func splitDuration() {
        let nap = tool("start_nap", "Start a nap.", ["hours": ["type": "integer"], "minutes": ["type": "integer"]])
        #expect(
            decide("start a nap for one hour and ten minutes", [nap])
                == .calls([call("start_nap", ["hours": 1, "minutes": 10])]))
    }

    @Test(
        "a Boolean follows the verb or the particle",
        arguments: [
            ("turn on the light", true), ("turn the light off", false), ("light off", false),
            ("switch the light on", true),
        ])
    func booleans(text: String, value: Bool) {
        #expect(decide(text) == .calls([call("set_light", ["on": .bool(value)])]))
    }

    @Test(
        "an optional Boolean is set by being mentioned and left out otherwise",
        arguments: [
            ("record a video with sound", JSONValue.object(["sound": true])),
            ("record a video without sound", .object(["sound": false])), ("record a video", .object([:])),
        ])
    func mentionedBooleans(text: String, arguments: JSONValue) {
        let record = tool("record_video", "Record a video.", ["sound": ["type": "boolean"]], optional: ["sound"])
        #expect(decide(text, [record]) == .calls([call("record_video", arguments)]))
    }

    @Test(
        "an enum value is found by its word, an inflection or a synonym",
        arguments: [
            ("start a running workout", "running"), ("start a run workout", "running"),
            ("start a bike workout", "cycling"),
            ("start a power yoga workout", "power_yoga"),
        ])
    func enums(text: String, value: String) {
        let workout = tool(
            "start_workout", "Start a workout.",
            ["kind": ["type": "string", "enum": ["running", "cycling", "power_yoga"]]])
        #expect(decide(text, [workout]) == .calls([call("start_workout", ["kind": .string(value)])]))
    }

    @Test(
        "free text is what follows the trigger words, as it was said",
        arguments: [
            ("remember that my keys are in the kitchen", "my keys are in the kitchen"),
            ("Remember that Anna's flight is at 7.", "Anna's flight is at 7"),
            ("remember that i have to call mom and buy milk", "i have to call mom and buy milk"),
            ("please remember the code is 4711", "the code is 4711"),
        ])
    func freeText(text: String, value: String) {
        #expect(decide(text) == .calls([call("remember", ["text": .string(value)])]))
    }

    @Test("several commands in one sentence are called in its order")
    func severalCommands() {
        #expect(
            decide("set a timer for five minutes and take a picture")
                == .calls([call("set_timer", ["minutes": 5]), call("take_picture")]))
        #expect(
            decide("take a picture, turn off the light and then call mom")
                == .calls([
                    call("take_picture"), call("set_light", ["on": false]), call("call_contact", ["contact": "mom"]),
                ]))
    }

    @Test(
        "what is refused is confirmed and not done",
        arguments: ["don't take a picture", "please do not set a timer", "no pictures please"])
    func refusals(text: String) { #expect(decide(text) == .acknowledge("Okay, I won't.")) }

    @Test("what follows a refusal is done")
    func refusalThenCommand() {
        #expect(
            decide("don't take a picture, set a timer for two minutes") == .calls([call("set_timer", ["minutes": 2])]))
    }

    @Test(
        "talk about a tool's thing calls nothing",
        arguments: [
            "how do timers work", "my timer broke", "i took a picture yesterday", "why did you call mom",
            "can phones take pictures",
            "if i take a picture will it flash", "what is a timer", "pictures are worth a thousand words",
            "tom takes a picture",
        ])
    func nearMisses(text: String) { #expect(decide(text) == .cannot("Sorry, I can't do that.")) }

    @Test(
        "garbage of any kind ends in a decision",
        arguments: ["", " ", "?!", "\u{0}\u{7}", "🙂🙂", "-", "a", "and", "don't", "'s", "$ % 5", "1e999 minutes"])
    func garbage(text: String) {
        if case .calls = decide(text) { Issue.record("called a tool") }
        for choice in [BrainToolChoice.none, .required, .named("set_timer")] { _ = decide(text, tools, choice) }
    }

    @Test("a text of ten thousand words is read up to its limit")
    func longText() {
        let text = "set a timer for five minutes " + String(repeating: "and take a picture ", count: 2_500)
        guard case .calls(let calls) = decide(text) else {
            Issue.record("no calls")
            return
        }
        #expect(calls.first == call("set_timer", ["minutes": 5]))
        #expect(calls.count < 60)
    }

    @Test(
        "broken schemas neither trap nor call",
        arguments: [
            JSONValue.null, .string("text"), .object(["properties": []]), .object(["properties": ["x": 5]]),
            .object(["properties": ["x": ["enum": []]], "required": ["x"]]), .object(["required": ["ghost"]]),
        ])
    func brokenSchemas(schema: JSONValue) {
        let broken = BrainTool(name: "", description: "", parameters: schema)
        if case .calls = decide("take a picture", [broken]) { Issue.record("called a tool without a name") }
        #expect(decide("take a picture", [broken, takePicture]) == .calls([call("take_picture")]))
    }

    // MARK: tool_choice

    @Test("with tool_choice none nothing is called")
    func choiceNone() {
        guard case .cannot = decide("take a picture", tools, .none) else {
            Issue.record("not refused")
            return
        }
    }

    @Test("with tool_choice required the best-scoring tool is called below the threshold too")
    func choiceRequired() {
        #expect(decide("a lovely picture of the sea it was", tools, .required) == .calls([call("take_picture")]))
    }

    @Test("a named tool is called whatever was said, and asks for what it must have")
    func choiceNamed() {
        #expect(decide("good evening everyone", tools, .named("take_picture")) == .calls([call("take_picture")]))
        guard case .ask(_, "set_timer", "minutes") = decide("good evening", tools, .named("set_timer")) else {
            Issue.record("not asked")
            return
        }
        #expect(decide("maybe 5 minutes", tools, .named("set_timer")) == .calls([call("set_timer", ["minutes": 5])]))
        #expect(decide("hello there", tools, .named("nothing")) == .cannot("Sorry, I don't have that tool."))
    }

    @Test("without tools a command is declined", arguments: [BrainToolChoice.auto, .none, .required])
    func noTools(choice: BrainToolChoice) {
        guard case .cannot = decide("take a picture", [], choice) else {
            Issue.record("not declined")
            return
        }
    }
}

@Suite struct RulesDialogTests {
    /// Says the sentences one after another to one brain and returns the last decision.
    private func after(_ sentences: String..., tools: [BrainTool] = tools) -> BrainDecision {
        var brain = RulesBrain()
        var decision = BrainDecision.cannot("")
        for sentence in sentences { decision = brain.interpret(sentence, tools: tools) }
        return decision
    }

    @Test("a missing argument is asked for in words")
    func asks() {
        let question = "For how many minutes? It can be from 0.1 to 1440."
        #expect(after("set a timer") == .ask(question: question, tool: "set_timer", parameter: "minutes"))
    }

    @Test(
        "the next utterance fills what was asked for",
        arguments: ["five minutes", "5", "uh five please", "make it five"])
    func answers(text: String) { #expect(after("set a timer", text) == .calls([call("set_timer", ["minutes": 5])])) }

    @Test("free text is answered without its lead-in")
    func textAnswer() {
        #expect(
            after("remember something", "that my bike is blue.")
                == .calls([call("remember", ["text": "my bike is blue"])]))
        #expect(after("call someone", "Anna Smith") == .calls([call("call_contact", ["contact": "Anna Smith"])]))
    }

    @Test("yes and no answer a Boolean", arguments: [("on", true), ("off", false), ("yes", true), ("no", false)])
    func booleanAnswer(text: String, value: Bool) {
        let fan = tool("toggle_fan", "Switch the fan.", ["on": ["type": "boolean"]])
        #expect(after("toggle the fan", text, tools: [fan]) == .calls([call("toggle_fan", ["on": .bool(value)])]))
    }

    @Test("a change of mind drops the command", arguments: ["never mind", "cancel", "no thanks", "forget it", "stop"])
    func withdrawn(text: String) { #expect(after("set a timer", text) == .acknowledge("Okay.")) }

    @Test("a new command instead of an answer is done, and the question is dropped")
    func newCommand() {
        #expect(after("set a timer", "take a picture") == .calls([call("take_picture")]))
        #expect(after("remember something", "turn on the light") == .calls([call("set_light", ["on": true])]))
        #expect(after("set a timer", "take a picture", "five minutes") == .cannot("Sorry, I can't do that."))
    }

    @Test("commands that lack nothing wait for the answer and keep their order")
    func heldCommands() {
        #expect(
            after("set a timer and take a picture", "two minutes")
                == .calls([call("set_timer", ["minutes": 2]), call("take_picture")]))
        #expect(after("set a timer and take a picture", "never mind") == .calls([call("take_picture")]))
    }

    @Test("an unclear answer is asked for once more and then given up")
    func unclear() {
        guard case .ask(_, "set_timer", "minutes") = after("set a timer", "blue bananas") else {
            Issue.record("not asked again")
            return
        }
        guard case .cannot = after("set a timer", "blue bananas", "blue bananas") else {
            Issue.record("not given up")
            return
        }
    }

    @Test("a value outside the schema's range is asked for again")
    func outOfRange() {
        guard case .ask(_, "set_timer", "minutes") = after("set a timer for 9000 minutes") else {
            Issue.record("not asked")
            return
        }
        #expect(after("set a timer for 9000 minutes", "ten") == .calls([call("set_timer", ["minutes": 10])]))
    }

    @Test("an open question about a tool that is gone is dropped")
    func toolGone() {
        var brain = RulesBrain()
        _ = brain.interpret("set a timer", tools: tools)
        #expect(brain.isWaitingForAnswer)
        #expect(brain.interpret("take a picture", tools: [takePicture]) == .calls([call("take_picture")]))
        #expect(!brain.isWaitingForAnswer)
    }

    @Test("two missing arguments are asked for one after the other")
    func twoQuestions() {
        let message = tool(
            "send_message", "Send a message.", ["contact": ["type": "string"], "text": ["type": "string"]])
        guard case .ask(_, "send_message", "text") = after("send a message", "anna", tools: [message]) else {
            Issue.record("not asked for the text")
            return
        }
        #expect(
            after("send a message", "anna", "i am late", tools: [message])
                == .calls([call("send_message", ["contact": "anna", "text": "i am late"])]))
    }
}
