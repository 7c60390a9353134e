/// One word, number or sign of an utterance.
struct Token: Equatable {
    /// How strongly punctuation before the token separates it from the one before.
    enum Break: Int { case none, comma, sentence }

    /// The word in lower case, with contractions opened: "don't" is `do` and `not`.
    var lower: String
    /// The Porter stem of ``lower``.
    var stem: String
    /// Where the token is in the utterance.
    var range: Range<String.Index>
    /// The punctuation before it.
    var breakBefore: Break = .none
    /// Whether a colon stood before it: "note: buy milk".
    var afterColon = false

    init(lower: String, range: Range<String.Index>) {
        self.lower = lower
        self.stem = Lemma.stem(lower)
        self.range = range
    }
}

/// An utterance as text and tokens.
struct Utterance {
    /// Longer utterances are cut here: nobody speaks a command of that length, and reading costs tokens × tools.
    static let maximumTokens = 160

    /// What was said, without what the speaker took back.
    let text: String
    let tokens: [Token]

    init(_ text: String) {
        let text = SelfCorrection.apply(to: text)
        self.text = text
        var tokenizer = Tokenizer(text: text)
        self.tokens = Array(tokenizer.tokens().prefix(Self.maximumTokens))
    }

    /// What was said from token `range.lowerBound` up to `range.upperBound`, as it was said, without punctuation at
    /// its ends.
    func verbatim(_ range: Range<Int>) -> String {
        guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
        return String(text[first.range.lowerBound..<last.range.upperBound])
    }
}
