import GlassesDomain

/// Finds what a user said of themselves, by the forms in which people say such things in English.
public enum UserFacts {
    /// One thing that the user said, in their own words.
    public struct Fact: Sendable, Hashable {
        /// What it is about; a newer fact of the same subject takes the place of the older one.
        public var subject: String
        /// The sentence.
        public var text: String
    }

    /// The longest fact, in characters; a longer sentence is a story, not a fact.
    static let longest = 200

    /// Words that begin a fact, and what it is about; `nil` makes each such fact a subject of its own.
    private static let forms: [(words: String, subject: String?)] = [
        ("my name is", "name"), ("call me", "name"), ("i live in", "home"), ("i moved to", "home"),
        ("i work as", "work"), ("i work at", "work"), ("i work for", "work"), ("my job is", "work"),
        ("my birthday is", "birthday"), ("i was born", "birthday"), ("i am allergic to", nil), ("im allergic to", nil),
        ("i am a vegetarian", "diet"), ("im a vegetarian", "diet"), ("i am vegetarian", "diet"),
        ("im vegetarian", "diet"), ("i am vegan", "diet"), ("im vegan", "diet"), ("i dont eat", nil),
        ("i dont like", nil), ("i do not like", nil), ("i like", nil), ("i love", nil), ("i hate", nil),
        ("i prefer", nil), ("i always", nil), ("i never", nil), ("i speak", nil), ("remember that", nil),
        ("remember my", nil), ("dont forget that", nil), ("my wife", nil), ("my husband", nil), ("my partner", nil),
        ("my daughter", nil), ("my son", nil), ("my mother", nil), ("my father", nil), ("my sister", nil),
        ("my brother", nil), ("my dog", nil), ("my cat", nil), ("my address is", "address"),
        ("my phone number is", "phone"),
    ]

    /// The facts of a text, in their order; a question is none.
    public static func found(in text: String) -> [Fact] { sentences(of: text).compactMap(fact) }

    private static func fact(_ sentence: String) -> Fact? {
        let line = sentence.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard line.last != "?", line.count <= longest else { return nil }
        let words = SleepPhraseMatcher.words(of: line)
        if let favourite = favourite(words) { return Fact(subject: favourite, text: line) }
        for form in forms {
            let wanted = form.words.split(separator: " ").map(String.init)
            guard words.count > wanted.count || form.subject == "diet" else { continue }
            // "So my name is Ann": what comes before is at most a word or two.
            for start in 0...2 where words.dropFirst(start).starts(with: wanted) {
                return Fact(subject: form.subject ?? words.dropFirst(start).joined(separator: " "), text: line)
            }
        }
        return nil
    }

    /// "My favourite colour is green" is about the favourite colour.
    private static func favourite(_ words: [String]) -> String? {
        guard let start = words.firstIndex(where: { $0 == "favourite" || $0 == "favorite" }), start <= 3,
            start > 0, words[start - 1] == "my", let end = words[start...].firstIndex(of: "is"), end > start + 1,
            end < words.count - 1
        else { return nil }
        return "favourite " + words[(start + 1)..<end].joined(separator: " ")
    }

    private static func sentences(of text: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        for character in text {
            sentence.append(character)
            if [".", "!", "?", "\n"].contains(character) {
                sentences.append(sentence)
                sentence = ""
            }
        }
        return (sentences + [sentence]).filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
