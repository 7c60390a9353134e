import GlassesDomain

/// A session whose provider is a stand-in: no connection, no audio, and no model.
///
/// What the user says comes by `sendText`, awake or dormant; the stand-in calls the first tool that fits and tells how it ended. The calls
/// are the ledger's, as in a session with a model: arguments are checked, calls time out, risky ones need an agreement. Its inputs and
/// actions are those of ``SessionMachine``, of which it uses the few that have to do with calls of the app, tools, timers and hooks.
public struct MockSessionMachine: SessionDeciding, Hashable {
    /// One text: as much as a model would be sent.
    static let textBytes = 128 * 1024
    private static let agreements = [
        "yes", "yes please", "yeah", "ok", "okay", "sure", "please do", "do it", "go ahead", "I agree",
    ]

    let configuration: SessionConfiguration
    let choice: MockToolChoice
    let sleepPhrases: SleepPhraseMatcher
    let cancelPhrases: SleepPhraseMatcher
    /// What agrees to a question.
    let agreement = SleepPhraseMatcher(phrases: Self.agreements)

    var lifecycle = SessionStateMachine()
    var ledger: ToolLedger
    var generator: SplitMix64
    var turns: [Turn] = []
    /// The outcomes of this step.
    var outcomes: [String: ToolOutcome] = [:]
    /// The tool that the user was asked about.
    var askedFor: String?
    var isVisionTold = false
    var isVideoTold = false
    private var answers = 0
    private var wallClockOffset: Int64
    private var publishedTurns: [Turn] = []

    /// The input's moment and the actions so far; only meaningful inside ``apply(_:at:verdicts:)``.
    private var now = MonotonicTime.zero
    private var actions = SessionActions()

    /// A session in `idle`. `descriptions` are those of the app's tools by name; tools without one are never called.
    public init(configuration: SessionConfiguration, descriptions: [String: String]) {
        self.configuration = configuration
        choice = MockToolChoice(
            configuration.tools.filter { $0.role == .body }.compactMap { tool in
                descriptions[tool.name].map { (tool.name, $0) }
            })
        sleepPhrases = SleepPhraseMatcher(phrases: configuration.sleepPhrases)
        cancelPhrases = SleepPhraseMatcher(phrases: configuration.cancelPhrases)
        ledger = ToolLedger(tools: configuration.tools, places: configuration.toolPlaces)
        generator = SplitMix64(seed: configuration.randomSeed)
        wallClockOffset = configuration.wallClockOffsetMilliseconds
    }

    /// The session's state.
    public var state: AssistantState { lifecycle.state }

    /// Applies a fact. No texts are asked about, so `verdicts` stays as it is: such a session is not traced.
    public mutating func apply(
        _ input: SessionInput, at now: MonotonicTime, verdicts: inout TextVerdicts
    ) -> SessionActions {
        self.now = now
        actions = SessionActions()
        handle(input)
        // What was not told by now is of calls that nobody wants to hear of.
        outcomes = [:]
        turns.removeFirst(max(0, turns.count - configuration.historyCap))
        if turns != publishedTurns {
            publishedTurns = turns
            act(.publishHistory(turns))
        }
        defer { actions = SessionActions() }
        return actions
    }

    private mutating func handle(_ input: SessionInput) {
        switch input {
        case .operationRequested(let id, let operation): request(operation, id)
        case .historyCleared: edit { $0 = [] }
        case .turnAppended(let turn): edit { $0.append(turn) }
        case .historyReplaced(let turns): edit { $0 = turns }
        case .toolReturned(let callID, let output, let isError):
            applyLedger(.returned(callID: callID, output: output, isError: isError))
        case .toolThrew(let callID, let message): applyLedger(.threw(callID: callID, message: message))
        case .toolProgressed(let callID, let note, let isAloud):
            applyLedger(.progressed(callID: callID, note: note, isAloud: isAloud))
        case .timerFired(.toolTimeout(let callID)): applyLedger(.timedOut(callID: callID))
        case .timerFired(.toolOverrun(let callID)): applyLedger(.overran(callID: callID))
        case .hookEnded(let hook, let message): hookEnded(hook, message)
        case .wallClockMoved(let offset): wallClockOffset = offset
        // It has no connection, no audio, no pictures, no memory, no device and no other timers.
        case .timerFired, .connectionOpened, .connectionFailed, .connectionClosed, .server, .commandUnsendable,
            .speechNoticed, .speechMeasured, .playbackStarted, .playbackProgressed, .playbackDrained, .flushCompleted,
            .pictureReady, .pictureFailed, .memoryLoaded, .historySummarised, .historyCompacted, .compactionFailed,
            .machineResumed, .deviceLost, .deviceReturned, .deviceDescribed, .microphoneGateClosed,
            .microphoneGateOpened, .microphoneFailed:
            break
        }
    }

    // MARK: - What every part uses

    mutating func act(_ action: SessionAction) { actions.append(action) }

    mutating func notify(_ event: AssistantEvent) { actions.append(.notify(event)) }

    mutating func finish(_ id: OperationID, _ outcome: OperationOutcome) { actions.append(.finish(id, outcome)) }

    mutating func newAnswerID() -> String {
        answers += 1
        return "mock_answer_\(answers)"
    }

    var timestampMs: Int64 { wallClockOffset &+ now.nanoseconds / 1_000_000 }

    private mutating func edit(_ change: (inout [Turn]) -> Void) {
        guard state != .idle, state != .stopped else { return }
        change(&turns)
    }

    private mutating func hookEnded(_ hook: SessionHook, _ errorMessage: String?) {
        guard let errorMessage, state != .stopped else { return }
        notify(.error(kind: hook == .onWake ? "wake_hook" : "sleep_hook", message: errorMessage))
    }

    mutating func applyLedger(_ input: ToolLedgerInput) {
        for action in ledger.apply(input, at: now) { carryOut(action) }
    }

    private mutating func carryOut(_ action: ToolLedgerAction) {
        switch action {
        case .announce(let callID, let name, let arguments):
            turns.append(
                .toolInvocation(name: name, callId: callID, argsJson: arguments.jsonText, timestampMs: timestampMs))
            notify(.toolCalled(name: name, args: arguments, callId: callID))
        case .run(let callID, let name, let arguments):
            act(.tool(.run(callID: callID, name: name, arguments: arguments)))
        case .cancel(let callID): act(.tool(.cancel(callID: callID)))
        case .end(let outcome): ended(outcome)
        case .schedule(let timer, let duration): act(.timer(.schedule(timer, at: now.advanced(by: duration))))
        case .cancelTimer(let timer): act(.timer(.cancel(timer)))
        case .requestFollowUp(let callIDs): tellOutcomes(callIDs)
        case .tell(_, let note, let isAloud): if isAloud { speak(note) }
        // No tool of the stand-in ends the conversation.
        case .endConversation: break
        case .diagnose(let diagnostic): act(.diagnose(diagnostic))
        }
    }
}
