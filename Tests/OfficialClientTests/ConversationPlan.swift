import Foundation
import GlassesAssistant
import GlassesDomain

/// A conversation that nobody wrote down before: tools, names, numbers and sentences are drawn from a seed.
struct ConversationPlan {
    /// One thing that is said and the calls that it must lead to.
    struct Turn {
        let name: String
        let say: String
        let calls: [Call]
    }

    /// One call of a tool.
    struct Call: Equatable {
        let tool: String
        let arguments: JSONValue
    }

    /// A tool with what somebody says to use it.
    struct Skill {
        let name: String
        let description: String
        let properties: JSONValue
        let say: String
        let arguments: JSONValue

        var call: Call { Call(tool: name, arguments: arguments) }

        /// The tool in the form of the chat API.
        var chatDefinition: JSONValue {
            let tool = definition
            let function = (tool.objectValue ?? [:]).filter { $0.key != "type" }
            return ["type": "function", "function": .object(function)]
        }

        var definition: JSONValue {
            let required = (properties.objectValue ?? [:]).keys.sorted().map(JSONValue.string)
            return [
                "type": "function", "name": .string(name), "description": .string(description),
                "parameters": ["type": "object", "properties": properties, "required": .array(required)],
            ]
        }
    }

    let model: String
    let instructions: String
    let turns: [Turn]
    let voice: Turn
    let story: Skill
    let skills: [Skill]
    /// What each tool answers.
    let results: [String: String]
    let storyResult: String
    /// How long the story plays before somebody speaks into it.
    let speakAfterMs: Int
    let interruption: String

    init(seed: UInt64) {
        var draw = Draw(seed: seed)
        let order = draw.order(), level = draw.level(), colour = draw.colour(), list = draw.list()
        let spoken = draw.spoken(), story = draw.story()
        skills = [order, level, colour, list, spoken, story]
        self.story = story
        turns = [
            Turn(name: "order", say: draw.politely(order.say), calls: [order.call]),
            Turn(name: "list", say: draw.politely(list.say), calls: [list.call]),
            Turn(name: "parallel", say: "\(level.say) and \(colour.say)", calls: [level.call, colour.call]),
        ]
        voice = Turn(name: "voice", say: spoken.say, calls: [spoken.call])
        var results: [String: String] = [:]
        for skill in skills {
            results[skill.name] = "The \(draw.one(of: Words.nouns)) is \(draw.one(of: Words.states))."
        }
        self.results = results
        storyResult = (0..<8).map { _ in draw.sentence() }.joined(separator: " ")
        speakAfterMs = draw.number(in: 400...2_500)
        interruption = draw.one(of: ["hold on a moment", "wait a minute please", "that is enough for now"])
        model = draw.one(of: ["gpt-realtime", "gpt-realtime-mini", "house-\(draw.number(in: 1...99))"])
        instructions = "Be brief. Number \(draw.number(in: 100...999))."
    }

    /// The plan as the Python programs read it.
    func json(base: String, socket: String, key: String, voiceFile: String, interruptionFile: String) -> JSONValue {
        [
            "base": .string(base), "socket": .string(socket), "key": .string(key), "model": .string(model),
            "instructions": .string(instructions), "tools": .array(skills.map(\.definition)),
            "turns": .array(turns.map { ["name": .string($0.name), "say": .string($0.say)] }),
            "results": .object(results.mapValues(JSONValue.string)),
            "voice": ["wav": .string(voiceFile)], "interruption": .string(interruptionFile),
            "story": [
                "say": .string(story.say), "tool": .string(story.name), "result": .string(storyResult),
                "speakAfterMs": .int(Int64(speakAfterMs)),
            ],
        ]
    }
}

