import GlassesDomain

extension ToolMatcher {
    /// Weighs what was found: verb 0.45, thing 0.4, explained words 0.15, less what nothing explains.
    func score(
        _ board: SlotBoard, verbScore: Double, isQuestion: Bool, isSpecific: Bool, structured: Int, head: HeadVerb?
    ) -> ToolMatch? {
        let missing = profile.parameters.filter {
            board.arguments[$0.name] == nil && ($0.isRequired || board.outOfRange.contains($0.name))
        }
        let named = namedWeight(board, head: head)
        let thing = max(
            named,
            impliedThing(
                board, verbScore: verbScore, isSpecific: isSpecific, structured: structured, missing: missing,
                head: head))
        let unexplained = unexplainedWords(board, toleratesTail: !isQuestion && verbScore >= 0.85 && named >= 0.9)
        // What was not named is not asked for while words are left that may name something else.
        guard thing >= 0.5, named >= 0.5 || unexplained == 0 else { return nil }
        let content = board.tokens.indices.filter { range.contains($0) && board.isContent($0) }.count
        // Free text explains a word less than the tool's own words do.
        let texts = range.filter { board.mark($0) == .text && board.isContent($0) }.count
        let explained = content == 0 ? 1 : max(0, 1 - (Double(unexplained) + 0.3 * Double(texts)) / Double(content))
        let penalty = Double(unexplained) * (isQuestion ? 0.3 : 0.2) + (changesMeaning(board) ? 0.35 : 0)
        let fit = (named >= 0.5 ? 0.03 : 0) + 0.02 * Double(min(structured, 3)) + (missing.isEmpty ? 0.02 : 0)
        let score =
            0.45 * verbScore + 0.4 * thing + 0.15 * explained + fit - penalty
            - (missing.isEmpty || thing >= 0.75 ? 0 : 0.1)
        let lastMark = range.last.map { board.mark($0) }
        return ToolMatch(
            tool: index, score: score, arguments: board.arguments, coordinated: board.coordinated, missing: missing,
            namesThing: named >= 0.5,
            endsInText: lastMark == .text,
            unexplained: unexplained)
    }

    /// How much of the tool's name was said; a tool named by a verb alone is named by that verb.
    private func namedWeight(_ board: SlotBoard, head: HeadVerb?) -> Double {
        let total = profile.things.reduce(0) { $0 + $1.weight }
        let verbs = head?.tokens.prefix(1) ?? []
        let objects = (head?.actions ?? []).filter { action in
            Thesaurus.objectVerbs.contains(action) || profile.things.contains { $0.stem == action }
        }
        let triggers =
            range.filter { board.mark($0) == .trigger && !verbs.contains($0) }.map { board.tokens[$0].stem } + objects
        guard total > 0 else {
            let isNoun = range.contains {
                board.mark($0) == .trigger && board.tokens[$0].stem == profile.mainAction && head?.tokens.first != $0
            }
            if isNoun { return 0.9 }
            // "stop", and nothing else: the tool's whole name was said.
            if let head, head.actions.first == profile.mainAction, contentCount(board) <= 1 { return 0.9 }
            let described = triggers.filter { profile.describes($0) && !Thesaurus.lightActions.contains($0) }
            return described.isEmpty ? 0 : described.contains { !ToolProfile.isGeneric($0) } ? 0.7 : 0.6
        }
        var said = 0.0
        for thing in profile.things {
            if triggers.contains(thing.stem) {
                said += thing.weight
            } else if triggers.contains(where: { Thesaurus.things.areRelated(thing.stem, $0) })
                || (!Thesaurus.lightActions.contains(thing.stem)
                    && (head?.actions ?? []).contains(where: {
                        !Thesaurus.lightActions.contains($0) && Thesaurus.actions.isTelling($0, thing.stem)
                    }))
            {
                said += thing.weight * 0.92
            }
        }
        let context = triggers.filter { profile.describes($0) }.count
        let isFilledGeneric =
            said > 0 && head.map { $0.actions.first == profile.mainAction } ?? false && !board.arguments.isEmpty
        if isFilledGeneric, said / total < 0.6 { return 0.6 }
        return min(1, said / total + (said > 0 && context > 0 ? 0.1 : 0))
    }

