/// The action that a clause's verb and its particle name: "turn … off" is `turn_off`, "jot down" is `jot_down`.
struct HeadVerb {
    /// Stems and phrase verbs, the most telling first.
    var actions: [String]
    /// The tokens that it is made of.
    var tokens: [Int]

    private static let particles: Set<String> = [
        "on", "off", "up", "down", "out", "away", "back", "in", "for", "rid", "to",
    ]
    private static let carriers: Set<String> = ["turn", "switch", "flip", "shut", "power"]

    init(in tokens: [Token], head: Int, end: Int, phraseVerbs: Set<String> = []) {
        let stem = tokens[head].stem
        let words = tokens[head..<end].prefix(5).map(\.lower)
        if let forget = Self.notForgetting(words) {
            let isFact = head + forget < end && tokens[head + forget].lower == "that"
            self.init(actions: isFact ? ["remember"] : ["remind", "remember"], tokens: Array(head..<head + forget))
        } else if words.starts(with: ["keep", "in", "mind"]) || words.starts(with: ["make", "a", "mental", "note"]) {
            self.init(actions: ["remember", "note"], tokens: Array(head..<head + (words[0] == "keep" ? 3 : 4)))
        } else if Self.isJourney(words) {
            self.init(actions: ["navigate", words[0]], tokens: [head])
        } else if words.starts(with: ["take", "me"]) || words.starts(with: ["get", "me", "to"])
            || words.starts(with: ["bring", "me", "to"])
        {
            self.init(actions: ["navigate", "go"], tokens: Array(head..<head + 2))
        } else if words.starts(with: ["let"]), words.count > 2, let know = words.dropFirst(2).firstIndex(of: "know"),
            words[1] != "me"
        {
            self.init(actions: ["send_word"], tokens: [head, head + know])
        } else if ["tell", "ask"].contains(words[0]), Self.addressesSomeone(words, tokens[head..<end]) {
            self.init(actions: ["send_word", words[0]], tokens: [head])
        } else if let (noun, index) = Self.actionNoun(tokens, head, end) {
            self.init(stems: [noun, stem], tokens: [head, index])
        } else if let (action, particle) = Self.phraseVerb(stem, tokens, head, end, phraseVerbs) {
            let bare = Self.carriers.contains(tokens[head].lower) ? [] : [stem]
            let it = Self.unnamedLoudness(action, tokens[head..<end])
            self.init(stems: [action] + bare + it, tokens: [head, particle])
        } else if let change = Self.comparative(tokens, head, end) {
            self.init(stems: [tokens[change].stem, stem], tokens: [head, change])
        } else {
            self.init(stems: [stem], tokens: [head])
        }
    }

    private init(actions: [String], tokens: [Int]) { self.init(stems: actions.map(Thesaurus.key), tokens: tokens) }

    private init(stems: [String], tokens: [Int]) {
        self.actions = stems
        self.tokens = tokens
    }

    /// How many words "don't forget", "never forget" or "don't let me forget" takes.
    private static func notForgetting(_ words: [String]) -> Int? {
        let forms = [["do", "not", "let", "me", "forget"], ["do", "not", "forget"], ["never", "forget"]]
        return forms.first { words.starts(with: $0) }?.count
    }

    /// "go to the opera", "drive home"
    private static func isJourney(_ words: [String]) -> Bool {
        guard ["go", "drive", "walk", "bike", "cycle", "head"].contains(words[0]), words.count > 1 else { return false }
        return words[1] == "home" || (words[1] == "to" && words.count > 2)
            || (words[1] == "me" && words.count > 2 && words[2] == "to")
    }

    /// "tell Anna …" sends, "tell me …" and "tell a joke" do not.
    private static func addressesSomeone(_ words: [String], _ clause: ArraySlice<Token>) -> Bool {
        guard words.count > 2, !["me", "us", "what", "how", "when", "where"].contains(words[1]) else { return false }
        guard ["a", "an", "the", "some", "another"].contains(words[1]) else { return true }
        return words[1] == "the" && clause.contains { ["that", "to"].contains($0.lower) }
    }

    /// "turn it up" without anything that is turned means the sound.
    private static func unnamedLoudness(_ action: String, _ clause: ArraySlice<Token>) -> [String] {
        guard clause.dropFirst().allSatisfy({ FunctionWords.contains($0) }) else { return [] }
        return ["turn_up": [Thesaurus.key("louder")], "turn_down": [Thesaurus.key("quieter")]][action] ?? []
    }

    /// "make it louder", "make the screen a bit brighter": the adjective says what is done.
    private static func comparative(_ tokens: [Token], _ head: Int, _ end: Int) -> Int? {
        let adjectives: Set<String> = [
            "louder", "quieter", "softer", "warmer", "cooler", "brighter", "dimmer", "darker", "higher", "lower",
            "hotter", "colder",
        ]
        guard ["make", "get", "turn", "set"].contains(tokens[head].lower) else { return nil }
        return (head + 1..<end).first { adjectives.contains(tokens[$0].lower) }
    }

    /// "give dad a call", "make a note", "do a search": the noun says what is done.
    private static func actionNoun(_ tokens: [Token], _ head: Int, _ end: Int) -> (String, Int)? {
        let light: Set<String> = ["give", "make", "do", "take", "have", "place", "drop", "leave", "run"]
        guard light.contains(tokens[head].lower) else { return nil }
        for index in (head + 1)..<max(head + 1, min(end - 1, head + 5))
        where ["a", "an", "another"].contains(tokens[index].lower) {
            let noun = tokens[index + 1]
            return Thesaurus.actions.contains(noun.stem) ? (noun.stem, index + 1) : nil
        }
        return nil
    }

    /// The particle stands right after the verb, or closes the object: "turn the volume up by ten".
    private static func phraseVerb(_ stem: String, _ tokens: [Token], _ head: Int, _ end: Int, _ known: Set<String>)
        -> (String, Int)?
    {
        for index in (head + 1)..<min(end, head + 8) where index < end && particles.contains(tokens[index].lower) {
            let action = "\(tokens[head].lower)_\(tokens[index].lower)"
            let byStem = "\(stem)_\(tokens[index].lower)"
            guard let known = [action, byStem].first(where: { known.contains($0) || Thesaurus.actions.contains($0) })
            else { continue }
            if index == head + 1 { return (known, index) }
            let next = index + 1 < end ? tokens[index + 1].lower : ""
            let closes =
                next.isEmpty || FunctionWords.prepositions.contains(next) || FunctionWords.fillers.contains(next)
                || FunctionWords.conjunctions.contains(next) || next == "a"
                || CalendarGrammar.date(in: tokens, at: index + 1) != nil
            if closes, ["on", "off", "up", "down", "out", "back", "in"].contains(tokens[index].lower) {
                return (known, index)
            }
        }
        return nil
    }
}
