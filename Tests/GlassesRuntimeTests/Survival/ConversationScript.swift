import GlassesDomain

/// A conversation as it is meant to be: what the user says, and what a provider answers to it.
struct ConversationScript: Sendable {
    struct Call: Sendable, Hashable {
        var tool: String
        var arguments: String
    }

    struct Turn: Sendable, Hashable {
        var user: String
        var isTyped = false
        var calls: [Call] = []
        var answer: String
    }

    var turns: [Turn]

    /// Spoken and typed turns, one tool and two at once, short and long utterances.
    static let errands = ConversationScript(turns: [
        Turn(
            user: "add milk to the list please",
            calls: [Call(tool: "add_item", arguments: #"{"item":"milk"}"#)], answer: "milk is on the list now"),
        Turn(user: "thank you", isTyped: true, answer: "you are welcome"),
        Turn(
            user: "add bread and tell me the time",
            calls: [
                Call(tool: "add_item", arguments: #"{"item":"bread"}"#), Call(tool: "get_time", arguments: "{}"),
            ], answer: "bread is on the list and it is noon"),
        Turn(
            user: "remind me to water the plants tomorrow before noon",
            answer: "of course"),
    ])

    /// What the tools answer.
    static func output(of tool: String) -> String { tool == "get_time" ? "noon" : "added" }

    /// The history that the conversation leaves, as lines. Tools of one turn run at once: their lines are in no order, so they are
    /// sorted here.
    var history: [String] {
        turns.flatMap { turn in
            let tools = turn.calls.flatMap { call in
                [
                    "call \(call.tool) \(call.arguments)",
                    "output of \(call.tool) \(call.arguments): \(Self.output(of: call.tool))",
                ]
            }
            return ["user: \(turn.user)"] + tools.sorted() + ["assistant: \(turn.answer)"]
        }
    }

    /// A history in the same form, without the answers that a lost connection cut.
    static func lines(of turns: [GlassesDomain.Turn]) -> [String] {
        var lines: [String] = []
        var tools: [String] = []
        var calls: [String: String] = [:]
        for turn in turns {
            switch turn {
            case .toolInvocation(let name, let callID, let arguments, _):
                calls[callID] = "\(name) \(arguments)"
                tools.append("call \(name) \(arguments)")
            case .toolReturn(let callID, let output, _):
                tools.append("output of \(calls[callID] ?? "nothing"): \(output)")
            case .userText(let text, _):
                lines += tools.sorted() + ["user: \(text)"]
                tools = []
            case .assistantText(let text, _):
                guard !text.hasSuffix(" …") else { continue }
                lines += tools.sorted() + ["assistant: \(text)"]
                tools = []
            }
        }
        return lines + tools.sorted()
    }

    /// Every text that is spoken to the provider.
    var spoken: [String] { turns.filter { !$0.isTyped }.map(\.user) }
}
