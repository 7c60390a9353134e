/// What a question asks to be done, where its form says so: "how do you say …" asks for a translation.
struct QuestionIntent {
    /// Stems of actions.
    var actions: [String] = []
    /// The tokens that make the form, which are no argument.
    var tokens: [Int] = []
    /// Whether tools that do something else are out of the question.
    var isExclusive = false
    /// Whether the form alone is too common to mean a tool whose thing was not named.
    var needsThing = false

    init(in tokens: [Token], range: Range<Int>) {
        let words = tokens[range].map(\.lower)
        let start = range.lowerBound
        func has(_ phrase: String) -> Bool { words.starts(with: phrase.split(separator: " ").map(String.init)) }
        func set(_ actions: [String], _ count: Int, isExclusive: Bool = false) {
            self.actions = actions.map(Thesaurus.key)
            self.tokens = Array(start..<min(start + count, range.upperBound))
            self.isExclusive = isExclusive
        }
        if words.count > 4, words[0] == "how", ["say", "spell", "pronounce"].contains(words[3]) {
            set(words[3] == "say" ? ["translate"] : [words[3]], 4, isExclusive: true)
        } else if words.count > 4, words[0] == "how", words[1] != "much", ["get", "go"].contains(words[3]) {
            set(["navigate"], 4, isExclusive: true)
        } else if has("what is the way to") || has("which way is") || has("where is the nearest") {
            set(
                has("which way is") ? ["navigate"] : has("what") ? ["navigate"] : ["find", "navigate", "search"],
                has("what") ? 4 : has("which") ? 3 : 2)
        } else if has("what am i looking at") || has("what am i seeing") || has("what do you see")
            || has("what is in front of me") || has("what is this") || has("what is that")
        {
            set(["describe", "identify"], words.count > 3 && words[1] != "is" ? 5 : has("what is in") ? 6 : 3)
        } else if let count = Self.recallLength(words) {
            set(["recall", "find"], count)
        } else if words[0] == "what", words.last == "mean" || words.last == "means" {
            set(["define", "translate"], 2)
        } else if words.starts(with: ["what", "is"]), words.count > 4, words[words.count - 2] == "in",
            Languages.contains(words[words.count - 1])
        {
            set(["translate"], 2, isExclusive: true)
        } else if has("what does"), words.last == "say" || words.last == "says" {
            set(["read"], 2, isExclusive: true)
            self.tokens.append(range.upperBound - 1)
        } else if has("what is the definition of") || has("what is the meaning of") {
            set(["define"], 5)
        } else if has("how much is") || has("how many") || has("what is"),
            words.contains(where: { ["in", "is", "are"].contains($0) })
        {
            set(["convert", "calculate"], has("how many") ? 2 : 3)
            needsThing = true
            if has("what is") { self.tokens = Array(start..<start + 2) }
        }
    }

    /// "where are my …", "where did I put …", "what did I tell you about …", "what did I say …", "what do you remember about …".
    private static func recallLength(_ words: [String]) -> Int? {
        guard words.count > 2, ["where", "what", "when", "who", "which"].contains(words[0]) else { return nil }
        if words[0] == "where" {
            if ["is", "are"].contains(words[1]), ["my", "our"].contains(words[2]) { return 2 }
            if words.count > 4, words[1] == "did", words[2] == "i" { return 4 }
            if words[1] == "my" || words[1] == "our" { return 1 }
            if words[1] == "i", words.count > 3 { return 3 }
        }
        if words.count > 3, words[0] == "what", words[2] == "you" {
            if words[1] == "do", ["remember", "recall"].contains(words[3]) { return 4 }
            if words[1] == "have", ["remembered", "saved", "noted", "stored"].contains(words[3]) { return 4 }
        }
        guard words.count > 3, words[1] == "did" || words[1] == "have", words[2] == "i" else {
            return words[1] == "i" && words.count > 2 && ["told", "said", "asked"].contains(words[2]) ? 4 : nil
        }
        var count = 4
        for next in ["you", "to", "remember", "save", "note", "down"] where count < words.count && words[count] == next
        { count += 1 }
        return count
    }
}
