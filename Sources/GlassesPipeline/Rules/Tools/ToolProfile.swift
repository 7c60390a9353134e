import GlassesDomain

/// A registered tool, read once for its actions, things and parameters.
struct ToolProfile: Sendable {
    /// A word of the tool's name, and how much it says.
    struct Thing: Equatable, Sendable {
        var stem: String
        var weight: Double
    }

    var tool: BrainTool
    /// Stems of what the tool does: the name's verb, and the verbs that lead its description.
    var actions: [String]
    /// The action in its name, if any; its words count most.
    var mainAction: String?
    /// The actions that no more than the description names.
    var describedActions: Set<String>
    /// Stems of what it does it to.
    var things: [Thing]
    /// Stems of the description's other content words.
    var context: Set<String>
    /// Stems of the things in the description's first clause; their synonyms count too.
    private var leadThings: Set<String>
    var parameters: [ParameterSpec]

    init(_ tool: BrainTool) {
        self.tool = tool
        parameters = Self.readParameters(tool.parameters)
        let nameWords = Words.split(identifier: tool.name).filter {
            !FunctionWords.determiners.contains($0) && $0 != "user" && $0 != "current"
        }
        let lead = Self.leadingSentence(tool.description)
        let split = Self.splitName(nameWords, lead: lead)
        let described = Self.describedActions(lead)
        mainAction = split.action
        actions = ([split.action].compactMap { $0 } + described).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
        describedActions = Set(described).subtracting([split.action].compactMap { $0 })
        things = split.things
        let words = Words.split(prose: tool.description).filter { !FunctionWords.all.contains($0) }
        context = Set(words.map(Lemma.stem))
        leadThings = Set(lead.map(Lemma.stem)).intersection(context)
        for parameter in parameters { actions += Self.choiceActions(parameter) }
        addToggleActions()
        let decisive = parameters.flatMap { Self.choiceActions($0) + Polarity.actions(of: $0) }
        describedActions.subtract(decisive)
    }

