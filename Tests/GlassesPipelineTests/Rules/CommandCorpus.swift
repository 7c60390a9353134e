import Foundation
import GlassesDomain
import GlassesPipeline

/// A file of utterances and what they ask for.
struct CommandCorpus {
    enum Expectation {
        case calls([BrainCall])
        case question(tool: String, parameter: String)
        /// No call, whether unrelated or a near miss.
        case noCall
    }

    struct Entry {
        var text: String
        var kind: String
        var expectation: Expectation
    }

    var tools: [BrainTool]
    var entries: [Entry]

    /// Reads `Tests/Corpora/<name>.json` of this checkout.
    init(named name: String, file: String = #filePath) throws {
        let tests = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let json = try JSONValue(jsonText: Data(contentsOf: tests.appending(path: "Corpora/\(name).json")))
        tools = (json["tools"]?.arrayValue ?? []).map { tool in
            BrainTool(
                name: tool["name"]?.stringValue ?? "", description: tool["description"]?.stringValue ?? "",
                parameters: tool["parameters"])
        }
        entries = (json["utterances"]?.arrayValue ?? []).map(Self.entry)
    }

    private static func entry(_ json: JSONValue) -> Entry {
        let kind = json["kind"]?.stringValue ?? ""
        let expectation: Expectation
        switch kind {
        case "command":
            let calls = json["calls"]?.arrayValue ?? []
            expectation = .calls(
                calls.map { BrainCall(name: $0["name"]?.stringValue ?? "", arguments: $0["arguments"] ?? .object([:])) }
            )
        case "missing":
            expectation = .question(
                tool: json["tool"]?.stringValue ?? "", parameter: json["asksFor"]?.stringValue ?? "")
        default: expectation = .noCall
        }
        return Entry(text: json["text"]?.stringValue ?? "", kind: kind, expectation: expectation)
    }
}

/// How a brain did on a corpus.
struct CorpusScore {
    var commands = 0
    var toolRight = 0
    var argumentsRight = 0
    var questions = 0
    var askedBack = 0
    var silent = 0
    var falseCalls = 0
    /// False calls by the kind of utterance.
    var falseCallsByKind: [String: Int] = [:]
    var totalByKind: [String: Int] = [:]
    var failures: [String] = []

    var argumentsShare: Double { share(argumentsRight, commands) }
    var toolShare: Double { share(toolRight, commands) }
    var askedBackShare: Double { share(askedBack, questions) }
    /// Of all utterances after which nothing may be called.
    var falseCallShare: Double { share(falseCalls, silent + questions) }

    private func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }

    init(_ corpus: CommandCorpus) { self.init(tools: corpus.tools, entries: corpus.entries) }

    init(tools: [BrainTool], entries: [CommandCorpus.Entry]) {
        var brain = RulesBrain()
        for entry in entries {
            brain.forgetQuestion()
            add(entry, brain.interpret(entry.text, tools: tools))
        }
    }

    private mutating func add(_ entry: CommandCorpus.Entry, _ decision: BrainDecision) {
        totalByKind[entry.kind, default: 0] += 1
        var isRight = true
        switch entry.expectation {
        case .calls(let expected):
            commands += 1
            let calls = if case .calls(let calls) = decision { calls } else { [BrainCall]() }
            if calls.map(\.name) == expected.map(\.name) { toolRight += 1 }
            isRight =
                calls.count == expected.count
                && zip(calls, expected).allSatisfy { $0.name == $1.name && Self.agree($0.arguments, $1.arguments) }
            if isRight { argumentsRight += 1 }
        case .question(let tool, let parameter):
            questions += 1
            if case .ask(_, tool, parameter) = decision { askedBack += 1 } else { isRight = false }
            countFalseCall(entry, decision)
        case .noCall:
            silent += 1
            if case .ask = decision { isRight = false }
            if case .calls = decision { isRight = false }
            countFalseCall(entry, decision)
        }
        if !isRight { failures.append("[\(entry.kind)] \(entry.text) → \(Self.text(decision))") }
    }

    private mutating func countFalseCall(_ entry: CommandCorpus.Entry, _ decision: BrainDecision) {
        guard case .calls = decision else { return }
        falseCalls += 1
        falseCallsByKind[entry.kind, default: 0] += 1
    }

    /// Equal JSON, where 5 and 5.0 are the same number.
    private static func agree(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let left = one.doubleValue, let right = other.doubleValue { return abs(left - right) < 1e-6 }
        guard let left = one.objectValue, let right = other.objectValue else { return one == other }
        return left.count == right.count
            && left.allSatisfy { key, value in right[key].map { agree(value, $0) } ?? false }
    }

    private static func text(_ decision: BrainDecision) -> String {
        switch decision {
        case .calls(let calls): calls.map { "\($0.name)\($0.arguments.jsonText)" }.joined(separator: " ")
        case .ask(_, let tool, let parameter): "asks \(tool).\(parameter)"
        case .cannot: "cannot"
        case .acknowledge: "acknowledge"
        case .reply: "reply"
        }
    }

    /// A table of aggregates.
    func table(_ title: String) -> String {
        let kinds = falseCallsByKind.sorted { $0.key < $1.key }.map { ", \($0.key) \($0.value)" }.joined()
        let percent = { (value: Double) in "\((value * 1000).rounded() / 10) %" }
        return """
            \(title): \(commands) commands, \(questions) with a missing argument, \(silent) out of domain
              tool right        \(percent(toolShare))
              all args right    \(percent(argumentsShare))
              asks back         \(percent(askedBackShare))
              false calls       \(percent(falseCallShare)) (\(falseCalls)\(kinds))
            """
    }
}
