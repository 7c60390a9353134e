import GlassesDomain

/// What one clause asks for.
enum ClauseReading {
    case match(ToolMatch)
    case refusal
    case nothing
}

/// Reads an utterance as a sequence of clauses, each for one tool.
struct ClauseReader {
    /// Readings cost clauses × tools; more commands than these in one breath are not understood.
    private static let maximumBoundaries = 12

    let profiles: [ToolProfile]
    let utterance: Utterance

    private var tokens: [Token] { utterance.tokens }
    private var verbs: Set<String> { Set(profiles.flatMap(\.actions)) }

    /// The readings of the clauses, in order.
    func readAll() -> [ClauseReading] {
        var readings: [ClauseReading] = []
        for sentence in sentences() { readings += read(sentence) }
        return readings
    }

    /// The best reading of one clause.
    func best(_ range: Range<Int>) -> ClauseReading {
        let range = withoutPoliteTail(range)
        guard !range.isEmpty else { return .nothing }
        let act = act(of: range)
        if act == .refusal { return .refusal }
        let matches = matches(range, act).filter { $0.score >= ToolMatcher.threshold }
        guard let first = matches.first else { return withoutPurpose(range, act) }
        if isGuess(first, matches.dropFirst().first, act) { return .nothing }
        return .match(first)
    }

    /// "I need a five minute timer for the eggs": what a wished thing is for may be nothing that a tool takes.
    private func withoutPurpose(_ range: Range<Int>, _ act: SpeechAct) -> ClauseReading {
        guard case .wish(let start) = act,
            let purpose = range.last(where: { tokens[$0].lower == "for" }), purpose > start + 1,
            !(purpose..<range.upperBound).contains(where: { NumberGrammar.number(in: tokens, at: $0) != nil }),
            case .match(let match) = best(range.lowerBound..<purpose), match.missing.isEmpty, match.namesThing
        else { return .nothing }
        return .match(match)
    }

    /// The clause without "would you" or "thank you very much" at its end.
    private func withoutPoliteTail(_ range: Range<Int>) -> Range<Int> {
        let tails = [
            ["thank", "you", "very", "much"], ["thank", "you"], ["thanks", "a", "lot"], ["thanks"], ["would", "you"],
            ["could", "you"], ["will", "you"], ["if", "you", "can"],
            ["if", "you", "please"], ["right", "away"], ["right", "now"], ["real", "quick"], ["for", "me"],
            ["as", "soon", "as", "possible"], ["asap"], ["please"],
        ]
        var end = range.upperBound
        while let tail = tails.first(where: {
            end - $0.count > range.lowerBound && tokens[end - $0.count..<end].map(\.lower) == $0
        }) {
            // "how do you say thank you": what is left must still say something.
            guard end - tail.count - range.lowerBound >= 2,
                !["say", "saying", "that"].contains(tokens[end - tail.count - 1].lower)
            else { break }
            end -= tail.count
        }
        return range.lowerBound..<end
    }

    /// What the speaker does with one clause.
    func act(of range: Range<Int>) -> SpeechAct { SpeechActReader.act(of: tokens, in: range, verbs: verbs) }

    /// The tools for a clause, best first.
    func matches(_ range: Range<Int>, _ act: SpeechAct) -> [ToolMatch] {
        profiles.indices.compactMap { index in
            ToolMatcher(profile: profiles[index], index: index, utterance: utterance, range: range).match(act)
        }.sorted { ($0.score, $1.tool) > ($1.score, $0.tool) }
    }

    /// Without a verb two equally good tools leave it open what is wanted.
    private func isGuess(_ first: ToolMatch, _ second: ToolMatch?, _ act: SpeechAct) -> Bool {
        guard let second else { return false }
        let lead = first.score - second.score
        if case .phrase = act { return lead < 0.02 }
        return lead < 0.001 && !first.namesThing
    }

