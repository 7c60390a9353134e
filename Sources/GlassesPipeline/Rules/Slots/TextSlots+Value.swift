import GlassesDomain

extension TextSlots {
    func assign(_ piece: Piece, on board: inout SlotBoard) {
        var span = piece.span
        trimLead(&span, piece.parameter, board)
        trimEnd(&span, piece.parameter, board)
        guard !span.isEmpty, span.contains(where: { !isPlaceholder(board.tokens[$0].lower) }) else { return }
        let first = board.tokens[span.lowerBound].lower
        let refersBack = ["it", "this", "that", "these", "those", "them"].contains(first)
        if piece.parameter.role == .expression, !isArithmetic(span, board) { return }
        if isGenericMention(span, piece.parameter, board) { return }
        // Nobody looks up a whole sentence as a word.
        if piece.parameter.nameWords.contains("word"), span.count > 3 { return }
        guard !(refersBack && piece.parameter.role != .content && piece.parameter.role != .topic),
            !isVagueIdiom(span, piece.parameter, board)
        else { return }
        for index in piece.span where board.mark(index) == .open { board.marks[index] = .text }
        var text = board.utterance.verbatim(span)
        if piece.parameter.role == .person, span.upperBound < board.range.upperBound,
            board.mark(span.upperBound) == .trigger,
            text.hasSuffix("'s") || text.hasSuffix("’s")
        {
            // "Maria's phone number" is Maria's.
            text.removeLast(2)
        }
        if case .list = piece.parameter.kind {
            board.arguments[piece.parameter.name] = .array(Self.items(span, board).map(JSONValue.string))
        } else {
            board.arguments[piece.parameter.name] = .string(text)
        }
    }

    func isPlaceholder(_ word: String) -> Bool {
        FunctionWords.placeholders.contains(word) || word == "message" || word == "please"
    }

    /// A parameter that takes a wish as it was said, with its noun: "classical music".
    func isQuery(_ parameter: ParameterSpec) -> Bool {
        !Set(parameter.nameWords).isDisjoint(with: [
            "query", "q", "search", "what", "request", "text", "content", "item",
        ])
    }

    func isOwnThing(_ index: Int, _ board: SlotBoard) -> Bool {
        let stem = board.tokens[index].stem
        return profile.things.contains { $0.stem == stem || Thesaurus.things.areRelated($0.stem, stem) }
    }

    /// "15 percent of 80": numbers and what is done with them, nothing else.
    func isArithmetic(_ span: Range<Int>, _ board: SlotBoard) -> Bool {
        let operators: Set<String> = [
            "plus", "minus", "times", "divided", "multiplied", "percent", "%", "square", "root", "squared", "cubed",
            "power", "over", "sum", "difference", "product", "cube",
            "half", "point", "+", "x", "add", "subtract", "quarter", "third", "dozen", "hundred", "thousand", "million",
            "negative", "divide", "multiply", "mod", "modulo",
        ]
        let hasNumber = span.contains { NumberGrammar.number(in: board.tokens, at: $0) != nil }
        return hasNumber
            && span.allSatisfy {
                !board.isContent($0) || operators.contains(board.tokens[$0].lower)
                    || NumberGrammar.number(in: board.tokens, at: $0) != nil
            }
    }

    /// "translate a phrase", "call a contact": the text only says what kind of thing is meant.
    func isGenericMention(_ span: Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) -> Bool {
        guard ["a", "an", "some", "any", "another"].contains(board.tokens[span.lowerBound].lower), span.count > 1 else {
            return false
        }
        return span.dropFirst().allSatisfy { index in
            let stem = board.tokens[index].stem
            return parameter.nameWords.map(Lemma.stem).contains(stem)
                || profile.things.contains { $0.stem == stem }
                || [
                    "contact", "person", "friend", "place", "thing", "word", "song", "message", "phrase", "sentence",
                    "somebody", "number", "text", "item",
                ].contains(board.tokens[index].lower)
        }
    }

    /// "play it by ear": a pronoun stands where the text should be named.
    func isVagueIdiom(_ span: Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) -> Bool {
        guard board.tokens[span.lowerBound].lower == "it", span.count > 1 else { return false }
        return !["is", "was", "will", "has", "does", "would", "needs", "starts"].contains(
            board.tokens[span.lowerBound + 1].lower)
    }

    func trimLead(_ span: inout Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) {
        var isFirst = true
        while let first = span.first, span.count > 1 {
            if let amount = vagueAmount(span, parameter, board) {
                span = first + amount..<span.upperBound
                continue
            }
            let word = board.tokens[first].lower
            let isMarker =
                isFirst && (parameter.markers.contains(word) || ["of", "with"].contains(word))
                && board.mark(first) != .slot
            let isQuantifier = ["some", "me", "any", "please"].contains(word) && word != parameter.name
            guard isMarker || isQuantifier || board.mark(first) == .slot || ["please", "uh", "um"].contains(word) else {
                return
            }
            if isMarker { isFirst = false }
            span = first + 1..<span.upperBound
        }
    }

    /// How many words "a bit of" takes before a kind of thing; a name such as "A Little Respect" keeps them.
    func vagueAmount(_ span: Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) -> Int? {
        let kinds: Set<String> = [
            "genre", "item", "food", "drink", "kind", "type", "style", "ingredient", "product", "mood", "category",
            "cuisine", "meal", "dish",
        ]
        guard !kinds.isDisjoint(with: parameter.nameWords) else { return nil }
        let amounts = [["a", "little", "bit", "of"], ["a", "bit", "of"], ["a", "little"], ["a", "lot", "of"]]
        let words = board.tokens[span].map(\.lower)
        return amounts.first { words.count > $0.count && words.starts(with: $0) }?.count
    }

    func trimEnd(_ span: inout Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) {
        while let last = span.last {
            let word = board.tokens[last].lower
            let isListWord = parameter.role == .list && ["list", "folder", "playlist"].contains(word) && span.count > 1
            let dangles =
                ["to", "for", "at", "on", "in", "and", "with", "from", "by", "of", "the", "a", "my", "please"].contains(
                    word) && span.count > 0
                && (last + 1 < board.range.upperBound)
            let isNoun =
                !isQuery(parameter) && parameter.role == .content && span.count > 1 && profile.things.count > 0
                && isOwnThing(last, board)
                && !FunctionWords.all.contains(board.tokens[last - 1].lower)
            let isCopula = ["is", "are"].contains(word) && span.count > 1 && head == nil
            guard isListWord || dangles || isCopula || isNoun || board.mark(last) == .slot else { break }
            span = span.lowerBound..<last
        }
        let listWords: Set<String> = ["list", "folder", "playlist"]
        while parameter.role == .list, span.count > 1, let first = span.first,
            FunctionWords.determiners.contains(board.tokens[first].lower)
                || listWords.contains(board.tokens[first].lower)
        {
            span = first + 1..<span.upperBound
        }
    }

    /// "milk, eggs and bread" as three texts.
    static func items(_ span: Range<Int>, _ board: SlotBoard) -> [String] {
        var items: [Range<Int>] = []
        var start = span.lowerBound
        for index in span {
            let isAnd = board.tokens[index].lower == "and"
            guard isAnd || (board.tokens[index].breakBefore == .comma && index > start) else { continue }
            if start < index { items.append(start..<index) }
            start = isAnd ? index + 1 : index
        }
        if start < span.upperBound { items.append(start..<span.upperBound) }
        return items.map(board.utterance.verbatim)
    }
}
