import GlassesDomain

/// How well one tool answers one clause, and with which arguments.
struct ToolMatch {
    var tool: Int
    var score: Double
    var arguments: [String: JSONValue]
    /// Values that were said side by side for a parameter that takes one, in the order of the sentence.
    var coordinated: [String: [JSONValue]] = [:]
    /// The first required parameters that were not said, in the schema's order.
    var missing: [ParameterSpec]
    /// Whether the clause names the tool's thing ("timer"), and not only its verb.
    var namesThing: Bool
    /// Whether the clause ends inside free text, so that what follows may belong to it.
    var endsInText: Bool
    /// Content words that nothing explains.
    var unexplained: Int
}

/// Scores one tool for one clause: verb, thing, arguments, and what is left unexplained.
struct ToolMatcher {
    /// Below this the brain says that it can't; chosen on the development corpus.
    static let threshold = 0.62

    let profile: ToolProfile
    let index: Int
    let utterance: Utterance
    let range: Range<Int>

    var tokens: [Token] { utterance.tokens }

    /// The match for the clause's act; nil when the act asks for nothing that this tool does.
    func match(_ act: SpeechAct) -> ToolMatch? {
        switch act {
        case .command(let head, let start): command(head, from: start)
        case .wish(let start): phrase(start, verbScore: 0.8)
        case .phrase(let start): phrase(start, verbScore: 0.7)
        case .question(let start): question(start)
        case .refusal, .remark: nil
        }
    }

    // MARK: Acts

    func command(_ head: Int, from start: Int) -> ToolMatch? {
        let verb = HeadVerb(
            in: tokens, head: head, end: range.upperBound, phraseVerbs: Set(profile.actions.filter { $0.contains("_") })
        )
        var board = SlotBoard(utterance: utterance, range: range, start: start)
        for index in verb.tokens { board.marks[index] = .trigger }
        let verbScore = max(verbScore(verb.actions), nounScore(verb, head, &board))
        // "captions off": the word is also a verb, but here it is the tool's thing.
        if verbScore < 0.6, isThing(head) { return phrase(start, verbScore: 0.7) }
        return finish(
            &board, head: verb, headIndex: head, verbScore: verbScore, isQuestion: false, isSpecific: isSpecific(verb))
    }

    func phrase(_ start: Int, verbScore: Double) -> ToolMatch? {
        var board = SlotBoard(utterance: utterance, range: range, start: start)
        var verbScore = verbScore
        // "volume up", "next track"
        if let main = profile.mainAction,
            let index = range.first(where: { $0 >= start && $0 < start + 4 && tokens[$0].stem == main })
        {
            board.marks[index] = .trigger
            verbScore = 0.95
        }
        // "night mode on" for a tool that turns something on.
        for (particle, action) in [("on", "turn_on"), ("off", "turn_off")]
        where tokens[range.upperBound - 1].lower == particle {
            let isParameter = profile.parameters.contains { !Polarity.actions(of: $0).isEmpty }
            let isMeant = profile.mainAction.map { Thesaurus.actions.expresses(action, $0) } ?? false
            guard isMeant, !isParameter else { continue }
            board.marks[range.upperBound - 1] = .trigger
            verbScore = 0.95
        }
        let match = finish(
            &board, head: nil, headIndex: nil, verbScore: verbScore, isQuestion: false, isSpecific: false)
        guard let match, match.unexplained == 0, match.namesThing else { return nil }
        let opposes =
            verbScore < 0.9
            && (profile.mainAction.map { Thesaurus.keys("stop delete cancel pause remove close disable").contains($0) }
                ?? false)
        return opposes ? nil : match
    }