    private func sentences() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for index in tokens.indices where index > start && tokens[index].breakBefore == .sentence {
            ranges.append(start..<index)
            start = index
        }
        if start < tokens.count { ranges.append(start..<tokens.count) }
        return ranges
    }

    // MARK: Several commands in one sentence

    /// A place where a new clause may begin.
    private struct Boundary {
        var end: Int
        var next: Int
        /// "then", "also" and a comma part clauses more strongly than "and".
        var isStrong: Bool
    }

    private func read(_ sentence: Range<Int>) -> [ClauseReading] {
        var readings: [ClauseReading] = []
        var start = sentence.lowerBound
        for boundary in boundaries(in: sentence) where boundary.end > start {
            guard parts(start, boundary, sentence.upperBound) else { continue }
            readings += each(best(start..<boundary.end))
            start = boundary.next
        }
        return readings + each(best(start..<sentence.upperBound))
    }

    /// "turn off the kitchen and the bedroom lights" is one call for each room.
    private func each(_ reading: ClauseReading) -> [ClauseReading] {
        guard case .match(let match) = reading, let (name, values) = match.coordinated.first, !values.isEmpty else {
            return [reading]
        }
        return values.map { value in
            var one = match
            one.arguments[name] = value
            return .match(one)
        }
    }

    private func boundaries(in sentence: Range<Int>) -> [Boundary] {
        var found: [Boundary] = []
        for index in sentence.dropFirst() where found.count < Self.maximumBoundaries {
            let word = tokens[index].lower
            if let last = found.last, last.next > index { continue }
            if ["and", "then", "but", "also", "plus", "so"].contains(word) {
                var next = index + 1
                while sentence.contains(next),
                    ["then", "also", "and", "please", "after", "that"].contains(tokens[next].lower)
                { next += 1 }
                guard next < sentence.upperBound else { continue }
                found.append(
                    Boundary(
                        end: index, next: next,
                        isStrong: word != "and" || next > index + 1 || tokens[index].breakBefore == .comma))
            } else if word == "after", index + 2 < sentence.upperBound, tokens[index + 1].lower == "that" {
                found.append(Boundary(end: index, next: index + 2, isStrong: true))
            } else if tokens[index].breakBefore == .comma, !tokens[index].afterColon {
                found.append(Boundary(end: index, next: index, isStrong: true))
            } else if mayBeginUnmarked(index, sentence) {
                found.append(Boundary(end: index, next: index, isStrong: false))
            }
        }
        return found
    }

    /// Whether a verb stands where a recogniser without punctuation runs two commands together.
    private func mayBeginUnmarked(_ index: Int, _ sentence: Range<Int>) -> Bool {
        guard index >= sentence.lowerBound + 2, index + 1 < sentence.upperBound,
            verbs.contains(tokens[index].stem) || Thesaurus.actions.contains(tokens[index].stem)
                || Thesaurus.actions.contains("\(tokens[index].lower)_\(tokens[index + 1].lower)")
        else { return false }
        let before = tokens[index - 1].lower
        return !FunctionWords.determiners.contains(before)
            && (!FunctionWords.prepositions.contains(before) || ["on", "off", "up", "down"].contains(before))
            && !FunctionWords.pronouns.contains(before)
            && (!FunctionWords.auxiliaries.contains(before) || before == "am")
            && act(of: index..<sentence.upperBound) == .command(head: index, start: index)
    }

    /// Two whole commands without a word between them: nothing may be left over on either side.
    private func partsUnmarked(_ start: Int, _ boundary: Boundary, _ end: Int) -> Bool {
        // One command that reads well as a whole is not cut: "give me walking directions to the park".
        guard !isSomething(best(start..<end)), isCommand(start..<boundary.end),
            case .match(let left) = best(start..<boundary.end), left.missing.isEmpty, left.unexplained == 0,
            left.namesThing || !left.endsInText, !left.endsInText || endsInName(left)
        else { return false }
        let later = boundaries(in: boundary.next..<end).map(\.end) + [end]
        return later.contains {
            guard case .match(let right) = best(boundary.next..<$0) else { return false }
            return right.unexplained == 0 && (right.namesThing || right.missing.isEmpty)
        }
    }

    /// "call mom", "navigate home": a name ends where a verb begins, a message does not.
    private func endsInName(_ match: ToolMatch) -> Bool {
        profiles[match.tool].parameters.filter { $0.kind == .text && match.arguments[$0.name] != nil }
            .allSatisfy { [.person, .place, .language, .time, .date, .moment, .creator].contains($0.role) }
    }

    /// Whether what follows a boundary is a command of its own.
    private func parts(_ start: Int, _ boundary: Boundary, _ end: Int) -> Bool {
        if boundary.end == boundary.next, tokens[boundary.next].breakBefore == .none {
            return partsUnmarked(start, boundary, end)
        }
        let later = boundaries(in: boundary.next..<end).map(\.end) + [end]
        guard let right = later.lazy.map({ best(boundary.next..<$0) }).first(where: isSomething) else { return false }
        let left = best(start..<boundary.end)
        if case .match(let match) = left, completes(match, start..<end), tokens[boundary.end].lower != "and" {
            return false
        }
        switch (left, right) {
        case (.match(let left), .match(let right)):
            guard isCommand(boundary.next..<end) else { return false }
            return !left.endsInText || right.namesThing || boundary.isStrong && !opensQuote(start..<boundary.end)
        case (.match(let left), .refusal): return !left.endsInText || boundary.isStrong
        case (.refusal, .match): return isCommand(boundary.next..<end)
        case (.refusal, .refusal): return true
        case (.nothing, .match(let right)):
            return boundary.isStrong && right.namesThing && isCommand(boundary.next..<end)
                && !reports(start..<boundary.end)
        case (_, .nothing), (.nothing, .refusal): return false
        }
    }

    /// Whether the rest only says what the command before it lacks: "send a message to Anna, I'm late".
    private func completes(_ match: ToolMatch, _ range: Range<Int>) -> Bool {
        guard match.missing.contains(where: { $0.kind == .text }), case .match(let whole) = best(range) else {
            return false
        }
        return whole.tool == match.tool && whole.missing.isEmpty
    }

    private func isSomething(_ reading: ClauseReading) -> Bool { if case .nothing = reading { false } else { true } }

    private func isCommand(_ range: Range<Int>) -> Bool {
        switch act(of: range) {
        case .command, .question, .wish: true
        case .phrase, .refusal, .remark: false
        }
    }

    private func opensQuote(_ range: Range<Int>) -> Bool {
        tokens[range].contains { ["that", "saying", "says"].contains($0.lower) }
    }

    /// "she said", "if it rains": what follows is reported or depends on something.
    private func reports(_ range: Range<Int>) -> Bool {
        let words = tokens[range].map(\.lower)
        let reporting: Set<String> = [
            "said", "says", "told", "asked", "yelled", "shouted", "if", "when", "whenever", "unless", "once", "after",
            "before", "how", "why", "would", "could", "should", "until", "while", "wish", "wonder", "remember",
            "suppose", "imagine",
        ]
        return words.contains(where: reporting.contains)
    }
}
