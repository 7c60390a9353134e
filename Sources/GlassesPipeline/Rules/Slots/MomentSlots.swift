import GlassesDomain

/// Fills texts of a known shape: clock times, dates, spoken durations and languages.
enum MomentSlots {
    private static let prepositions: Set<String> = ["at", "on", "for", "by", "from", "to", "until", "around", "of"]

    static func fill(_ parameters: [ParameterSpec], on board: inout SlotBoard) {
        let texts = parameters.filter { $0.kind == .text }
        // A moment takes time and date together, so it goes first; a time alone goes before the numbers in dates.
        // The second pass finds what stood before a value at the end: "… on monday at ten".
        for _ in 0..<2 {
            for role in [TextRole.moment, .date, .time, .duration, .language] {
                for parameter in texts where parameter.role == role && board.arguments[parameter.name] == nil {
                    fill(parameter, among: parameters, on: &board)
                }
            }
        }
    }

    private static func fill(_ parameter: ParameterSpec, among all: [ParameterSpec], on board: inout SlotBoard) {
        let hasOwnDate = all.contains { $0.kind == .text && $0.role == .date && $0.name != parameter.name }
        let hasOpenNumber = all.contains {
            ($0.kind == .integer || $0.kind == .number) && $0.isRequired && board.arguments[$0.name] == nil
        }
        // Among several matches the last wins: "remind me to take the 7 pm train tomorrow".
        for index in (board.start..<board.quoteStart).reversed() {
            let span: Range<Int>?
            switch parameter.role {
            case .moment: span = momentSpan(board, at: index)
            case .time:
                span = timeSpan(board, at: index, hasOwnDate)
            case .date: span = dateSpan(board, at: index)
            case .duration:
                span = DurationGrammar.duration(in: board.tokens, at: index).map { index..<index + $0.count }
            case .language: span = Languages.contains(board.tokens[index].lower) ? index..<index + 1 : nil
            case .person, .place, .origin, .creator, .label, .list, .topic, .expression, .content: span = nil
            }
            guard let found = span, !found.isEmpty, !(hasOpenNumber && isBareNumber(found, board)),
                found.upperBound <= board.range.upperBound, board.allows(found)
            else { continue }
            if index > board.start, continuesEarlier(board, at: index, parameter.role, hasOwnDate) { continue }
            let markers = parameter.role == .language ? TextRole.language.markers : prepositions
            board.take(found, for: parameter, .string(text(found, parameter, board)), prepositions: markers)
            return
        }
    }

    /// Whether a span from an earlier token would swallow this one.
    private static func continuesEarlier(_ board: SlotBoard, at index: Int, _ role: TextRole, _ hasOwnDate: Bool)
        -> Bool
    {
        (max(board.start, index - 4)..<index).contains { earlier in
            let span: Range<Int>?
            switch role {
            case .moment: span = momentSpan(board, at: earlier)
            case .time: span = timeSpan(board, at: earlier, hasOwnDate)
            case .date: span = dateSpan(board, at: earlier)
            case .duration:
                span = DurationGrammar.duration(in: board.tokens, at: earlier).map { earlier..<earlier + $0.count }
            case .language, .person, .place, .origin, .creator, .label, .list, .topic, .expression, .content: span = nil
            }
            return span.map { $0.contains(index) && board.allows($0) } ?? false
        }
    }

    /// A clock time, with its date unless that has a parameter of its own.
    private static func timeSpan(_ board: SlotBoard, at index: Int, _ hasOwnDate: Bool) -> Range<Int>? {
        if hasOwnDate { return clockSpan(board, at: index) }
        guard let span = momentSpan(board, at: index) else { return nil }
        return span.contains { clockSpan(board, at: $0) != nil } || board.tokens[index].lower == "in" ? span : nil
    }

    /// "for four" may as well be four people.
    private static func isBareNumber(_ span: Range<Int>, _ board: SlotBoard) -> Bool {
        guard span.count == 1, span.lowerBound > board.range.lowerBound,
            !["noon", "midnight", "midday"].contains(board.tokens[span.lowerBound].lower)
        else { return false }
        return !["at", "by", "until"].contains(board.tokens[span.lowerBound - 1].lower)
    }

    private static func text(_ span: Range<Int>, _ parameter: ParameterSpec, _ board: SlotBoard) -> String {
        if parameter.wantsTwentyFourHours,
            let clock = CalendarGrammar.clock(in: board.tokens, at: span.lowerBound)?.clock
        {
            return clock.text
        }
        return board.utterance.verbatim(span)
    }

    /// A clock time that is marked as one: "at seven", "7 pm", "half past six"; a bare "seven" after "for" counts too.
    private static func clockSpan(_ board: SlotBoard, at index: Int) -> Range<Int>? {
        guard let moment = CalendarGrammar.clock(in: board.tokens, at: index) else { return nil }
        let span = index..<index + moment.count
        let next = board.range.contains(span.upperBound) ? board.tokens[span.upperBound].lower : ""
        if TimeUnit(word: next) != nil
            || ["percent", "%", "people", "degrees", "times", "guests", "persons"].contains(next)
        {
            return nil
        }
        let isShaped =
            moment.count > 1 || board.tokens[index].lower.contains(":")
            || ["noon", "midnight", "midday"].contains(board.tokens[index].lower)
        let before = index > board.range.lowerBound ? board.tokens[index - 1].lower : ""
        let isIntroduced = ["at", "for", "by", "to", "from", "until", "around"].contains(before)
        return isShaped || isIntroduced || CalendarGrammar.date(in: board.tokens, at: span.upperBound) != nil
            ? span : nil
    }

    private static func dateSpan(_ board: SlotBoard, at index: Int) -> Range<Int>? {
        CalendarGrammar.date(in: board.tokens, at: index).map { index..<index + $0.count }
    }

    /// Time and date in either order, joined by "at" or "on": "tomorrow at seven", "7 pm on friday"; or "in ten
    /// minutes".
    private static func momentSpan(_ board: SlotBoard, at index: Int) -> Range<Int>? {
        if ["in", "within"].contains(board.tokens[index].lower),
            let length = DurationGrammar.duration(in: board.tokens, at: index + 1)
        {
            return index..<index + 1 + length.count
        }
        guard var end = (clockSpan(board, at: index) ?? dateSpan(board, at: index))?.upperBound else { return nil }
        while true {
            let joint =
                board.range.contains(end) && ["at", "on", "in", "around"].contains(board.tokens[end].lower)
                ? end + 1 : end
            guard joint < board.range.upperBound, board.tokens[joint].breakBefore != .sentence else { break }
            let hasClock =
                joint > end
                ? CalendarGrammar.clock(in: board.tokens, at: joint).map { joint..<joint + $0.count }
                : clockSpan(board, at: joint)
            guard let next = dateSpan(board, at: joint) ?? hasClock else { break }
            end = next.upperBound
        }
        return index..<end
    }
}

/// Names of languages, which are closed enough a class to be recognised as such.
enum Languages {
    private static let names = FunctionWords.words(
        "english spanish french german italian portuguese dutch swedish norwegian danish finnish polish "
            + "czech slovak russian ukrainian greek turkish arabic hebrew "
            + "persian farsi hindi urdu bengali tamil telugu chinese mandarin cantonese japanese korean "
            + "vietnamese thai indonesian malay tagalog filipino swahili "
            + "latin hungarian romanian bulgarian serbian croatian slovenian catalan basque irish welsh "
            + "icelandic estonian latvian lithuanian esperanto afrikaans"
    )

    static func contains(_ word: String) -> Bool { names.contains(word) }
}