    func question(_ start: Int) -> ToolMatch? {
        var board = SlotBoard(utterance: utterance, range: range, start: start)
        let intent = QuestionIntent(in: tokens, range: start..<range.upperBound)
        let intended = intent.actions.firstIndex { said in
            profile.actions.contains { Thesaurus.actions.expresses(said, $0) }
        }
        let isIntended = intended != nil
        guard isIntended || profile.answersQuestions && !intent.isExclusive else { return nil }
        let takesWords = profile.parameters.contains { $0.kind == .text && $0.isRequired && $0.role == .content }
        // "is it hard to translate French": a yes-or-no question quotes no text.
        guard FunctionWords.questionWords.contains(tokens[start].lower) || !takesWords else { return nil }
        var isSpecific = isIntended && !(intent.needsThing && !profile.things.isEmpty)
        if isIntended { for index in intent.tokens { board.marks[index] = .trigger } }
        for index in start..<min(range.upperBound, start + 6)
        where board.mark(index) == .open && board.isContent(index) && !isThing(index) {
            guard profile.actions.contains(where: { Thesaurus.actions.expresses(tokens[index].stem, $0) }) else {
                continue
            }
            board.marks[index] = .trigger
            if !Thesaurus.lightActions.contains(tokens[index].stem) { isSpecific = true }
        }
        markQuestionOpening(&board, from: start)
        let verbScore = intended.map { 0.95 - 0.04 * Double($0) } ?? 0.85
        return finish(&board, head: nil, headIndex: nil, verbScore: verbScore, isQuestion: true, isSpecific: isSpecific)
    }

    /// "how long does it take to get", "what time is it": the words that only make the question.
    func markQuestionOpening(_ board: inout SlotBoard, from start: Int) {
        let opening: Set<String> = [
            "long", "far", "take", "takes", "get", "go", "it", "there", "much", "many", "does", "do", "is", "are",
            "will", "to",
        ]
        for index in start..<range.upperBound {
            let word = tokens[index].lower
            if word == "to", index + 1 < range.upperBound, !["get", "go"].contains(tokens[index + 1].lower) { return }
            guard
                opening.contains(word) || FunctionWords.questionWords.contains(word) || isThing(index)
                    || board.mark(index) == .trigger
            else { return }
            board.marks[index] = .trigger
        }
    }

    // MARK: Verb

    static let creating = Thesaurus.keys(
        "set start create make begin add put give get do run new open launch schedule have need place "
            + "book want record bring log track enter save"
    )
    static let reading = Thesaurus.keys(
        "get check show read list tell give what see view fetch report display look hear have know open "
            + "find pull_up bring_up"
    )

    func verbScore(_ actions: [String]) -> Double {
        // The first reading of the verb is the likelier one.
        actions.enumerated().map { verbScore($0.element) - 0.03 * Double($0.offset) }.max() ?? 0
    }

    func verbScore(_ action: String) -> Double {
        var best = 0.0
        for own in profile.actions {
            let isMain = own == profile.mainAction
            if action == own {
                best = max(best, isMain ? 1 : 0.97)
            } else if Thesaurus.actions.expresses(action, own) {
                best = max(best, isMain ? 0.9 : 0.85)
            }
        }
        guard let main = profile.mainAction else {
            // A tool named by a thing alone: whatever one does with it, and the thing itself as a verb.
            let isLight = Self.reading.contains(action) || Self.creating.contains(action)
            return max(best, isLight ? 0.72 : 0, profile.things.contains { $0.stem == action } ? 0.8 : 0)
        }
        let isObjectVerb = profile.things.contains {
            Thesaurus.objectVerbs.contains(action)
                ? Thesaurus.things.areRelated($0.stem, action)
                : $0.stem == action && $0.weight == 1 && !Thesaurus.lightActions.contains(action)
        }
        if isObjectVerb, Self.creating.contains(main) || ["send", "write", "take"].contains(main) {
            best = max(best, 0.87)
        }
        if Self.creating.contains(action), Self.creating.contains(main) { best = max(best, 0.72) }
        if Self.reading.contains(action), Self.reading.contains(main) || profile.answersQuestions {
            best = max(best, 0.75)
        }
        return best
    }

    /// "set the zoom", "play the previous track", "volume up": the tool's verb stands as a noun or adjective.
    func nounScore(_ verb: HeadVerb, _ head: Int, _ board: inout SlotBoard) -> Double {
        guard let main = profile.mainAction, !verb.actions.contains(main) else { return 0 }
        let light = Self.creating.union(Thesaurus.keys("change adjust turn switch play go"))
        guard let first = verb.actions.last,
            light.contains(first) || verb.actions.contains(where: { Thesaurus.actions.expresses($0, main) })
        else { return 0 }
        guard
            let index = (head + 1..<max(head + 1, range.upperBound)).first(where: {
                tokens[$0].stem == main && board.mark($0) == .open
            })
        else { return 0 }
        let opening = (head + 1..<index).allSatisfy { FunctionWords.contains(tokens[$0]) || isThing($0) }
        guard opening else { return 0 }
        board.marks[index] = .trigger
        return 0.98
    }