    /// What stands for the thing when it was not named: a telling verb with its argument, or values only this tool
    /// takes.
    private func impliedThing(
        _ board: SlotBoard, verbScore: Double, isSpecific: Bool, structured: Int, missing: [ParameterSpec],
        head: HeadVerb?
    ) -> Double {
        // Only a question whose form names the tool's action reaches this score.
        if head == nil, isSpecific, verbScore > 0.9 { return 0.75 }
        let required = profile.parameters.filter(\.isRequired)
        let filled = board.arguments.count
        let isBare =
            required.count == missing.count && (!required.isEmpty || verbScore >= 1) && contentCount(board) <= 1
        if isSpecific, verbScore >= 0.85, profile.things.isEmpty || filled > 0 || isBare { return 0.75 }
        if isNamedAlone(board, verbScore: verbScore) { return 0.6 }
        if isOwnObject(board, verbScore: verbScore) { return 0.65 }
        let isComplete = missing.isEmpty && required.count >= 2 && structured >= (verbScore >= 1 ? 1 : 2)
        if head != nil, isComplete, verbScore >= 0.85 { return 0.6 }
        let choices = profile.parameters.filter {
            if case .choice = $0.kind { board.arguments[$0.name] != nil } else { false }
        }.count
        if choices >= 1, structured >= 2 || (structured == filled && required.count <= 1) { return 0.7 }
        let context = range.contains {
            board.mark($0) == .trigger && profile.describes(board.tokens[$0].stem) && board.isContent($0)
                && !Thesaurus.lightActions.contains(board.tokens[$0].stem) && !(head?.tokens ?? []).contains($0)
                && (verbScore >= 1 || !ToolProfile.isGeneric(board.tokens[$0].stem))
        }
        return context ? 0.55 : 0
    }

    /// "find my wallet": the tool's very verb, and a thing of the speaker's for a tool that takes any thing.
    private func isOwnObject(_ board: SlotBoard, verbScore: Double) -> Bool {
        guard verbScore >= 1, !profile.things.isEmpty, profile.things.allSatisfy({ $0.weight < 1 }),
            let first = range.first(where: { board.mark($0) == .text })
        else { return false }
        return FunctionWords.possessives.contains(board.tokens[first].lower)
    }

    /// "open spotify": the tool's very verb and a bare name, which no article turns into something else.
    private func isNamedAlone(_ board: SlotBoard, verbScore: Double) -> Bool {
        guard verbScore >= 1, profile.parameters.count == 1, let parameter = profile.parameters.first,
            parameter.kind == .text,
            parameter.descriptionWords.contains("name"), board.arguments[parameter.name] != nil
        else { return false }
        let text = range.filter { board.mark($0) == .text }
        guard let first = text.first, text.count <= 2 else { return false }
        return !FunctionWords.all.contains(board.tokens[first].lower)
            && board.mark(first - 1 < range.lowerBound ? first : first - 1) != .open
    }

    /// "take the picture off the wall": what follows is neither an argument nor a mere detail.
    private func changesMeaning(_ board: SlotBoard) -> Bool {
        guard let last = range.last(where: { board.mark($0) != .open }), range.contains(last + 2) else { return false }
        let isOpen = (last + 1..<range.upperBound).contains { board.mark($0) == .open && board.isContent($0) }
        let turning: Set<String> = [
            "off", "to", "on", "onto", "into", "out", "down", "up", "over", "through", "under", "away", "between",
        ]
        return isOpen && turning.contains(board.tokens[last + 1].lower)
    }

    private func contentCount(_ board: SlotBoard) -> Int {
        range.filter { board.isContent($0) && !FunctionWords.placeholders.contains(board.tokens[$0].lower) }.count
    }

    /// Content words that are neither the tool's nor an argument; a closing "of my dog" counts as one at most.
    private func unexplainedWords(_ board: SlotBoard, toleratesTail: Bool) -> Int {
        let lastTrigger = range.last { board.mark($0) != .open } ?? board.start
        var inside = 0
        var behind = 0
        var index = board.start
        while index < range.upperBound {
            defer { index += 1 }
            guard board.mark(index) == .open, board.isContent(index) else { continue }
            if let date = CalendarGrammar.date(in: board.tokens, at: index),
                date.count > 1 || board.tokens[index].lower == "today"
            {
                index += date.count - 1
                continue
            }
            if index > lastTrigger { behind += 1 } else { inside += 1 }
        }
        let next = lastTrigger + 1
        let isModifier = range.contains(next) && ["of", "for", "with", "from", "in"].contains(board.tokens[next].lower)
        return inside + (toleratesTail && isModifier ? min(behind, 1) : behind)
    }
}
