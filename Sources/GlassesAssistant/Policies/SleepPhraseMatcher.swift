import Foundation

/// Finds phrases in what the user said, as sequences of whole words.
///
/// Case, punctuation, accents (composed or not), kinds of apostrophe and runs of spaces make no difference. A phrase is
/// found only where whole words match: "stop" is in "Stop." and in "please stop now", but not in "nonstop" or "stopping",
/// because a command hidden in a longer word is more often an accident than a wish. An apostrophe belongs to its word and
/// is left out, so that "that's all" and "thats all" are the same; a hyphen separates words.
public struct SleepPhraseMatcher: Sendable, Hashable {
    private let phrases: [[String]]

    /// A matcher; phrases without a letter or digit never match.
    public init(phrases: [String]) {
        self.phrases = phrases.map(Self.words).filter { !$0.isEmpty }
    }

    /// Whether one of the phrases is in the text.
    public func matches(_ text: String) -> Bool {
        let words = Self.words(of: text)
        return phrases.contains { phrase in
            guard phrase.count <= words.count else { return false }
            return (0...(words.count - phrase.count)).contains { Array(words[$0..<($0 + phrase.count)]) == phrase }
        }
    }

    /// Whether the text is one of the phrases and nothing else.
    public func isWhole(_ text: String) -> Bool { phrases.contains(Self.words(of: text)) }

    /// The words of a text in lower case without accents and punctuation.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars {
            if isInsideWord(scalar) { continue }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Accents that stand alone after decomposition, and apostrophes, vanish without ending a word.
    private static func isInsideWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.generalCategory == .nonspacingMark { return true }
        return ["'", "\u{2019}", "\u{2018}", "\u{02BC}", "\u{FF07}", "`", "\u{00B4}"].contains(scalar)
    }
}
