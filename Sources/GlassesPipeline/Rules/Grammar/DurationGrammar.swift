/// A unit of time that a parameter or a speaker may name.
enum TimeUnit: Double, CaseIterable {
    case millisecond = 0.001, second = 1, minute = 60, hour = 3_600, day = 86_400, week = 604_800

    private static let names: [String: TimeUnit] = {
        var table: [String: TimeUnit] = [:]
        let forms: [(TimeUnit, String)] = [
            (.millisecond, "millisecond milliseconds millis ms msec"), (.second, "second seconds sec secs s"),
            (.minute, "minute minutes min mins m minuets"), (.hour, "hour hours hr hrs h"), (.day, "day days"),
            (.week, "week weeks"),
        ]
        for (unit, words) in forms { for word in words.split(separator: " ") { table[String(word)] = unit } }
        return table
    }()

    /// The unit that a word names, in full or abbreviated.
    init?(word: String) {
        guard let unit = Self.names[word] else { return nil }
        self = unit
    }

    /// The next smaller unit that people count on with: "an hour thirty".
    var smaller: TimeUnit? {
        switch self {
        case .hour: .minute
        case .minute: .second
        case .millisecond, .second, .day, .week: nil
        }
    }

    /// The plural name that a question uses.
    var plural: String { "\(self)s" }
}

/// A stretch of time that was spoken, by unit, and how many tokens it took.
struct SpokenDuration: Equatable {
    var parts: [(unit: TimeUnit, amount: Double)]
    var count: Int

    /// The whole length in `unit`.
    func amount(in unit: TimeUnit) -> Double {
        let seconds = parts.reduce(0) { $0 + $1.amount * $1.unit.rawValue }
        return (seconds / unit.rawValue * 1e6).rounded() / 1e6
    }

    static func == (one: SpokenDuration, other: SpokenDuration) -> Bool {
        one.count == other.count && one.parts.elementsEqual(other.parts) { $0 == $1 }
    }
}

/// Reads durations: "five minutes", "half an hour", "an hour and a half", "a quarter of an hour", "1 hour 30
/// minutes", "90s".
enum DurationGrammar {
    /// The duration that begins at `start`; nil when there is none. "a second" counts, "the second" does not.
    static func duration(in tokens: [Token], at start: Int) -> SpokenDuration? {
        guard var (unit, amount, end) = part(in: tokens, at: start) else { return nil }
        var parts: [(unit: TimeUnit, amount: Double)] = []
        while true {
            if let (extra, next) = addedFraction(in: tokens, at: end) { (amount, end) = (amount + extra, next) }
            parts.append((unit, amount))
            let joint = end < tokens.count && tokens[end].lower == "and" ? end + 1 : end
            if let next = part(in: tokens, at: joint), next.unit.rawValue < unit.rawValue, joint < tokens.count,
                tokens[joint].breakBefore == .none
            {
                (unit, amount, end) = next
                continue
            }
            if let (rest, next) = bareRest(of: unit, in: tokens, at: joint) {
                parts.append(rest)
                end = next
            }
            return SpokenDuration(parts: parts, count: end - start)
        }
    }

    /// One amount with its unit.
    private static func part(in tokens: [Token], at start: Int) -> (unit: TimeUnit, amount: Double, end: Int)? {
        guard start < tokens.count else { return nil }
        var index = start
        var amount = 1.0
        if let number = NumberGrammar.number(in: tokens, at: start), !number.isOrdinal {
            amount = number.value
            index += number.count
            // "half an hour", "a quarter of an hour", "three quarters of an hour", "a couple of minutes"
            if index < tokens.count, tokens[index].lower == "of" { index += 1 }
            if amount < 1, index < tokens.count, ["a", "an"].contains(tokens[index].lower) { index += 1 }
        } else if ["a", "an"].contains(tokens[start].lower) {
            index += 1
        } else {
            return nil
        }
        guard index < tokens.count, index == start || tokens[index].breakBefore == .none,
            let unit = TimeUnit(word: tokens[index].lower), amount >= 0
        else { return nil }
        return (unit, amount, index + 1)
    }

    /// "… and a half", "… and a quarter", "… and three quarters" after a unit.
    private static func addedFraction(in tokens: [Token], at index: Int) -> (Double, Int)? {
        guard index < tokens.count, tokens[index].lower == "and",
            let number = NumberGrammar.number(in: tokens, at: index + 1), number.value < 1, number.value > 0
        else { return nil }
        let end = index + 1 + number.count
        // "an hour and half a minute" is two parts.
        if end < tokens.count,
            ["a", "an", "of"].contains(tokens[end].lower) || TimeUnit(word: tokens[end].lower) != nil
        {
            return nil
        }
        return (number.value, end)
    }

    /// "an hour thirty": a number without a unit of its own at the end.
    private static func bareRest(
        of unit: TimeUnit, in tokens: [Token], at index: Int
    ) -> ((unit: TimeUnit, amount: Double), Int)? {
        guard let smaller = unit.smaller, let number = NumberGrammar.number(in: tokens, at: index), !number.isOrdinal,
            tokens[index].breakBefore == .none, number.value >= 1, number.value < 60,
            index + number.count == tokens.count
        else { return nil }
        return ((smaller, number.value), index + number.count)
    }
}