    func isSpecific(_ verb: HeadVerb) -> Bool {
        verb.actions.contains { action in
            !Thesaurus.lightActions.contains(action)
                && profile.actions.contains {
                    (profile.mainAction == nil || !profile.describedActions.contains($0))
                        && Thesaurus.actions.isTelling(action, $0)
                }
        }
    }

    func isThing(_ index: Int) -> Bool {
        let stem = tokens[index].stem
        if profile.things.isEmpty, stem == profile.mainAction, !FunctionWords.all.contains(tokens[index].lower) {
            return true
        }
        // "tracking" is no track, but a meeting is a meeting.
        let isGerund = tokens[index].lower.hasSuffix("ing") && tokens[index].lower != stem
        return profile.things.contains {
            $0.stem == stem || !isGerund && Thesaurus.things.areRelated($0.stem, tokens[index].stem)
        }
    }

    // MARK: Things and arguments

    func finish(
        _ board: inout SlotBoard, head: HeadVerb?, headIndex: Int?, verbScore: Double, isQuestion: Bool,
        isSpecific: Bool
    ) -> ToolMatch? {
        guard verbScore >= 0.6 else { return nil }
        let textual = profile.parameters.filter { $0.kind == .text || $0.kind == .list(.text) }
        board.keepsTextWhole = textual.contains { [.content, .label, .topic].contains($0.role) && $0.isRequired }
        markQuote(&board, textual, head)
        let lead = markTriggers(&board, head: head, hasText: !textual.isEmpty, isQuestion: isQuestion)
        NumberSlots.fillDurations(profile.parameters, on: &board)
        MomentSlots.fill(profile.parameters, on: &board)
        ChoiceSlots.fill(profile.parameters, head: head, on: &board)
        if !textual.isEmpty {
            markTail(&board, from: lead.end)
            markListWords(&board, from: lead.end)
        }
        MomentSlots.fill(profile.parameters, on: &board)
        ChoiceSlots.fill(profile.parameters, head: head, on: &board)
        BooleanSlots.fill(profile.parameters, head: head, on: &board)
        NumberSlots.fillBareDuration(profile.parameters, on: &board)
        NumberSlots.fillNumbers(profile.parameters, on: &board)
        let structured = board.arguments.count
        TextSlots(profile: profile, head: headIndex).fill(
            on: &board, triggerEnd: lead.end, gap: lead.gap.flatMap { openSpan($0, board) })
        return score(
            board, verbScore: verbScore, isQuestion: isQuestion, isSpecific: isSpecific, structured: structured,
            head: head)
    }

    /// The words of a gap before the first structured value in it: "pay Tom 15 dollars".
    func openSpan(_ gap: Range<Int>, _ board: SlotBoard) -> Range<Int>? {
        let start = gap.first { board.mark($0) == .open && board.isContent($0) } ?? gap.upperBound
        let end = (start..<gap.upperBound).first { board.mark($0) != .open } ?? gap.upperBound
        return end > start ? start..<end : nil
    }

    func isVerb(_ index: Int) -> Bool {
        guard range.contains(index) else { return false }
        return Thesaurus.actions.contains(tokens[index].stem)
            && !FunctionWords.determiners.contains(tokens[index].lower) && !isThing(index)
    }

    /// "that", "saying" and a colon begin quoted text for a tool that takes text.
    func markQuote(_ board: inout SlotBoard, _ textual: [ParameterSpec], _ head: HeadVerb?) {
        guard textual.contains(where: { $0.role == .content || $0.role == .topic }), let head,
            let last = head.tokens.last
        else { return }
        for index in (last + 1)..<max(range.upperBound, last + 1) {
            let word = tokens[index].lower
            let opens = ["that", "saying", "says"].contains(word) || tokens[index].afterColon
            if opens, index + 1 < range.upperBound || tokens[index].afterColon { return board.quoteStart = index }
        }
    }
}
