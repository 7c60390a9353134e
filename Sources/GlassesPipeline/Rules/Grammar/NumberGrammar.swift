/// A number that was spoken or written, and how many tokens it took.
struct SpokenNumber: Equatable {
    var value: Double
    var count: Int
    var isOrdinal = false
}

/// Reads English numbers: "5", "2.5", "twenty-five", "two hundred and six", "a dozen", "half", "three and a half".
struct NumberGrammar {
    private let tokens: ArraySlice<Token>
    private let start: Int
    private var position: Int

    /// The longest number that begins at `start`; nil when there is none. "a" alone is not a number.
    static func number(in tokens: [Token], at start: Int) -> SpokenNumber? {
        guard start < tokens.count else { return nil }
        var grammar = NumberGrammar(tokens: tokens[...], start: start, position: start)
        return grammar.read()
    }

    private mutating func read() -> SpokenNumber? {
        if accept(["minus", "negative"]) {
            guard let value = readUnsigned() else { return nil }
            return SpokenNumber(value: -value, count: position - start)
        }
        if let value = readOrdinal() { return SpokenNumber(value: value, count: position - start, isOrdinal: true) }
        return readUnsigned().map { SpokenNumber(value: $0, count: position - start) }
    }

    /// The word `offset` tokens ahead, unless punctuation separates it from what was read.
    private func word(_ offset: Int = 0) -> String? {
        let index = position + offset
        guard index < tokens.endIndex, index == start || tokens[index].breakBefore == .none else { return nil }
        return tokens[index].lower
    }

    private mutating func accept(_ words: Set<String>) -> Bool {
        guard let word = word(), words.contains(word) else { return false }
        position += 1
        return true
    }

    private mutating func readOrdinal() -> Double? {
        guard let text = word() else { return nil }
        if let base = Self.tens[text], let next = word(1), let unit = Self.ordinals[next], unit < 10 {
            position += 2
            return base + unit
        }
        guard let value = Self.ordinals[text] ?? Self.digitOrdinal(text) else { return nil }
        position += 1
        return value
    }

    private static func digitOrdinal(_ text: String) -> Double? {
        guard text.first?.isNumber == true, ["st", "nd", "rd", "th"].contains(text.suffix(2)) else { return nil }
        return Double(text.dropLast(2))
    }

    private mutating func readUnsigned() -> Double? {
        if let value = readFraction() ?? readCollection() { return value }
        guard var value = readCardinal() else { return nil }
        if accept(["dozen"]) { return value * 12 }
        if let decimals = readDecimals() { value += decimals }
        return value + (readAddedFraction() ?? 0)
    }

    /// "half", "a half", "half a dozen", "half a million", "a quarter", "three quarters", "two thirds".
    private mutating func readFraction() -> Double? {
        let rewind = position
        let amount = word().flatMap { Self.units[$0] } ?? 1
        if amount == 2 || amount == 3 { position += 1 } else { _ = accept(["a", "an", "one"]) }
        let isSeveral = amount == 2 || amount == 3
        guard let name = word(), let part = (isSeveral ? Self.severalParts : Self.parts)[name] else {
            position = rewind
            return nil
        }
        position += 1
        if part == 0.5, ["a", "the"].contains(word() ?? ""),
            let size = word(1).flatMap({ Self.collections[$0] ?? Self.scales[$0] })
        {
            position += 2
            return size / 2
        }
        return amount * part
    }

    /// "a dozen", "a couple of", "a hundred", "a thousand".
    private mutating func readCollection() -> Double? {
        let rewind = position
        let hasArticle = accept(["a"])
        if let name = word(), let size = Self.collections[name] {
            position += 1
            _ = accept(["of"])
            return size
        }
        position = rewind
        guard hasArticle, let name = word(1), Self.scales[name] != nil else { return nil }
        position += 1
        return readGroups(from: 1)
    }

    private mutating func readCardinal() -> Double? {
        if let value = readBelowHundred() { return readGroups(from: value) }
        guard let text = word(), text.first?.isNumber == true, let value = Double(text) else { return nil }
        position += 1
        return readGroups(from: value)
    }

    private mutating func readBelowHundred() -> Double? {
        guard let text = word() else { return nil }
        if let base = Self.tens[text] {
            position += 1
            guard let unit = word().flatMap({ Self.units[$0] }), (1..<10).contains(unit) else { return base }
            position += 1
            return base + unit
        }
        guard let value = Self.units[text] else { return nil }
        position += 1
        return value
    }

    /// Multiplies by "hundred", "thousand" …, and adds what follows: "two thousand three hundred and six".
    private mutating func readGroups(from first: Double) -> Double {
        var total = 0.0
        var current = first
        var smallestScale = Double.infinity
        while let name = word(), let scale = Self.scales[name], scale == 100 || scale < smallestScale {
            position += 1
            current *= scale
            if scale > 100 { (total, current, smallestScale) = (total + current, 0, scale) }
            let rewind = position
            _ = accept(["and"])
            if let rest = readBelowHundred() { current += rest } else { position = rewind }
        }
        return total + current
    }

    /// "point five", "point two five".
    private mutating func readDecimals() -> Double? {
        guard word() == "point", let first = word(1), Self.digit(first) != nil else { return nil }
        position += 1
        var scale = 0.1
        var value = 0.0
        while let digit = word().flatMap(Self.digit) {
            value += digit * scale
            scale /= 10
            position += 1
        }
        return (value * 1e9).rounded() / 1e9
    }

    private static func digit(_ text: String) -> Double? {
        if text == "oh" { return 0 }
        guard let value = units[text] ?? Double(text), value >= 0, value < 10 else { return nil }
        return value
    }

    /// "and a half", "and a quarter", "and three quarters".
    private mutating func readAddedFraction() -> Double? {
        let rewind = position
        guard accept(["and"]), word() != "half", let value = readFraction(), value < 1 else {
            position = rewind
            return nil
        }
        return value
    }

    private static let units: [String: Double] = [
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]
    private static let tens: [String: Double] = [
        "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        "ninety": 90,
    ]
    private static let scales: [String: Double] = ["hundred": 100, "thousand": 1_000, "million": 1e6, "billion": 1e9]
    private static let ordinals: [String: Double] = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
        "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
    ]
    private static let collections: [String: Double] = ["dozen": 12, "couple": 2, "pair": 2]
    private static let parts: [String: Double] = ["half": 0.5, "quarter": 0.25]
    private static let severalParts: [String: Double] = ["quarters": 0.25, "thirds": 1.0 / 3, "halves": 0.5]
}
