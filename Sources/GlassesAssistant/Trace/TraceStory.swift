import GlassesDomain

/// Tells a trace to a person: each fact in a line, and what followed in lines below it.
public enum TraceStory {
    /// The lines of a step; `start` is the moment of the first one.
    public static func lines(of step: SessionTrace.Step, since start: MonotonicTime) -> [String] {
        let milliseconds = start.duration(to: step.at).wholeMilliseconds
        let seconds = "\(milliseconds / 1_000)." + String(String(1_000 + abs(milliseconds) % 1_000).dropFirst())
        let time = String(repeating: " ", count: max(0, 9 - seconds.count)) + seconds
        return ["\(time)  \(text(of: step.inputJSON))"]
            + step.verdicts.map { "             ? \($0.question.rawValue): \(text(of: $0.answer))" }
            + step.actions.map { "             → \(text(of: $0))" }
    }

    /// A fact or an action in words: `server #3 speechStarted itemID item_1`.
    static func text(of json: JSONValue) -> String {
        switch json {
        case .object(let members):
            if members.count == 1, let number = members["number"]?.intValue { return "#\(number)" }
            return members.keys.sorted().map { key in
                let value = text(of: members[key] ?? .null)
                return key.hasPrefix("_") ? value : value.isEmpty ? key : "\(key) \(value)"
            }.filter { !$0.isEmpty }.joined(separator: " ")
        case .array(let elements): return "[" + elements.map(text).joined(separator: ", ") + "]"
        case .string(let text): return text.contains(where: \.isWhitespace) ? json.jsonText : text
        case .int, .double, .bool, .null: return json.jsonText
        }
    }
}
