import GlassesDomain

/// A summary without a model: the sentences of a conversation that say most, in their order.
///
/// What the user said of themselves counts most, then what was done, then what the user asked, then what was answered; of equals the
/// later one.
public enum TellingSentences {
    /// The longest summary, in characters: a tenth of what it takes the place of.
    public static let limit = 1_500
    /// The longest sentence of it.
    static let sentence = 160

    private struct Line {
        var weight: Int
        var text: String
    }

    /// The summary; empty when nothing was said or done.
    public static func summary(of turns: [Turn]) -> String {
        let lines = lines(of: turns)
        var left = limit
        var kept: Set<Int> = []
        for index in lines.indices.sorted(by: { (lines[$0].weight, $0) > (lines[$1].weight, $1) }) {
            let length = lines[index].text.count + 1
            guard length <= left else { continue }
            left -= length
            kept.insert(index)
        }
        return lines.indices.filter(kept.contains).map { lines[$0].text }.joined(separator: "\n")
    }

    private static func lines(of turns: [Turn]) -> [Line] {
        var names: [String: String] = [:]
        return turns.compactMap { turn in
            switch turn {
            case .userText(let text, _):
                let isFact = !UserFacts.found(in: text).isEmpty
                return Line(weight: isFact ? 4 : 2, text: "User: \(short(text))")
            case .assistantText(let text, _):
                if let earlier = ConversationSummary.text(of: turn) { return Line(weight: 5, text: earlier) }
                return Line(weight: 1, text: "Assistant: \(short(text))")
            case .toolInvocation(let name, let callId, let arguments, _):
                names[callId] = name
                return Line(weight: 3, text: "Called \(name) with \(short(arguments))")
            case .toolReturn(let callId, let output, _):
                return Line(weight: 3, text: "Result of \(names[callId] ?? "a tool"): \(short(output))")
            }
        }
    }

    /// A text in one line, cut behind a word.
    static func short(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        var line = ""
        for word in words {
            guard line.count + word.count < sentence else {
                return (line.isEmpty ? String(word.prefix(sentence)) : line) + " …"
            }
            line += line.isEmpty ? word : " \(word)"
        }
        return line
    }
}

/// The turn that stands for a part of the conversation that was summarised.
public enum ConversationSummary {
    /// By what such a turn is known, also when an app has kept it and gives it back.
    static let mark = "[Summary of the earlier conversation] "

    /// The turn for a summary.
    public static func turn(_ text: String, timestampMs: Int64) -> Turn {
        .assistantText(text: mark + text, timestampMs: timestampMs)
    }

    /// The summary in a turn; nil when it holds none.
    public static func text(of turn: Turn) -> String? {
        guard case .assistantText(let text, _) = turn, text.hasPrefix(mark) else { return nil }
        return String(text.dropFirst(mark.count))
    }
}
