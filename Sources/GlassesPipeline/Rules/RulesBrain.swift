import GlassesDomain

/// Understands commands by rules of English, without a model: ranks an app's tools for an utterance, fills their
/// parameters, asks back for what is missing, and calls nothing on a guess.
///
/// A value: it remembers only the question that it asked last. The same history gives the same decisions. It reads no
/// clock and does no I/O; one utterance over 25 tools takes a few milliseconds.
public struct RulesBrain: Sendable {
    /// How often the same question is asked before the brain gives up.
    static let maximumQuestions = 2

    private var pending: PendingQuestion?
    /// The last tools and what was read from them, because an app's tools rarely change between utterances.
    private var known: (tools: [BrainTool], profiles: [ToolProfile]) = ([], [])

    /// A brain without an open question.
    public init() {}

    /// Whether the last decision was a question that the next utterance may answer.
    public var isWaitingForAnswer: Bool { pending != nil }

    /// Forgets the open question, as when the session sleeps.
    public mutating func forgetQuestion() { pending = nil }

    /// Decides what to do about `utterance`.
    ///
    /// - Parameters:
    ///   - utterance: What was said or typed; case and punctuation help and may be absent. Read up to 160 words.
    ///   - tools: The registered tools. An open question about a tool that is gone is dropped.
    ///   - toolChoice: Whether a tool may or must be called; default ``BrainToolChoice/auto``.
    /// - Returns: The calls in the order of the sentence, or one sentence to speak. With
    /// ``BrainToolChoice/required`` or
    /// ``BrainToolChoice/named(_:)`` a call is made also below the threshold; an argument that is required and was
    /// not
    ///   said is asked for even then, because none may be invented.
    public mutating func interpret(_ utterance: String, tools: [BrainTool], toolChoice: BrainToolChoice = .auto)
        -> BrainDecision
    {
        let read = Utterance(utterance)
        if known.tools != tools { known = (tools, tools.map(ToolProfile.init)) }
        let profiles = known.profiles
        switch toolChoice {
        case .none:
            pending = nil
            return SmallTalk.reply(to: read, tools: tools) ?? .cannot("I can't do that without my tools.")
        case .auto:
            if let answered = answerPending(read, profiles) { return answered }
            return decide(read, profiles)
        case .required: return force(read, profiles, among: Array(profiles.indices))
        case .named(let name):
            return force(read, profiles, among: profiles.indices.filter { profiles[$0].tool.name == name })
        }
    }

    // MARK: A fresh utterance

    private mutating func decide(_ utterance: Utterance, _ profiles: [ToolProfile]) -> BrainDecision {
        if let reply = SmallTalk.reply(to: utterance, tools: profiles.map(\.tool)) { return reply }
        let readings = ClauseReader(profiles: profiles, utterance: utterance).readAll()
        let matches = readings.compactMap { if case .match(let match) = $0 { match } else { nil } }
        guard !matches.isEmpty else {
            let isRefused = readings.contains { if case .refusal = $0 { true } else { false } }
            return isRefused ? .acknowledge("Okay, I won't.") : .cannot("Sorry, I can't do that.")
        }
        return proceed(matches.map { PendingQuestion.Step(match: $0, profiles: profiles) }, profiles)
    }

    /// Calls all steps, or asks for the first thing that one of them lacks.
    private mutating func proceed(_ steps: [PendingQuestion.Step], _ profiles: [ToolProfile]) -> BrainDecision {
        guard let open = steps.firstIndex(where: { !$0.missing.isEmpty }), let parameter = steps[open].missing.first
        else {
            pending = nil
            return .calls(steps.map(\.call))
        }
        let question = Question.text(for: parameter, of: steps[open].tool, profiles: profiles)
        pending = PendingQuestion(steps: steps, open: open, parameter: parameter, question: question, asked: 1)
        return .ask(question: question, tool: steps[open].tool, parameter: parameter.name)
    }

    // MARK: The answer to a question

    /// The decision if the utterance has to do with the open question; nil to read it as a fresh one.
    private mutating func answerPending(_ utterance: Utterance, _ profiles: [ToolProfile]) -> BrainDecision? {
        guard var question = pending, let profile = profiles.first(where: { $0.tool.name == question.tool }) else {
            pending = nil
            return nil
        }
        switch AnswerReader(question: question, profile: profile, profiles: profiles).read(utterance) {
        case .value(let value):
            question.fill(value)
            return proceed(question.steps, profiles)
        case .withdrawn:
            pending = nil
            let rest = question.completeSteps
            return rest.isEmpty ? .acknowledge("Okay.") : proceed(rest, profiles)
        case .newCommand:
            pending = nil
            return join(question.completeSteps, decide(utterance, profiles), profiles)
        case .unclear:
            guard question.asked < Self.maximumQuestions else {
                pending = nil
                return .cannot("Sorry, I didn't understand that, so I left it.")
            }
            question.asked += 1
            pending = question
            return .ask(question: question.question, tool: question.tool, parameter: question.parameter.name)
        }
    }

    /// What was complete before the question is done together with the new command.
    private mutating func join(
        _ rest: [PendingQuestion.Step], _ decision: BrainDecision, _ profiles: [ToolProfile]
    ) -> BrainDecision {
        guard !rest.isEmpty else { return decision }
        switch decision {
        case .calls(let calls): return .calls(rest.map(\.call) + calls)
        case .ask: return proceed(rest + (pending?.steps ?? []), profiles)
        case .cannot, .acknowledge, .reply: return proceed(rest, profiles)
        }
    }

    // MARK: A forced call

    private mutating func force(_ utterance: Utterance, _ profiles: [ToolProfile], among allowed: [Int])
        -> BrainDecision
    {
        let chosen = allowed.map { profiles[$0] }
        guard !chosen.isEmpty else {
            pending = nil
            return .cannot("Sorry, I don't have that tool.")
        }
        if let question = pending, chosen.contains(where: { $0.tool.name == question.tool }),
            let answered = answerPending(utterance, chosen)
        {
            return answered
        }
        pending = nil
        let readings = ClauseReader(profiles: chosen, utterance: utterance).readAll()
        let matches = readings.compactMap { if case .match(let match) = $0 { match } else { nil } }
        if !matches.isEmpty {
            return proceed(matches.map { PendingQuestion.Step(match: $0, profiles: chosen) }, profiles)
        }
        let best = ForcedMatch.best(utterance, chosen)
        return proceed([PendingQuestion.Step(match: best, profiles: chosen)], profiles)
    }
}
