import GlassesDomain

/// Tells a trace to a person: each fact in a line, and what followed in lines below it.
public struct TraceStory: Sendable {
    private let start: MonotonicTime

    /// The story of a session whose first fact came at `start`: its times count from there.
    public init(since start: MonotonicTime) { self.start = start }

    /// The lines of a step.
    public func lines(of step: SessionTrace.Step) -> [String] {
        let time = seconds(step.at)
        let margin = String(repeating: " ", count: max(0, 9 - time.count))
        return [margin + "\(time)  \(text(of: step.inputJSON))"]
            + step.verdicts.map { "             ? \($0.question.rawValue): \(text(of: $0.answer))" }
            + step.actions.map { "             → \(text(of: $0))" }
    }

    private func seconds(_ moment: MonotonicTime) -> String {
        let milliseconds = start.duration(to: moment).wholeMilliseconds
        return "\(milliseconds / 1_000)." + String(String(1_000 + abs(milliseconds) % 1_000).dropFirst())
    }

    /// A fact or an action in words: `server #3 speechStarted itemID item_1`.
    func text(of json: JSONValue) -> String {
        switch json {
        case .object(let members):
            if members.count == 1, let number = members["number"]?.intValue { return "#\(number)" }
            if members.count == 1, let moment = members["nanoseconds"]?.intValue {
                return seconds(MonotonicTime(nanoseconds: moment)) + " s"
            }
            return members.keys.sorted().map { key in
                let value = text(of: members[key] ?? .null)
                return key.hasPrefix("_") ? value : value.isEmpty ? key : "\(key) \(value)"
            }.filter { !$0.isEmpty }.joined(separator: " ")
        case .array(let elements): return "[" + elements.map(text).joined(separator: ", ") + "]"
        case .string(let text): return text.isEmpty || text.contains(where: \.isWhitespace) ? json.jsonText : text
        case .int, .double, .bool, .null: return json.jsonText
        }
    }
}
