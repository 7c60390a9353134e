import GlassesDomain

/// Calls of risky tools that the user was asked about. An agreement is bound to the tool and its exact arguments and counts once:
/// only the turn after the question was heard can be one, and only until the turn after that.
struct ToolConsents: Sendable, Hashable {
    /// How long a question stands.
    static let lifetime = Duration.seconds(120)
    /// Open questions at once; a model that asks more at a time is not having a conversation. The oldest goes.
    static let limit = 8

    private struct Question: Sendable, Hashable {
        var name: String
        var arguments: JSONValue
        /// The answer that made the call; what it says, it says before it knows that it has to ask.
        var responseID: String
        var askedAt: MonotonicTime
        var wasHeard = false
        var isAnswered = false
    }

    private var questions: [Question] = []

    /// Takes an agreement: true when the user was asked about exactly this call, and what they said last followed the question.
    mutating func take(
        _ name: String, _ arguments: JSONValue, at now: MonotonicTime, _ verdicts: inout TextVerdicts
    ) -> Bool {
        questions.removeAll { $0.askedAt.duration(to: now) > Self.lifetime }
        let index = questions.firstIndex { $0.name == name && $0.arguments == arguments && $0.isAnswered }
        guard let index = verdicts.place(.consentGiven, index), questions.indices.contains(index) else { return false }
        questions.remove(at: index)
        return true
    }

    /// The user is asked about a call from now on; a question that stands already is not renewed.
    mutating func ask(
        _ name: String, _ arguments: JSONValue, in responseID: String, at now: MonotonicTime,
        _ verdicts: inout TextVerdicts
    ) {
        let isAsked = questions.contains { $0.name == name && $0.arguments == arguments }
        guard !verdicts.flag(.consentAsked, isAsked) else { return }
        questions.append(Question(name: name, arguments: arguments, responseID: responseID, askedAt: now))
        if questions.count > Self.limit { questions.removeFirst() }
    }

    /// Whether a question about exactly this call stands.
    func asksAbout(_ name: String, _ arguments: JSONValue) -> Bool {
        questions.contains { $0.name == name && $0.arguments == arguments }
    }

    /// The user hears or reads an answer: whatever was to be asked before it is asked now.
    mutating func heard(_ responseID: String) {
        for index in questions.indices where questions[index].responseID != responseID {
            questions[index].wasHeard = true
        }
    }

    /// The user has said something: whatever they heard a question about may be agreed to now. What was said before and led to no
    /// call was no agreement.
    mutating func userTurned() {
        questions.removeAll(where: \.isAnswered)
        for index in questions.indices where questions[index].wasHeard { questions[index].isAnswered = true }
    }
}
