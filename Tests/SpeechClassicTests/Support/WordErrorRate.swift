/// How many words of a reference a recogniser got wrong: substituted, left out and put in.
struct WordErrorRate: Equatable, CustomStringConvertible {
    var errors = 0
    var words = 0

    init() {}

    init(reference: String, heard: String) {
        let reference = Self.normalized(reference)
        let heard = Self.normalized(heard)
        words = reference.count
        errors = Self.distance(reference, heard)
    }

    static func += (sum: inout WordErrorRate, part: WordErrorRate) {
        sum.errors += part.errors
        sum.words += part.words
    }

    var description: String { "\(errors) of \(words)" }

    /// Words in lower case without signs, apostrophes inside a word kept.
    static func normalized(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'") }.map(String.init)
    }

    private static func distance(_ reference: [String], _ heard: [String]) -> Int {
        var row = Array(0...heard.count)
        for (i, word) in reference.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in heard.enumerated() {
                let substituted = diagonal + (word == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[heard.count]
    }
}
