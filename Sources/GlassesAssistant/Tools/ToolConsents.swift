import GlassesDomain

/// Calls of risky tools that the user was asked about. An agreement is bound to the tool and its exact arguments and counts once.
struct ToolConsents: Sendable, Hashable {
    /// How long a question stands.
    static let lifetime = Duration.seconds(120)
    /// Open questions at once; a model that asks more at a time is not having a conversation. The oldest goes.
    static let limit = 8

    private struct Question: Sendable, Hashable {
        var name: String
        var arguments: JSONValue
        var askedAt: MonotonicTime
        var isAnswered = false
    }

    private var questions: [Question] = []

    /// Takes an agreement: true when the user was asked about exactly this call, and has said something since.
    mutating func take(_ name: String, _ arguments: JSONValue, at now: MonotonicTime) -> Bool {
        questions.removeAll { $0.askedAt.duration(to: now) > Self.lifetime }
        let index = questions.firstIndex { $0.name == name && $0.arguments == arguments && $0.isAnswered }
        guard let index else { return false }
        questions.remove(at: index)
        return true
    }

    /// The user is asked about a call from now on; a question that stands already is not renewed.
    mutating func ask(_ name: String, _ arguments: JSONValue, at now: MonotonicTime) {
        guard !questions.contains(where: { $0.name == name && $0.arguments == arguments }) else { return }
        questions.append(Question(name: name, arguments: arguments, askedAt: now))
        if questions.count > Self.limit { questions.removeFirst() }
    }

    /// The user has said something: whatever was asked before may be agreed to now.
    mutating func userTurned() {
        for index in questions.indices { questions[index].isAnswered = true }
    }
}
