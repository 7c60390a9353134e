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
            impliedThing(board, verbScore: verbScore, isSpecific: isSpecific, structured: structured, missing: missing))
        let unexplained = unexplainedWords(board, toleratesTail: !isQuestion && verbScore >= 0.85 && named >= 0.9)
        guard thing >= 0.5 else { return nil }
        let content = board.tokens.indices.filter { range.contains($0) && board.isContent($0) }.count
        let explained = content == 0 ? 1 : max(0, 1 - Double(unexplained) / Double(content))
        let penalty = Double(unexplained) * (isQuestion ? 0.3 : 0.2) + (changesMeaning(board) ? 0.35 : 0)
        let fit = 0.02 * Double(min(structured, 3)) + (missing.isEmpty ? 0.02 : 0)
        let score =
            0.45 * verbScore + 0.4 * thing + 0.15 * explained + fit - penalty
            - (missing.isEmpty || thing >= 0.75 ? 0 : 0.1)
        let lastMark = range.last.map { board.mark($0) }
        return ToolMatch(
            tool: index, score: score, arguments: board.arguments, missing: missing, namesThing: named >= 0.5,
            endsInText: lastMark == .text,
            unexplained: unexplained)
    }

    /// How much of the tool's name was said; a tool named by a verb alone is named by that verb.
    private func namedWeight(_ board: SlotBoard, head: HeadVerb?) -> Double {
        let total = profile.things.reduce(0) { $0 + $1.weight }
        let triggers = range.filter { board.mark($0) == .trigger }.map { board.tokens[$0].stem } + (head?.actions ?? [])
        guard total > 0 else {
            let isNoun = range.contains {
                board.mark($0) == .trigger && board.tokens[$0].stem == profile.mainAction && head?.tokens.first != $0
            }
            if isNoun { return 0.9 }
            let context = triggers.filter { profile.context.contains($0) && !Thesaurus.lightActions.contains($0) }.count
            return context > 0 ? 0.7 : 0
        }
        var said = 0.0
        for thing in profile.things {
            if triggers.contains(thing.stem) {
                said += thing.weight
            } else if triggers.contains(where: { Thesaurus.things.areRelated(thing.stem, $0) }) {
                said += thing.weight * 0.92
            }
        }
        let context = triggers.filter { profile.context.contains($0) }.count
        return min(1, said / total + (said > 0 && context > 0 ? 0.1 : 0))
    }

    /// What stands for the thing when it was not named: a telling verb with its argument, or values only this tool takes.
    private func impliedThing(
        _ board: SlotBoard, verbScore: Double, isSpecific: Bool, structured: Int, missing: [ParameterSpec]
    ) -> Double {
        let required = profile.parameters.filter(\.isRequired)
        let filled = board.arguments.count
        let isBare = required.count == missing.count && !required.isEmpty && contentCount(board) <= 1
        if isSpecific, verbScore >= 0.85, profile.things.isEmpty || filled > 0 || isBare { return 0.8 }
        let choices = profile.parameters.filter {
            if case .choice = $0.kind { board.arguments[$0.name] != nil } else { false }
        }.count
        if choices >= 1, structured >= 2 || (structured == filled && required.count <= 1) { return 0.7 }
        let context = range.contains {
            board.mark($0) == .trigger && profile.context.contains(board.tokens[$0].stem) && board.isContent($0)
                && !Thesaurus.lightActions.contains(board.tokens[$0].stem)
        }
        return context ? 0.55 : 0
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

    private func contentCount(_ board: SlotBoard) -> Int { range.filter { board.isContent($0) }.count }

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
