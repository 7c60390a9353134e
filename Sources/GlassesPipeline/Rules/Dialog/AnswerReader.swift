import GlassesDomain

/// Reads an utterance as the answer to an open question.
struct AnswerReader {
    enum Answer: Equatable {
        case value(JSONValue)
        /// "never mind"
        case withdrawn
        /// Something else is wanted instead.
        case newCommand
        case unclear
    }

    let question: PendingQuestion
    let profile: ToolProfile
    let profiles: [ToolProfile]

    private static let withdrawals: Set<String> = [
        "never mind", "nevermind", "cancel", "cancel that", "cancel it", "forget it", "forget that", "forget about it",
        "stop", "no", "nothing", "no thanks", "no thank you", "do not", "do not bother", "skip it",
        "leave it", "not now", "none", "do not do it", "quit", "abort", "drop it", "no never mind", "oh never mind",
        "it is okay", "it does not matter", "i changed my mind", "let it be", "oh forget it", "actually never mind",
        "let us not", "stop it", "not anymore",
    ]

    func read(_ utterance: Utterance) -> Answer {
        let words = utterance.tokens.map(\.lower).filter { !["please", "uh", "um", "well", "sorry"].contains($0) }
            .joined(separator: " ")
        if question.parameter.kind != .boolean || words != "no", Self.withdrawals.contains(words) { return .withdrawn }
        guard !utterance.tokens.isEmpty else { return .unclear }
        let fresh = freshCommand(utterance)
        if let fresh, fresh.tool != question.tool || question.parameter.kind == .text, fresh.isCertain {
            return .newCommand
        }
        if let value = value(in: utterance) { return .value(value) }
        return fresh != nil ? .newCommand : .unclear
    }

    /// What the utterance would mean without the question; certain when it names the other tool's thing.
    private func freshCommand(_ utterance: Utterance) -> (tool: String, isCertain: Bool)? {
        let reader = ClauseReader(profiles: profiles, utterance: utterance)
        for reading in reader.readAll() {
            guard case .match(let match) = reading else { continue }
            let act = reader.act(of: 0..<utterance.tokens.count)
            if case .phrase = act, question.parameter.kind == .text { continue }
            return (profiles[match.tool].tool.name, match.namesThing && match.unexplained == 0)
        }
        return nil
    }

    /// The value for the asked parameter, if the utterance holds one.
    private func value(in utterance: Utterance) -> JSONValue? {
        let range = 0..<utterance.tokens.count
        var board = SlotBoard(utterance: utterance, range: range, start: 0)
        let parameter = question.parameter
        let head = HeadVerb(in: utterance.tokens, head: 0, end: range.upperBound)
        switch parameter.kind {
        case .integer, .number:
            NumberSlots.fillDurations([parameter], on: &board)
            NumberSlots.fillBareDuration([parameter], on: &board)
            NumberSlots.fillNumbers([parameter], on: &board)
        case .boolean:
            fillYesOrNo(&board)
            BooleanSlots.fill([parameter], head: head, on: &board)
        case .choice: ChoiceSlots.fill([parameter], head: head, on: &board)
        case .text, .list: fillText(&board)
        case .other: return nil
        }
        return board.arguments[parameter.name]
    }

    private func fillYesOrNo(_ board: inout SlotBoard) {
        let words = Set(board.tokens.map(\.lower))
        if !words.isDisjoint(with: ["yes", "yeah", "yep", "sure", "true", "on"]) {
            board.arguments[question.parameter.name] = .bool(true)
        }
        if !words.isDisjoint(with: ["no", "nope", "false", "off", "not"]) {
            board.arguments[question.parameter.name] = .bool(false)
        }
    }

    /// A time or language is looked for; any other text is the whole answer without "to …" or "it's …".
    private func fillText(_ board: inout SlotBoard) {
        MomentSlots.fill([question.parameter], on: &board)
        guard board.arguments[question.parameter.name] == nil else { return }
        var start = 0
        let tokens = board.tokens
        let lead: Set<String> = ["uh", "um", "oh", "well", "okay", "please", "just", "make", "it", "is"]
        let markers = question.parameter.role == .content ? ["that"] : question.parameter.role.markers
        while start + 1 < tokens.count, lead.contains(tokens[start].lower) || markers.contains(tokens[start].lower) {
            start += 1
        }
        var end = tokens.count
        while end - 1 > start, ["please", "thanks"].contains(tokens[end - 1].lower) { end -= 1 }
        let text = board.utterance.verbatim(start..<end)
        if case .list = question.parameter.kind {
            board.arguments[question.parameter.name] = .array([.string(text)])
        } else {
            board.arguments[question.parameter.name] = .string(text)
        }
    }
}
