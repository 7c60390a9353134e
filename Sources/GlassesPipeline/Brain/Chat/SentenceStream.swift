/// Collects words until a sentence is whole, so that the voice begins before the answer ends.
struct SentenceStream: Equatable, Sendable {
    private var rest = ""

    /// The sentences that are whole with these words; put together, all of them and the rest are the text.
    mutating func take(_ words: String) -> String? {
        rest += words
        // Whether the last one goes on is not known yet.
        let whole = SentenceSplitter.pieces(of: rest).dropLast().joined()
        guard whole.contains(where: { !$0.isWhitespace }) else { return nil }
        rest.removeFirst(whole.count)
        return whole
    }

    /// What is left.
    mutating func finish() -> String {
        defer { rest = "" }
        return rest
    }
}
