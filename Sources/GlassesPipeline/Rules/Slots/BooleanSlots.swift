import GlassesDomain

/// Fills Booleans: on and off by the verb, details by being mentioned ("with flash", "no sound", "on repeat").
enum BooleanSlots {
    private static let weakWords: Set<String> = Set(
        [
            "use", "is", "with", "enable", "enabled", "has", "include", "should", "mode", "on", "off", "the", "in",
            "be", "do", "allow", "set", "it",
        ].map(Lemma.stem))

    static func fill(_ parameters: [ParameterSpec], head: HeadVerb?, on board: inout SlotBoard) {
        for parameter in parameters where parameter.kind == .boolean && board.arguments[parameter.name] == nil {
            if let value = head?.actions.compactMap({ Polarity.value(of: $0, for: parameter) }).first {
                board.arguments[parameter.name] = .bool(value)
            } else if parameter.nameWords.count == 1,
                head?.actions.contains(Lemma.stem(parameter.nameWords[0])) ?? false
            {
                board.arguments[parameter.name] = .bool(true)
            } else if fillParticle(parameter, on: &board) {
                continue
            } else {
                fillMention(parameter, on: &board)
            }
        }
    }

    /// "flashlight on", "set the wifi to off".
    private static func fillParticle(_ parameter: ParameterSpec, on board: inout SlotBoard) -> Bool {
        guard !Polarity.actions(of: parameter).isEmpty else { return false }
        for index in board.start..<board.quoteStart where board.mark(index) == .open {
            guard
                let value = [
                    "on": true, "off": false, "true": true, "false": false, "enabled": true, "disabled": false,
                ][board.tokens[index].lower]
            else { continue }
            let next = index + 1
            let closes =
                next >= board.range.upperBound
                || ["in", "please", "for", "at", "now"].contains(board.tokens[next].lower)
            guard closes || index == board.start else { continue }
            board.take(index..<next, for: parameter, .bool(value), prepositions: ["to"])
            return true
        }
        return false
    }

    private static func fillMention(_ parameter: ParameterSpec, on board: inout SlotBoard) {
        let names = Set(parameter.nameWords.map(Lemma.stem)).subtracting(weakWords)
        guard !names.isEmpty else { return }
        for index in board.start..<board.quoteStart {
            let stem = board.tokens[index].stem
            let isTrigger = board.mark(index) == .trigger
            let isNamed =
                names.contains(stem) || (!isTrigger && names.contains { Thesaurus.things.areRelated($0, stem) })
            let after = index + 1 < board.range.upperBound ? board.tokens[index + 1].lower : ""
            let isSwitched = ["on", "off"].contains(after)
            guard isNamed, isTrigger ? isSwitched : board.allows(index..<index + 1) else { continue }
            let isNegated = isNegated(index, board)
            var span = (isTrigger ? index + 1 : index)..<(isSwitched ? index + 2 : index + 1)
            while span.upperBound < board.quoteStart, names.contains(board.tokens[span.upperBound].stem),
                board.mark(span.upperBound) == .open
            {
                span = span.lowerBound..<span.upperBound + 1
            }
            board.take(
                span, for: parameter, .bool(!isNegated && after != "off"),
                prepositions: ["with", "on", "in", "using", "and", "no", "without", "not", "as"])
            return
        }
    }

    /// "no sound", "without flash", "without the flash".
    private static func isNegated(_ index: Int, _ board: SlotBoard) -> Bool {
        let before = (max(board.range.lowerBound, index - 2)..<index).map { board.tokens[$0].lower }
        guard let last = before.last else { return false }
        if ["no", "without", "not"].contains(last) { return true }
        return ["the", "any", "a"].contains(last) && ["without", "no"].contains(before.first ?? "")
    }
}