extension ConversationPlan {
    private enum Words {
        static let doors = ["garage", "greenhouse", "garden gate", "cellar window", "curtain", "front door"]
        static let devices = ["oven", "heater", "boiler", "aquarium", "fan", "radiator"]
        static let things = ["fence", "lamp", "banner", "ceiling", "wall"]
        static let colours = ["red", "green", "blue", "yellow", "purple", "white"]
        static let goods = ["milk", "apples", "candles", "batteries", "bread", "tomatoes"]
        static let lists = ["shopping", "packing", "garden", "birthday"]
        static let nouns = ["river", "mountain", "kitchen", "engine", "forest", "village", "harbour", "station"]
        static let states = ["quiet", "ready", "open", "golden", "empty", "warm", "ancient", "bright"]
        static let reports = ["weather", "traffic", "harbour", "market", "garden"]
        static let verbs = ["sleeps", "waits", "sings", "grows", "shines", "listens"]
    }

    private struct Draw {
        private var generator: SplitMix64

        init(seed: UInt64) { generator = SplitMix64(seed: seed) }

        mutating func one<Element>(of list: [Element]) -> Element { list[number(in: 0...list.count - 1)] }

        mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

        mutating func politely(_ sentence: String) -> String {
            one(of: [sentence, "please \(sentence)", "could you \(sentence)", "\(sentence), please"])
        }

        mutating func sentence() -> String {
            let (state, noun, verb) = (one(of: Words.states), one(of: Words.nouns), one(of: Words.verbs))
            return "The \(state) \(noun) \(verb) beside the \(one(of: Words.nouns))."
        }

        mutating func order() -> Skill {
            let (verb, place) = (one(of: ["open", "close", "lock"]), one(of: Words.doors))
            let name = "\(verb)_\(place.split(separator: " ").joined(separator: "_"))"
            return Skill(
                name: name, description: "\(verb.capitalized) the \(place).", properties: [:],
                say: "\(verb) the \(place)", arguments: [:])
        }

        mutating func level() -> Skill {
            let (device, amount) = (one(of: Words.devices), number(in: 11...99))
            let (quantity, unit) = one(of: [("temperature", "degrees"), ("power", "percent"), ("level", "percent")])
            return Skill(
                name: "set_\(device)_\(quantity)", description: "Set the \(quantity) of the \(device).",
                properties: [unit: ["type": "integer", "description": .string("The \(quantity) in \(unit).")]],
                say: "set the \(device) \(quantity) to \(amount) \(unit)", arguments: [unit: .int(Int64(amount))])
        }

        mutating func colour() -> Skill {
            let (thing, colour) = (one(of: Words.things), one(of: Words.colours))
            return Skill(
                name: "paint_\(thing)", description: "Paint the \(thing) in a colour.",
                properties: ["colour": ["type": "string", "enum": .array(Words.colours.map(JSONValue.string))]],
                say: "paint the \(thing) \(colour)", arguments: ["colour": .string(colour)])
        }

        mutating func list() -> Skill {
            let (list, item) = (one(of: Words.lists), one(of: Words.goods))
            return Skill(
                name: "add_to_\(list)_list", description: "Add an item to the \(list) list.",
                properties: ["item": ["type": "string", "description": "What to add."]],
                say: "add \(item) to the \(list) list", arguments: ["item": .string(item)])
        }

        /// Sentences of everyday words: the recogniser is a dictation engine, not a reader of made-up names.
        mutating func spoken() -> Skill {
            let minutes = one(of: [("two", 2), ("five", 5), ("ten", 10), ("fifteen", 15), ("twenty", 20)])
            let name = one(of: ["set_timer", "start_timer", "timer_start"])
            return Skill(
                name: name, description: "Set a timer that rings when its time is over.",
                properties: ["minutes": ["type": "integer", "description": "How many minutes."]],
                say: "set a timer for \(minutes.0) minutes", arguments: ["minutes": .int(Int64(minutes.1))])
        }

        mutating func story() -> Skill {
            let report = one(of: Words.reports)
            return Skill(
                name: "read_\(report)_report", description: "Read the \(report) report aloud.", properties: [:],
                say: "read the \(report) report", arguments: [:])
        }
    }
}