    private static func readParameters(_ schema: JSONValue?) -> [ParameterSpec] {
        guard let properties = schema?["properties"]?.objectValue else { return [] }
        let required = schema?["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let ordered =
            required.filter { properties[$0] != nil } + properties.keys.sorted().filter { !required.contains($0) }
        return ordered.map {
            ParameterSpec(name: $0, schema: properties[$0] ?? .null, isRequired: required.contains($0))
        }
    }

    private static let particles: Set<String> = [
        "to", "for", "of", "the", "from", "with", "in", "on", "off", "up", "down", "by", "at", "my", "and", "or", "a",
        "as", "aloud", "out",
    ]
    private static let genericThings: Set<String> = Set(
        [
            "item", "info", "status", "data", "value", "level", "device", "system", "tool", "detail", "setting",
            "state", "entry", "list", "mode", "number",
            "new", "text", "thing", "content", "user", "control", "unit", "name", "last", "next", "event", "session",
            "amount", "result", "day",
        ].map(Lemma.stem))

    private static func splitName(_ words: [String], lead: [String]) -> (action: String?, things: [Thing]) {
        var rest = words
        var action: String?
        if let first = words.first, let second = words.dropFirst().first,
            Thesaurus.actions.contains("\(first)_\(second)") || isPhraseVerb(first, second)
        {
            action = "\(first)_\(second)"
            rest = Array(words.dropFirst(2))
        } else if let first = words.first, Thesaurus.actions.contains(Lemma.stem(first)),
            words.count == 1 || !isThing(first, before: words[1])
        {
            action = Lemma.stem(first)
            rest = Array(words.dropFirst())
        } else if let first = words.first, let described = lead.first, Lemma.stem(first) == Lemma.stem(described) {
            // The description begins with the same word, so it is a verb that no table knows.
            action = Lemma.stem(first)
            rest = Array(words.dropFirst())
        } else if let last = words.last, words.count > 1, Thesaurus.actions.contains(Lemma.stem(last)) {
            action = Lemma.stem(last)
            rest = words.dropLast()
        }
        let things = rest.filter { !particles.contains($0) }.map(Lemma.stem)
        return (action, things.map { Thing(stem: $0, weight: genericThings.contains($0) ? 0.35 : 1) })
    }

    /// `check_in` is one verb.
    private static func isPhraseVerb(_ first: String, _ second: String) -> Bool {
        ["in", "out", "up", "down", "off", "on", "back", "over"].contains(second)
            && Thesaurus.actions.contains(Lemma.stem(first))
    }

    /// In `light_control` and `timer_start` the first word is the thing.
    private static func isThing(_ word: String, before next: String) -> Bool {
        let last = Lemma.stem(next)
        guard Thesaurus.things.contains(Lemma.stem(word)) else { return false }
        return [
            "start", "stop", "set", "get", "control", "creat", "add", "cancel", "paus", "delet", "toggl", "list",
            "search", "send", "adjust",
        ].contains(last)
            && !["send", "set", "get", "start", "stop", "add", "take", "make"].contains(word)
    }

    /// The part of the description that says what the tool does, before any circumstance.
    private static func leadingSentence(_ description: String) -> [String] {
        let sentence = description.split(whereSeparator: { ".;(:—".contains($0) }).first.map(String.init) ?? ""
        let limits: Set<String> = [
            "when", "that", "which", "if", "so", "after", "until", "because", "using", "where", "by", "before", "while",
            "whose",
        ]
        return Array(Words.split(prose: sentence).prefix { !limits.contains($0) })
    }

    private static func describedActions(_ words: [String]) -> [String] {
        var found: [String] = []
        for (index, word) in words.enumerated() {
            let before = index > 0 ? words[index - 1] : "and"
            let starts = index == 0 || before == "or" || before == "and" || (index < 4 && found.count == index)
            guard starts else { continue }
            if index + 1 < words.count, Thesaurus.actions.contains("\(Lemma.stem(word))_\(words[index + 1])") {
                found.append("\(Lemma.stem(word))_\(words[index + 1])")
            } else if Thesaurus.actions.contains(Lemma.stem(word)) {
                found.append(Lemma.stem(word))
            }
        }
        return found
    }

    /// "start", "pause", "next" among the choices of a parameter are things the tool does.
    private static func choiceActions(_ parameter: ParameterSpec) -> [String] {
        guard case .choice(let values) = parameter.kind else { return [] }
        return values.compactMap(\.stringValue).compactMap { value in
            let words = Words.split(identifier: value)
            if ["on", "off"].contains(value) { return "turn_\(value)" }
            if words.count == 2, Thesaurus.actions.contains(words.joined(separator: "_")) {
                return words.joined(separator: "_")
            }
            let isVerb = !Set(parameter.nameWords).isDisjoint(with: ["action", "command", "operation", "verb"])
            guard words.count == 1, let word = words.first, isVerb || Thesaurus.actions.contains(Lemma.stem(word))
            else {
                return nil
            }
            return Lemma.stem(word)
        }
    }

    private mutating func addToggleActions() {
        for parameter in parameters where parameter.kind == .boolean {
            actions += Polarity.actions(of: parameter)
            // "shuffle the playlist" sets `shuffle` and says what to do.
            if let name = parameter.nameWords.first, parameter.nameWords.count == 1,
                Thesaurus.actions.contains(Lemma.stem(name))
            {
                actions.append(Lemma.stem(name))
            }
        }
    }

    /// Whether the description speaks of what `stem` names.
    func describes(_ stem: String) -> Bool {
        context.contains(stem) || leadThings.contains { Thesaurus.things.areRelated($0, stem) }
    }

    /// Whether a word of the description is too common to tell the tool from others.
    static func isGeneric(_ stem: String) -> Bool {
        genericThings.contains(stem) || Thesaurus.lightActions.contains(stem)
    }

    /// Whether the tool answers something, so that a question can ask for it.
    var answersQuestions: Bool {
        let reading: Set<String> = Set(
            [
                "get", "check", "show", "read", "list", "find", "search", "lookup", "look_up", "recall", "query",
                "translate", "convert", "calculate", "compute",
                "define", "describe", "identify", "fetch", "tell", "retrieve", "report", "give", "count", "estimate",
                "explain", "measure", "what", "locate",
                "recognize", "summarize", "evaluate", "compare", "view", "return", "solve", "spell", "look", "display",
                "scan", "say", "name", "answer",
            ].map(Thesaurus.key))
        if let mainAction {
            return reading.contains(mainAction)
                || (actions.first(where: { $0 != mainAction }).map(reading.contains) ?? false)
        }
        return actions.isEmpty || actions.contains(where: reading.contains)
    }
}
