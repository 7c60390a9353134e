import GlassesDomain
import GlassesRealtime
import Synchronization

/// The brain that is always there: ``RulesBrain`` behind the pipeline's port.
///
/// Tool results are spoken first, in the order of their calls; then each text of the user is understood, a waiting
/// question included. It follows no instructions.
public struct RulesPipelineBrain: PipelineBrain {
    /// `rules`.
    public let name = "rules"
    /// Rules compose nothing.
    public let canCompose = false
    /// It says of pictures what can be measured.
    public let acceptsImages = true
    /// Rules recognise nothing.
    public let seesImages = false

    private let meter: PictureMeter

    /// The rules brain; `pictures` opens pictures to measure them, without it only their age is told.
    public init(pictures: (any PictureCoder)? = nil) { meter = PictureMeter(coder: pictures) }

    /// Begins a conversation without an open question.
    public func makeSession() -> any PipelineBrainSession { RulesSession(meter: meter) }
}

private final class RulesSession: PipelineBrainSession {
    private let rules = Mutex(RulesBrain())
    private let meter: PictureMeter

    init(meter: PictureMeter) { self.meter = meter }

    func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
        var speech: [String] = []
        var calls: [BrainFunctionCall] = []
        let answers = Self.answers(in: request)
        if !answers.isEmpty { speech.append(SpokenResult.spokenAnswer(for: answers)) }
        let shown = request.pending.compactMap(\.picture)
        if let newest = shown.last { speech.append(PictureWords.answer(meter.measure(newest), of: newest)) }
        for case .user(let text) in request.pending {
            if let wish = SessionWish(text, tools: Self.sessionTools(of: request)) {
                rules.withLock { $0.forgetQuestion() }
                if let words = wish.speech { speech.append(words) }
                calls.append(BrainFunctionCall(name: wish.tool, arguments: "{}"))
                continue
            }
            var decision = decide(text, request)
            var question: PictureQuestion?
            if case .cannot = decision { question = PictureQuestion(text) }
            // Whoever asks what is to be seen wants somebody to look.
            if question == .sight, shown.isEmpty, case .calls(let look) = decide(PictureQuestion.look, request) {
                (decision, question) = (.calls(look), nil)
            }
            if case .calls(let decided) = decision { calls += decided.map(BrainFunctionCall.init(_:)) }
            if question != nil {
                // A picture that came along was told of already.
                if shown.isEmpty { speech.append(wordsForNewestPicture(of: request)) }
            } else if let words = decision.spokenText {
                speech.append(words)
            }
        }
        if request.pending.isEmpty, let prompt = Self.prompt(for: request) { speech.append(prompt) }
        return BrainReply(speech: speech.isEmpty ? nil : speech.joined(separator: " "), calls: calls)
    }

    private func decide(_ text: String, _ request: BrainRequest) -> BrainDecision {
        rules.withLock { rules in
            rules.interpret(text, tools: Self.tools(of: request), toolChoice: Self.choice(of: request))
        }
    }

    private func wordsForNewestPicture(of request: BrainRequest) -> String {
        guard let newest = request.context.compactMap(\.picture).last else { return PictureWords.none }
        return PictureWords.answer(meter.measure(newest), of: newest)
    }

    func isWholeTurn(_ request: BrainRequest) async -> Bool {
        guard case .user(let text) = request.pending.last else { return false }
        if SessionWish(text, tools: Self.sessionTools(of: request)) != nil { return true }
        return rules.withLock { $0 }.isWhole(text, tools: Self.tools(of: request), toolChoice: Self.choice(of: request))
    }

    /// The results that wait, in the order of their calls: tools end in any order.
    private static func answers(in request: BrainRequest) -> [ToolAnswer] {
        var results: [String: (name: String, output: String)] = [:]
        var order: [String] = []
        for case .result(let callId, let name, let output) in request.pending {
            results[callId] = (name, output)
            order.append(callId)
        }
        let called = request.context.compactMap { if case .call(let callId, _) = $0 { callId } else { nil } }
        let known = called.filter { results[$0] != nil }
        // The call of a result can have been deleted.
        let ordered = known + order.filter { !known.contains($0) }
        return ordered.compactMap { callId in
            results[callId].map { name, output in
                let device = name == SessionWish.deviceTool ? SessionWish.spokenDevice(output) : nil
                return ToolAnswer(call: BrainCall(name: name), output: device ?? output)
            }
        }
    }

    /// The session's own tools are called by their phrases, never by a guess. They take no arguments; others of these names are the app's.
    private static func sessionTools(of request: BrainRequest) -> [String] {
        request.tools.filter(isSessionTool).map(\.name)
    }

    private static func isSessionTool(_ tool: FunctionTool) -> Bool {
        guard [SessionWish.endTool, SessionWish.deviceTool].contains(tool.name) else { return false }
        guard case .object(let schema)? = tool.parameters, case .object(let members)? = schema["properties"] else {
            return true
        }
        return members.isEmpty
    }

    private static func tools(of request: BrainRequest) -> [BrainTool] {
        request.tools.filter { !isSessionTool($0) }.map {
            BrainTool(name: $0.name, description: $0.description ?? "", parameters: $0.parameters)
        }
    }

    private static func choice(of request: BrainRequest) -> BrainToolChoice {
        switch request.toolChoice {
        case .auto: .auto
        case .required: .required
        case .function(let name): .named(name)
        // Tools of servers and choices that nobody knows are not there.
        case .none, .mcp, .other: .none
        }
    }

    /// What is said when nothing waits for an answer.
    private static func prompt(for request: BrainRequest) -> String? {
        switch request.occasion {
        case .nothingUnderstood: "Sorry, I didn't catch that."
        case .silence: "Are you still there?"
        // A client that opens the conversation is greeted; later there is nothing to add to what was said.
        case .turn, .unprompted: request.context.contains(where: \.isSpoken) ? nil : "How can I help you?"
        }
    }
}

extension BrainMessage {
    fileprivate var picture: BrainPicture? { if case .picture(let picture) = self { picture } else { nil } }

    /// Whether the message is part of the talk, not a rule of the app.
    fileprivate var isSpoken: Bool { if case .system = self { false } else { true } }
}

extension BrainFunctionCall {
    fileprivate init(_ call: BrainCall) { self.init(name: call.name, arguments: call.arguments.jsonText) }
}
