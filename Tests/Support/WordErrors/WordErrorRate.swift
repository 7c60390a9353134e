/// How many words of a reference a recogniser got wrong: substituted, left out and put in.
///
/// What is spelled in another way counts as the same: capitals, signs, hyphens, digits for number words, "Mr." and "to-morrow".
public struct WordErrorRate: Sendable, Hashable, CustomStringConvertible {
    /// How many words are wrong; may exceed ``words``.
    public var errors: Int
    /// How many words the reference has.
    public var words: Int

    /// A sum; empty by default.
    public init(errors: Int = 0, words: Int = 0) {
        self.errors = errors
        self.words = words
    }

    /// The errors in one utterance. Digits that were heard are read in the way that comes nearest to the reference.
    public init(reference: String, heard: String) {
        let reference = SpokenWords.words(in: reference, digits: .number)
        words = reference.count
        errors =
            SpokenWords.DigitReading.allCases
            .map { Self.distance(reference, SpokenWords.words(in: heard, digits: $0)) }.min() ?? 0
    }

    /// Adds the errors of another utterance.
    public static func += (sum: inout WordErrorRate, part: WordErrorRate) {
        sum.errors += part.errors
        sum.words += part.words
    }

    /// The wrong words as a fraction of the reference's; 0 without words.
    public var fraction: Double { words == 0 ? 0 : Double(errors) / Double(words) }

    /// As in "2 of 23".
    public var description: String { "\(errors) of \(words)" }

    /// The words of a text in the spelling that is compared.
    public static func normalized(_ text: String) -> [String] { SpokenWords.words(in: text, digits: .number) }

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
