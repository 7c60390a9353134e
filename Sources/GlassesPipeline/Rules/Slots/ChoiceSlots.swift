import GlassesDomain

/// Fills parameters with a fixed list of values.
enum ChoiceSlots {
    /// A value that was said.
    struct Match {
        var value: JSONValue
        var span: Range<Int>
        /// Words that were the verb or the tool's own are worth less than words that only the value explains.
        var isOwnWord: Bool
        var isExact: Bool
    }

    private static let prepositions: Set<String> = [
        "to", "in", "into", "from", "for", "on", "at", "as", "with", "by", "using", "via",
    ]

    static func fill(_ parameters: [ParameterSpec], head: HeadVerb?, on board: inout SlotBoard) {
        var open: [(ParameterSpec, [JSONValue])] = parameters.compactMap {
            if case .choice(let values) = $0.kind, board.arguments[$0.name] == nil { ($0, values) } else { nil }
        }
        fillPairs(&open, on: &board)
        // Required ones first, and of these the one whose words are the least ambiguous.
        for (parameter, values) in open {
            guard let match = best(matches(values, parameter, head, board), parameter, board) else { continue }
            let markers = match.isOwnWord ? [] : prepositions
            let siblings = siblings(of: match, values, parameter, head, board)
            if match.isOwnWord, board.mark(match.span.lowerBound) == .trigger {
                board.arguments[parameter.name] = match.value
            } else {
                board.take(widened(match.span, parameter, board), for: parameter, match.value, prepositions: markers)
            }
            guard siblings.count > 1 else { continue }
            for sibling in siblings { board.setMark(.slot, sibling.span) }
            board.coordinated[parameter.name] = siblings.map(\.value)
            board.arguments[parameter.name] = siblings[0].value
        }
    }

    /// The values that stand in one list with `match`: "the kitchen, the hallway and the bedroom lights".
    private static func siblings(
        of match: Match, _ values: [JSONValue], _ parameter: ParameterSpec, _ head: HeadVerb?, _ board: SlotBoard
    ) -> [Match] {
        guard match.isExact, !match.isOwnWord else { return [] }
        let said = matches(values, parameter, head, board).filter { $0.isExact && !$0.isOwnWord }
            .sorted { $0.span.lowerBound < $1.span.lowerBound }
        var list: [Match] = []
        var hasAnd = false
        for next in said {
            guard let last = list.last else {
                list = [next]
                continue
            }
            guard next.span.lowerBound >= last.span.upperBound, !list.contains(where: { $0.value == next.value }) else {
                continue
            }
            let between = last.span.upperBound..<next.span.lowerBound
            let isAnd = between.contains { board.tokens[$0].lower == "and" }
            if isList(between, next.span.lowerBound, isAnd: isAnd, board) {
                list.append(next)
                hasAnd = hasAnd || isAnd
            } else if list.contains(where: { $0.span == match.span }) {
                break
            } else {
                (list, hasAnd) = ([next], false)
            }
        }
        return hasAnd && list.contains { $0.span == match.span } ? list : []
    }

    /// Whether only "and", a comma, articles and the tool's own noun stand between two values.
    private static func isList(_ between: Range<Int>, _ next: Int, isAnd: Bool, _ board: SlotBoard) -> Bool {
        let hasComma = (between.lowerBound...next).contains { board.tokens[$0].breakBefore == .comma }
        guard isAnd || hasComma else { return false }
        return between.allSatisfy { index in
            let word = board.tokens[index].lower
            return word == "and" || FunctionWords.determiners.contains(word) || ["in", "at", "of"].contains(word)
                || board.mark(index) == .trigger
        }
    }

    /// "from … to …" over the same list of values: currencies, units, languages.
    private static func fillPairs(_ open: inout [(ParameterSpec, [JSONValue])], on board: inout SlotBoard) {
        guard let from = open.first(where: { isSource($0.0) }),
            let to = open.first(where: { isTarget($0.0) && !Set($0.1).isDisjoint(with: from.1) })
        else { return }
        let all = (matches(from.1, from.0, nil, board) + matches(to.1, to.0, nil, board)).sorted {
            $0.span.lowerBound < $1.span.lowerBound
        }
        let sources = all.filter { from.1.contains($0.value) }
        guard
            let source = sources.first(where: { precededByNumber($0.span, board) }) ?? sources.first(where: {
                preceded($0.span, by: ["from"], board)
            })
                ?? sources.first(where: { !preceded($0.span, by: ["to", "into", "in"], board) })
        else { return }
        let target = all.last { to.1.contains($0.value) && $0.value != source.value && !$0.span.overlaps(source.span) }
        board.take(source.span, for: from.0, source.value, prepositions: ["from", "of"])
        open.removeAll { $0.0.name == from.0.name }
        guard let target else { return }
        board.take(target.span, for: to.0, target.value, prepositions: prepositions)
        open.removeAll { $0.0.name == to.0.name }
    }

    private static func isSource(_ parameter: ParameterSpec) -> Bool {
        !Set(parameter.nameWords).isDisjoint(with: ["from", "source", "input", "base", "origin", "in"])
    }

    private static func isTarget(_ parameter: ParameterSpec) -> Bool {
        !Set(parameter.nameWords).isDisjoint(with: ["to", "target", "output", "into", "destination", "out", "quote"])
    }

    private static func preceded(_ span: Range<Int>, by words: Set<String>, _ board: SlotBoard) -> Bool {
        span.lowerBound > board.range.lowerBound && words.contains(board.tokens[span.lowerBound - 1].lower)
    }

