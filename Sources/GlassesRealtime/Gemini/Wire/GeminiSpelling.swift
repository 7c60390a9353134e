extension ObjectReader {
    /// The field by its name in camelCase or in snake_case: peers of Gemini Live mix the two.
    mutating func takeSpelled<T: WireValue>(
        _ name: String, as type: T.Type = T.self
    ) throws(RealtimeCodecError) -> T? {
        try take(spelling(of: name), as: type)
    }

    /// The spelling of `name` that the object has; camelCase when it has neither.
    func spelling(of name: String) -> String {
        if members[name] != nil { return name }
        let snake = GeminiSpelling.snakeCase(name)
        return members[snake] == nil ? name : snake
    }
}

enum GeminiSpelling {
    /// `modelTurn` as `model_turn`.
    static func snakeCase(_ name: String) -> String {
        var text = ""
        for letter in name {
            if letter.isUppercase { text += "_" }
            text += letter.lowercased()
        }
        return text
    }
}

/// A span of time as Gemini Live writes it: seconds as a text, such as `9.500s`.
enum GeminiDuration {
    /// Longer spans than a day mean nothing in a live session and count as one.
    private static let longestSeconds = 86_400.0

    /// The milliseconds of `text`, rounded down; nil when it is no span of time.
    static func milliseconds(_ text: String) -> Int? {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds.isFinite, seconds >= 0 else {
            return nil
        }
        return Int(min(seconds, longestSeconds) * 1_000)
    }

    /// `milliseconds` as Gemini Live writes it.
    static func text(milliseconds: Int) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest + "s"
    }
}
