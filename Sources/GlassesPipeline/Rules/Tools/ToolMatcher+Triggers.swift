import GlassesDomain

/// Finds the words of a clause that are the tool's own and no argument.
extension ToolMatcher {
    /// Marks the tool's own words; returns where they end, and the words between verb and noun that are neither.
    func markTriggers(
        _ board: inout SlotBoard, head: HeadVerb?, hasText: Bool, isQuestion: Bool
    ) -> (end: Int, gap: Range<Int>?) {
        var gapStart: Int?
        var gap: Range<Int>?
        var end = board.start
        var index = head?.tokens.first.map { $0 + 1 } ?? board.start
        while index < board.quoteStart {
            if board.mark(index) == .trigger || isThing(index) || isContextThing(index) {
                board.marks[index] = .trigger
                end = index + 1
                if let start = gapStart { gap = gap ?? start..<gapEnd(start, index) }
                gapStart = nil
            } else if let count = quantity(at: index) {
                index += count
                continue
            } else if board.isContent(index) {
                if hasText, !thingFollows(index, board) { break }
                if gapStart == nil { gapStart = index }
            } else if hasText, gapStart == nil, FunctionWords.prepositions.contains(tokens[index].lower) {
                let isInfinitive = tokens[index].lower == "to" && !isQuestion && isVerb(index + 1)
                if isInfinitive || !thingFollows(index, board) { break }
            }
            index += 1
        }
        end = max(end, (head?.tokens.max() ?? board.start - 1) + 1)
        if hasText { markTail(&board, from: end) }
        return (end, gap)
    }

    /// Numbers and durations stand between verb and noun without being part of the text: "a two and a half minute
    /// timer".
    func quantity(at index: Int) -> Int? {
        if profile.parameters.contains(where: { $0.timeUnit != nil }),
            let duration = DurationGrammar.duration(in: tokens, at: index)
        {
            return duration.count
        }
        guard profile.parameters.contains(where: { $0.kind == .integer || $0.kind == .number }) else { return nil }
        return NumberGrammar.number(in: tokens, at: index)?.count
    }

    /// "… to my packing list": the word "list" names the tool's thing even when the list's name stands before it.
    func markListWords(_ board: inout SlotBoard, from start: Int) {
        guard profile.parameters.contains(where: { $0.kind == .text && $0.role == .list }) else { return }
        for index in start..<max(start, board.quoteStart) where isThing(index) && board.mark(index) == .open {
            let before = (max(start, index - 4)..<index).contains {
                TextSlots.tailPrepositions.contains(tokens[$0].lower)
            }
            if before { board.marks[index] = .trigger }
        }
    }

    /// Marks a closing phrase of the tool's words: "… to my shopping list".
    func markTail(_ board: inout SlotBoard, from start: Int) {
        var last = range.upperBound - 1
        while last > start, ["please", "thanks", "now"].contains(tokens[last].lower) || board.mark(last) == .slot {
            last -= 1
        }
        guard last > start else { return }
        if ["mean", "means"].contains(tokens[last].lower),
            profile.actions.contains(where: { Thesaurus.actions.expresses("mean", $0) })
        {
            return board.marks[last] = .trigger
        }
        if tokens[last - 1].lower == "as",
            profile.actions.contains(where: { Thesaurus.actions.expresses(tokens[last].stem, $0) })
        {
            return board.setMark(.trigger, last - 1..<last + 1)
        }
        var first = last + 1
        while first - 1 > start,
            isThing(first - 1)
                || (profile.context.contains(tokens[first - 1].stem) && tokens[first - 1].lower == "list")
        {
            first -= 1
        }
        guard first <= last else { return }
        var before = first - 1
        while before > start, FunctionWords.determiners.contains(tokens[before].lower) { before -= 1 }
        guard before >= start, TextSlots.tailPrepositions.contains(tokens[before].lower), before < board.quoteStart
        else { return }
        board.setMark(.trigger, first..<last + 1)
    }

    func gapEnd(_ start: Int, _ thing: Int) -> Int {
        var end = thing
        while end > start + 1, FunctionWords.determiners.contains(tokens[end - 1].lower) { end -= 1 }
        return end
    }

    /// Whether the tool's noun comes within the next words, before any preposition: "send anna a message".
    func thingFollows(_ index: Int, _ board: SlotBoard) -> Bool {
        for next in (index + 1)..<max(index + 1, min(board.quoteStart, index + 5)) {
            if isThing(next) || isContextThing(next) || board.mark(next) == .trigger || quantity(at: next) != nil {
                return true
            }
            let word = tokens[next].lower
            if FunctionWords.prepositions.contains(word) { return false }
            if FunctionWords.auxiliaries.contains(word) || FunctionWords.pronouns.contains(word)
                || FunctionWords.conjunctions.contains(word)
            {
                return false
            }
        }
        return false
    }

    /// A word of the description, or a parameter's name, that is not an argument.
    func isContextThing(_ index: Int) -> Bool {
        let token = tokens[index]
        guard !FunctionWords.contains(token), NumberGrammar.number(in: tokens, at: index) == nil else { return false }
        if profile.parameters.contains(where: { isLabel(token, of: $0) }) { return true }
        let isGerund = token.lower.hasSuffix("ing") && !profile.context.contains(token.stem)
        return !isGerund && profile.describes(token.stem) && !profile.parameters.contains { isChoice(token, of: $0) }
    }

    func isChoice(_ token: Token, of parameter: ParameterSpec) -> Bool {
        guard case .choice(let values) = parameter.kind else { return false }
        return values.contains { value in
            guard let text = value.stringValue?.lowercased() else { return false }
            return Words.split(identifier: text).contains { Lemma.stem($0) == token.stem }
                || ValueAliases.aliases(of: text).contains(token.lower)
        }
    }

    /// A parameter's name in the sentence is a label of its value; a Boolean's name is its value ("with sound").
    func isLabel(_ token: Token, of parameter: ParameterSpec) -> Bool {
        guard parameter.nameWords.contains(token.lower), !isChoice(token, of: parameter) else { return false }
        return parameter.kind != .boolean || !Polarity.actions(of: parameter).isEmpty
    }
}