    private static func precededByNumber(_ span: Range<Int>, _ board: SlotBoard) -> Bool {
        let first = max(board.range.lowerBound, span.lowerBound - 5)
        let isBefore = (first..<span.lowerBound).contains { index in
            NumberGrammar.number(in: board.tokens, at: index).map { index + $0.count == span.lowerBound } ?? false
        }
        let isSign = board.tokens[span.lowerBound].lower.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
        return isBefore || (isSign && NumberGrammar.number(in: board.tokens, at: span.upperBound) != nil)
            || (span.lowerBound > board.range.lowerBound
                && ["a", "an", "one"].contains(board.tokens[span.lowerBound - 1].lower))
    }

    /// Every place where one of the values, or another name of it, was said.
    static func matches(_ values: [JSONValue], _ parameter: ParameterSpec, _ head: HeadVerb?, _ board: SlotBoard)
        -> [Match]
    {
        var found: [Match] = []
        for value in values {
            if let number = value.doubleValue { found += numberMatches(number, value, board) }
            guard let text = value.stringValue else { continue }
            let words = Words.split(identifier: text)
            found += wordMatches(words.map(Lemma.stem), value, parameter, board, isExact: true)
            if words.count == 1 { found += splitMatches(words[0], value, board) }
            let aliases = ValueAliases.aliases(of: text.lowercased())
            for alias in aliases {
                if let head, alias.contains("_") || head.actions.contains(Lemma.stem(alias)),
                    head.actions.contains(Thesaurus.key(alias)), let first = head.tokens.first
                {
                    found.append(Match(value: value, span: first..<first + 1, isOwnWord: true, isExact: false))
                }
                found += wordMatches(
                    alias.split(separator: "_").map { Lemma.stem(String($0)) }, value, parameter, board, isExact: false)
            }
        }
        return found
    }

    private static func numberMatches(_ number: Double, _ value: JSONValue, _ board: SlotBoard) -> [Match] {
        (board.start..<board.quoteStart).compactMap { index in
            guard let spoken = NumberGrammar.number(in: board.tokens, at: index), spoken.value == number else {
                return nil
            }
            return Match(value: value, span: index..<index + spoken.count, isOwnWord: false, isExact: true)
        }
    }

    /// "push-ups" or "push ups" for `pushups`.
    private static func splitMatches(_ word: String, _ value: JSONValue, _ board: SlotBoard) -> [Match] {
        (board.start..<max(board.start, board.quoteStart - 1)).compactMap { index in
            let span = index..<index + 2
            guard board.tokens[index].lower + board.tokens[index + 1].lower == word, board.allows(span) else {
                return nil
            }
            return Match(value: value, span: span, isOwnWord: false, isExact: true)
        }
    }

    /// "larger" asks for large; "brightness" is not bright.
    private static func isForm(_ token: Token, of stem: String) -> Bool {
        if token.stem == stem { return !token.lower.hasSuffix("ness") || stem.hasSuffix("ness") || token.lower == stem }
        for suffix in ["er", "est", "r", "st"]
        where token.lower.hasSuffix(suffix) && token.lower.count > suffix.count + 2 {
            if Lemma.stem(String(token.lower.dropLast(suffix.count))) == stem { return true }
        }
        return false
    }

    private static func wordMatches(
        _ stems: [String], _ value: JSONValue, _ parameter: ParameterSpec, _ board: SlotBoard, isExact: Bool
    ) -> [Match] {
        guard !stems.isEmpty, board.range.count >= stems.count else { return [] }
        return (board.start..<max(board.start, board.quoteStart - stems.count + 1)).compactMap { index in
            let span = index..<index + stems.count
            guard span.upperBound <= board.range.upperBound,
                zip(stems, board.tokens[span]).allSatisfy({ isForm($1, of: $0) })
            else { return nil }
            // "in" is an inch only behind a number.
            let isPreposition =
                span.count == 1
                && ["in", "at", "to", "for", "a", "as", "i", "c", "f", "m", "g", "l"].contains(
                    board.tokens[index].lower)
            guard !isPreposition || precededByNumber(span, board) else { return nil }
            let isOwn = span.contains { board.mark($0) == .trigger }
            guard isOwn || board.allows(span) || board.allows(widened(span, parameter, board)),
                !span.contains(where: { board.mark($0) == .slot })
            else { return nil }
            return Match(value: value, span: span, isOwnWord: isOwn, isExact: isExact)
        }
    }

    /// The longest exact match; nil when two values were said equally well and nothing decides.
    private static func best(_ matches: [Match], _ parameter: ParameterSpec, _ board: SlotBoard) -> Match? {
        let rank = { (match: Match) in
            (match.isExact ? 4 : 0) + (match.isOwnWord ? 0 : 2) + match.span.count * 3
                + (isNamed(match.span, parameter, board) ? 3 : 0)
        }
        return matches.max { rank($0) == rank($1) ? $0.span.lowerBound < $1.span.lowerBound : rank($0) < rank($1) }
    }

    private static func isNamed(_ span: Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) -> Bool {
        [span.lowerBound - 1, span.upperBound].contains {
            board.range.contains($0) && parameter.nameWords.map(Lemma.stem).contains(board.tokens[$0].stem)
        }
    }

    /// "high priority", "priority high": the parameter's own name beside the value belongs to it.
    private static func widened(_ span: Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) -> Range<Int> {
        var (lower, upper) = (span.lowerBound, span.upperBound)
        let names = parameter.nameWords.map(Lemma.stem)
        let described = parameter.stems
        while board.range.contains(upper),
            names.contains(board.tokens[upper].stem)
                || (board.tokens[upper - 1].lower.first?.isNumber == true || upper > span.upperBound)
                    && described.contains(board.tokens[upper].stem),
            board.mark(upper) == .open
        {
            upper += 1
        }
        while lower - 1 >= board.start, names.contains(board.tokens[lower - 1].stem), board.mark(lower - 1) == .open {
            lower -= 1
        }
        return lower..<upper
    }
}
