/// The words of an utterance that is still spoken, as far as two hypotheses in a row agree on them.
///
/// What was told cannot be taken back, so the last word of a hypothesis, which may be half a word, is never told; once the
/// recogniser changes its mind about words that were told, nothing more is, and the completed transcript sets it right.
struct StableTranscript: Equatable, Sendable {
    private var last: [Substring] = []
    private var toldWords: [String] = []

    /// Takes the next hypothesis for the whole utterance; the text to add to what was told, nil for nothing.
    mutating func update(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let agreed = zip(words, last).prefix { Self.core($0) == Self.core($1) }.count
        last = words
        let stable = min(agreed, words.count - 1)
        guard stable > toldWords.count, zip(words, toldWords).allSatisfy({ Self.core($0) == Self.core($1[...]) })
        else { return nil }
        let added = words[toldWords.count..<stable].joined(separator: " ")
        let isFirst = toldWords.isEmpty
        toldWords += words[toldWords.count..<stable].map(String.init)
        return isFirst ? added : " " + added
    }

    /// A word without what hypotheses keep changing: case and marks around it.
    private static func core(_ word: Substring) -> String {
        word.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "'" }
    }
}
