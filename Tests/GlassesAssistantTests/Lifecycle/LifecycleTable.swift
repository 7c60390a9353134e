import Foundation
import GlassesAssistant
import GlassesDomain

/// The hand-written table beside this file.
struct LifecycleTable {
    struct Row: Hashable {
        var state: AssistantState
        var event: LifecycleEvent
        var verdict: LifecycleVerdict
    }

    struct Malformed: Error { var line: String }

    var rows: [Row]

    static func read() throws -> LifecycleTable {
        guard let url = Bundle.module.url(forResource: "lifecycle-table", withExtension: "txt") else {
            throw Malformed(line: "the table is not in the bundle")
        }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return LifecycleTable(rows: try lines.filter { !$0.hasPrefix("#") }.map(row))
    }

    private static func row(_ line: Substring) throws -> Row {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 3, let state = AssistantState(rawValue: words[0]),
            let event = LifecycleEvent(rawValue: words[1])
        else { throw Malformed(line: String(line)) }
        return Row(state: state, event: event, verdict: try verdict(Array(words[2...]), line: String(line)))
    }

    private static func verdict(_ words: [String], line: String) throws -> LifecycleVerdict {
        switch (words.first, words.dropFirst().first) {
        case ("->", let name?): if let state = AssistantState(rawValue: name) { return .proceed(state) }
        case ("fail", let code?): if let refusal = LifecycleRefusal(rawValue: code) { return .fail(refusal) }
        case ("close", "late"?): return .closeLateConnection
        case ("no-op", nil): return .noOp
        case ("wait", nil): return .wait
        case ("ignore", nil): return .ignore
        default: break
        }
        throw Malformed(line: line)
    }

    /// The page for readers of the documentation.
    var documentation: String {
        var lines = [
            "# The states of an assistant session", "",
            "Generated from `Tests/GlassesAssistantTests/Lifecycle/lifecycle-table.txt`; change the table, then run the tests"
                + " with\n`UPDATE_DOCS=1` to write this page anew.", "",
            "```mermaid", "stateDiagram-v2", "    [*] --> idle",
        ]
        for row in rows {
            guard case .proceed(let next) = row.verdict, next != row.state else { continue }
            lines.append("    \(row.state.rawValue) --> \(next.rawValue): \(row.event.rawValue)")
        }
        lines += ["    stopped --> [*]", "```", "", header, String(repeating: "|---", count: 9) + "|"]
        for state in AssistantState.allCases {
            let cells = LifecycleEvent.allCases.map { event in
                rows.first { $0.state == state && $0.event == event }.map { Self.text($0.verdict) } ?? ""
            }
            lines.append("| **\(state.rawValue)** | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var header: String {
        "| state \\ event | " + LifecycleEvent.allCases.map(\.rawValue).joined(separator: " | ") + " |"
    }

    private static func text(_ verdict: LifecycleVerdict) -> String {
        switch verdict {
        case .proceed(let state): "→ \(state.rawValue)"
        case .noOp: "no-op"
        case .wait: "waits"
        case .fail(let refusal): "fails: \(refusal.rawValue)"
        case .closeLateConnection: "closes it"
        case .ignore: "–"
        }
    }
}
