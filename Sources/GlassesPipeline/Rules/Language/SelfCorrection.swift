/// Takes back what a speaker took back: "for five, no, ten minutes" becomes "for ten minutes".
///
/// A correction has three parts: what is taken back, the words that say so ("no", "I mean", "sorry"), and the repair.
/// The repair says how far back it reaches: a number replaces a number, "the …" replaces "the …", a verb the command.
struct SelfCorrection {
    /// Each takes at least two words away, so that an utterance cannot hold more of them than this.
    private static let maximumCorrections = 8

    /// Say of themselves that something is taken back.
    private static let clearTerms = phrases(
        "no wait,wait no,no make that,no make it,i mean,i meant,scratch that,or rather,no sorry,sorry i mean,"
            + "sorry i meant,no i mean,no i meant,actually no,no actually,oh no,oh wait,no scratch that,correction,oops,"
            + "actually make that,actually make it,or no,no not that,wait make that,wait make it")
    /// Take something back only behind a pause, or between two numbers.
    private static let doubtfulTerms = phrases("no,sorry,actually,rather,wait,make that,make it")
    private static let lead: Set<String> = ["uh", "um", "er", "oh", "wait", "make", "that", "rather", "actually"]

    private let tokens: [Token]

    /// `text` as the speaker would have it, or `text` itself when nothing is taken back.
    static func apply(to text: String) -> String {
        var text = text
        for _ in 0..<maximumCorrections {
            var tokenizer = Tokenizer(text: text)
            let tokens = Array(tokenizer.tokens().prefix(Utterance.maximumTokens))
            guard let parts = SelfCorrection(tokens: tokens).remaining() else { return text }
            text = rebuilt(text, tokens, parts)
        }
        return text
    }

    private static func rebuilt(_ text: String, _ tokens: [Token], _ parts: [Range<Int>]) -> String {
        parts.filter { !$0.isEmpty }.map { part in
            // The last part runs on to the end, beyond the words that are read.
            let end = part.upperBound == tokens.count ? text.endIndex : tokens[part.upperBound - 1].range.upperBound
            return String(text[tokens[part.lowerBound].range.lowerBound..<end])
        }.joined(separator: " ")
    }

    /// What is left of the tokens after the first correction, in its new order; nil when there is none.
    private func remaining() -> [Range<Int>]? {
        for index in tokens.indices.dropFirst() {
            guard let repair = repairStart(at: index), let parts = parts(before: index, repair: repair) else {
                continue
            }
            return parts
        }
        return nil
    }

    // MARK: The words that take back

    /// Where the repair begins when the words at `index` take something back.
    private func repairStart(at index: Int) -> Int? {
        if let term = Self.clearTerms.first(where: { stands($0, at: index) }) {
            let before = tokens[index - 1].lower
            let isOrdinarySpeech =
                FunctionWords.questionWords.contains(before) || FunctionWords.auxiliaries.contains(before)
                || ["say", "saying", "that", "not", "you", "know"].contains(before)
            return isOrdinarySpeech ? nil : skipLead(index + term.count)
        }
        guard let term = Self.doubtfulTerms.first(where: { stands($0, at: index) }) else { return nil }
        let repair = skipLead(index + term.count)
        guard repair < tokens.count else { return nil }
        let isNumeric = NumberGrammar.number(in: tokens, at: repair) != nil && hasNumber(before: index)
        let isPaused = tokens[index].breakBefore == .comma
        guard isNumeric || isPaused && isShortRepair(repair, behind: term[0]) else { return nil }
        return repair
    }

    private func skipLead(_ index: Int) -> Int {
        var index = index
        while index < tokens.count, Self.lead.contains(tokens[index].lower) { index += 1 }
        return index
    }

    /// "sorry, I'm late" takes nothing back; "sorry, dad" does.
    private func isShortRepair(_ start: Int, behind term: String) -> Bool {
        let first = tokens[start].lower
        guard !FunctionWords.pronouns.contains(first), !FunctionWords.auxiliaries.contains(first) else { return false }
        // Without a second pause "no" and the like belong to what follows: "no pictures please".
        return ["no", "sorry", "wait"].contains(term)
            ? tokens[start].breakBefore == .comma : FunctionWords.determiners.contains(first)
    }

    private func hasNumber(before end: Int) -> Bool {
        (max(0, end - 4)..<end).contains { NumberGrammar.number(in: tokens, at: $0) != nil }
    }

    private func stands(_ phrase: [String], at index: Int) -> Bool {
        index + phrase.count < tokens.count && zip(phrase, tokens[index...]).allSatisfy { $0 == $1.lower }
    }

    // MARK: What is taken back

    private func parts(before end: Int, repair: Int) -> [Range<Int>]? {
        guard repair < tokens.count else { return nil }
        let start = clauseStart(before: end)
        guard start < end else { return nil }
        let first = tokens[repair]
        if let length = quantityLength(at: repair) {
            guard let old = lastQuantity(start..<end) else { return nil }
            let isBare =
                repair + length == tokens.count && NumberGrammar.number(in: tokens, at: repair)?.count == length
            // "six am, no, seven" keeps the "am".
            let kept = isBare ? numberEnd(old)..<end : end..<end
            return [0..<old, repair..<repair + length, kept, repair + length..<tokens.count]
        }
        if isCommand(repair) { return [0..<start, repair..<tokens.count] }
        if FunctionWords.determiners.contains(first.lower) || FunctionWords.prepositions.contains(first.lower),
            let same = (start..<end).last(where: { tokens[$0].lower == first.lower })
        {
            return [0..<same, repair..<tokens.count]
        }
        return [0..<lastNoun(start..<end), repair..<tokens.count]
    }

    private func clauseStart(before end: Int) -> Int {
        (0..<end).last { $0 > 0 && tokens[$0].breakBefore == .sentence } ?? 0
    }

    private func isCommand(_ index: Int) -> Bool {
        guard index + 1 < tokens.count else { return false }
        return Thesaurus.actions.contains(tokens[index].stem)
            || Thesaurus.actions.contains("\(tokens[index].lower)_\(tokens[index + 1].lower)")
    }

    private func quantityLength(at index: Int) -> Int? {
        guard NumberGrammar.number(in: tokens, at: index) != nil || ["noon", "midnight"].contains(tokens[index].lower)
        else { return nil }
        return [
            CalendarGrammar.clock(in: tokens, at: index)?.count,
            DurationGrammar.duration(in: tokens, at: index)?.count,
            NumberGrammar.number(in: tokens, at: index)?.count,
        ].compactMap { $0 }.max()
    }

    /// Where the last quantity begins: the one that reaches the end, else the last number.
    private func lastQuantity(_ range: Range<Int>) -> Int? {
        range.first { index in quantityLength(at: index).map { index + $0 == range.upperBound } ?? false }
            ?? range.last { quantityLength(at: $0) != nil }
    }

    private func numberEnd(_ index: Int) -> Int {
        index + (NumberGrammar.number(in: tokens, at: index)?.count ?? 1)
    }

    /// The name or noun at the end, without the verb and the words of grammar before it.
    private func lastNoun(_ range: Range<Int>) -> Int {
        var index = range.upperBound - 1
        while index - 1 > range.lowerBound, !FunctionWords.contains(tokens[index - 1]),
            !Thesaurus.actions.contains(tokens[index - 1].stem)
        { index -= 1 }
        return index
    }

    private static func phrases(_ text: String) -> [[String]] {
        text.split(separator: ",").map { $0.split(separator: " ").map(String.init) }.sorted { $0.count > $1.count }
    }
}
