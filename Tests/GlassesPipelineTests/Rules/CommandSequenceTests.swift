import GlassesDomain
import GlassesPipeline
import Testing

@Suite struct CommandSequenceTests {
    private static func tool(_ name: String, _ description: String, _ properties: String, required: String) throws
        -> BrainTool
    {
        let schema = "{\"type\":\"object\",\"properties\":{\(properties)},\"required\":[\(required)]}"
        return BrainTool(
            name: name, description: description, parameters: try JSONValue(jsonText: .init(schema.utf8)))
    }

    private static func tools() throws -> [BrainTool] {
        [
            BrainTool(name: "take_picture", description: "Takes a picture."),
            try tool(
                "start_timer", "Starts a timer.",
                "\"minutes\":{\"type\":\"number\",\"description\":\"Length in minutes\"}", required: "\"minutes\""),
            try tool(
                "open_blinds", "Opens the blinds of a room.",
                "\"room\":{\"type\":\"string\",\"enum\":[\"kitchen\",\"bedroom\",\"office\"]}", required: "\"room\""),
            try tool(
                "add_to_shopping_list", "Adds something to the shopping list.",
                "\"item\":{\"type\":\"string\",\"description\":\"What to buy\"}", required: "\"item\""),
            try tool(
                "get_directions", "Gives directions to a place.",
                "\"destination\":{\"type\":\"string\",\"description\":\"Where to\"}", required: "\"destination\""),
        ]
    }

    @Test(
        "each command of a sentence without punctuation is called, and one command is not cut",
        arguments: [
            ("take a picture start a timer for five minutes", ["take_picture{}", "start_timer{\"minutes\":5}"]),
            (
                "start a timer for two minutes after that take a picture",
                ["start_timer{\"minutes\":2}", "take_picture{}"]
            ),
            ("add cook book to the shopping list", ["add_to_shopping_list{\"item\":\"cook book\"}"]),
            (
                "open the kitchen and the bedroom blinds",
                ["open_blinds{\"room\":\"kitchen\"}", "open_blinds{\"room\":\"bedroom\"}"]
            ),
            (
                "open the blinds in the kitchen, the office and the bedroom",
                [
                    "open_blinds{\"room\":\"kitchen\"}", "open_blinds{\"room\":\"office\"}",
                    "open_blinds{\"room\":\"bedroom\"}",
                ]
            ),
            (
                "add eggs, butter and flour to my shopping list",
                ["add_to_shopping_list{\"item\":\"eggs, butter and flour\"}"]
            ),
            ("add a bit of parsley to the shopping list", ["add_to_shopping_list{\"item\":\"parsley\"}"]),
            ("i need a five minute timer for the eggs", ["start_timer{\"minutes\":5}"]),
        ])
    func calls(said: String, expected: [String]) throws {
        var brain = RulesBrain()
        guard case .calls(let calls) = brain.interpret(said, tools: try Self.tools()) else {
            Issue.record("nothing was called")
            return
        }
        #expect(calls.map { "\($0.name)\($0.arguments.jsonText)" } == expected)
    }
}
