import Foundation
import GlassesDomain

/// What a scripted conversation consists of, and the history that it must leave.
struct ConversationScript: Sendable {
    /// Something that the user does.
    enum Line: Sendable, Hashable {
        case typed(String)
        case spoken(String)
    }

    /// One turn of the user with the entries that it adds to the history.
    struct Step: Sendable, Hashable {
        var line: Line
        var entries: [HistoryEntry] = []
    }

    /// A line of the file that means nothing.
    struct BadLine: Error { let line: String }

    /// The turns in order.
    let steps: [Step]

    /// The script in the resource `name`.
    init(resource name: String) throws {
        guard let url = Bundle.module.url(forResource: name, withExtension: nil) else { throw BadLine(line: name) }
        try self.init(text: String(decoding: try Data(contentsOf: url), as: UTF8.self))
    }

    /// Reads `type TEXT` and `speak TEXT`, each followed by the entries that it adds: `user TEXT`, `call TOOL JSON`,
    /// `result TEXT` and `assistant TEXT`.
    init(text: String) throws {
        var steps: [Step] = []
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
        where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { throw BadLine(line: line) }
            switch words[0] {
            case "type": steps.append(Step(line: .typed(words[1])))
            case "speak": steps.append(Step(line: .spoken(words[1])))
            default:
                guard !steps.isEmpty, let entry = try HistoryEntry(words[0], words[1]) else {
                    throw BadLine(line: line)
                }
                steps[steps.count - 1].entries.append(entry)
            }
        }
        self.steps = steps
    }

    /// The tools that it calls, in order.
    var calls: [String] {
        steps.flatMap(\.entries).compactMap { if case .call(let tool, _) = $0 { tool } else { nil } }
    }

    /// The history after the first `count` turns.
    func history(after count: Int) -> [HistoryEntry] { steps.prefix(count).flatMap(\.entries) }
}

/// An entry of a history as two of them are compared: what was said without case and punctuation, and calls without their ids.
enum HistoryEntry: Sendable, Hashable {
    case user(String)
    case assistant(String)
    case call(tool: String, arguments: JSONValue)
    case result(String)

    init?(_ kind: String, _ text: String) throws {
        switch kind {
        case "user": self = .user(Self.understood(text))
        case "assistant": self = .assistant(Self.normalised(text))
        case "result": self = .result(text)
        case "call":
            let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            self = .call(tool: parts[0], arguments: try JSONValue(jsonText: parts[1]))
        default: return nil
        }
    }

    /// A turn of a session; nil for an answer that was cut, since nobody interrupts here but a lost connection.
    init?(_ turn: Turn) throws {
        switch turn {
        case .userText(let text, _): self = .user(Self.understood(text))
        case .assistantText(let text, _):
            if text.hasSuffix("…") { return nil }
            self = .assistant(Self.normalised(text))
        case .toolInvocation(let name, _, let arguments, _):
            self = .call(tool: name, arguments: try JSONValue(jsonText: arguments))
        case .toolReturn(_, let output, _): self = .result(output)
        }
    }

    /// The entries of a history.
    static func entries(_ turns: [Turn]) throws -> [HistoryEntry] { try turns.compactMap(HistoryEntry.init) }

    /// A question and its answer.
    static func both(_ user: String, _ assistant: String) throws -> [HistoryEntry] {
        try [HistoryEntry("user", user), HistoryEntry("assistant", assistant)].compactMap { $0 }
    }

    /// What a recogniser understood, without articles: of sound that was sent again it hears "the" for "a" now and then, and what is
    /// compared here is whether the sound was lost or doubled.
    private static func understood(_ text: String) -> String {
        normalised(text).split(separator: " ").filter { !["a", "an", "the"].contains($0) }.joined(separator: " ")
    }

    private static func normalised(_ text: String) -> String {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }
}
