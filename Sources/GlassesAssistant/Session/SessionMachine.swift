import GlassesDomain

/// A whole assistant session without its effects: lifecycle, connection, answers, tools, history and silence in one value.
///
/// Feed each fact to ``apply(_:at:)`` in the order in which it happened and start the returned actions in their order. The
/// machine reads no clock and no randomness: equal configurations and inputs give equal actions, so that a session can be
/// recorded and replayed. It never traps on what a peer, plugin, device or app does.
public struct SessionMachine: Sendable, Hashable {
    /// The time limits of a session.
    enum Limits {
        /// For a wake, from the app's call on; `wake` must be done in 10 s.
        static let wake = Duration.milliseconds(9_700)
        /// For a reconnect, from opening a connection to the accepted session with its history; the connector's own limit is 10 s.
        static let connectionSetup = Duration.seconds(15)
        /// For the acknowledgement of replayed items, if the set-up has that long; then the session goes on without.
        static let replay = Duration.seconds(5)
        /// A closed connection ends within 2 s; `stop` must be done in 2.5 s.
        static let teardown = Duration.milliseconds(2200)
        /// After this long a connection counts as good.
        static let connectionGood = Duration.seconds(5)
        /// For a call that waits its turn to be spoken, however long the answer before it.
        static let operation = Duration.seconds(60)
        /// For one utterance; a provider that never hears its end would hold up everything else.
        static let utterance = Duration.seconds(120)
        /// An answer stands still for so long before speech that nobody measured is judged by its time alone.
        static let interruption = Duration.seconds(2)
        /// From the end of speech that was too short to interrupt to its words.
        static let interruptionWords = Duration.milliseconds(1_200)
        /// From the end of an utterance to the provider's answer.
        static let serverAnswer = Duration.seconds(5)
        /// Before a request that met an unseen answer is tried again.
        static let answerRetry = Duration.seconds(1)
        /// Without any sign of the running answers.
        static let answerStall = Duration.seconds(30)
        /// From a microphone that failed to the first attempt to open it again.
        static let firstMicrophoneRetry = Duration.seconds(1)
        /// How often that wait doubles, to 8 s: seldom enough for a device that is in use for long.
        static let microphoneDoublings = 3
        /// Answers at once; a provider works on one, and on a few more outside the conversation.
        static let answers = 32
        /// Waiting calls of the app at once.
        static let calls = 64
        /// One typed or spoken text: however it is escaped, its event stays below the 1 MiB that every provider takes.
        static let textBytes = 128 * 1024
        /// How often in a row a lost answer is asked for again, so that a provider which dies of answering is not asked for ever.
        static let repeats = 3
        /// From sending a kept utterance again to the provider's word that it hears speech in it.
        static let resentSpeech = Duration.seconds(5)
        /// Sent items of which nothing was heard; more than a provider ever owes an acknowledgement for.
        static let unacknowledged = 256
        /// An announced end that is further away is a clock's mistake; no provider's session lasts a day.
        static let longestSession = Duration.seconds(86_400)
    }

    /// Where the connection stands.
    enum Link: Sendable, Hashable {
        case none
        /// The next attempt waits for its time.
        case waiting
        case opening(ConnectionID)
        case configuring(ConnectionID, eventID: String)
        /// Items by id with the event ids of their commands, until the provider has acknowledged them.
        case replaying(ConnectionID, awaited: [String: String])
        case open(ConnectionID)
        /// Closed by us; its end is awaited.
        case closing(ConnectionID)
        /// Closed by us to be replaced; its end is awaited, since the provider may allow one connection only.
        case replacing(ConnectionID)

        var id: ConnectionID? {
            switch self {
            case .none, .waiting: nil
            case .opening(let id), .configuring(let id, _), .replaying(let id, _), .open(let id), .closing(let id),
                .replacing(let id):
                id
            }
        }
    }

    /// What a call of the app waits for.
    enum WaitingCall: Sendable, Hashable {
        /// An answer that the gate was asked for.
        case answer
        /// The acknowledgement of an item.
        case item(itemID: String, eventID: String?)
        /// A picture that is being read and scaled.
        case picture(prompt: String?)
        /// A frame that is being scaled.
        case frame
        /// The provider's word that it took the user's turn.
        case turn
        /// The provider's word that it took what was chosen.
        case choices(eventID: String)
    }

    /// The session's fixed facts.
    public let configuration: SessionConfiguration

    var lifecycle = SessionStateMachine()
    var line = OperationLine()
    var link = Link.none
    var gate = ResponseGate()
    var ledger: ToolLedger
    var history: ConversationHistory
    var silence: SilencePolicy
    var reconnect: ReconnectPolicy
    var generator: SplitMix64
    let phrases: SleepPhraseMatcher
    let cancelPhrases: SleepPhraseMatcher

    /// Items by which answers that cannot be truncated were replaced.
    var corrections = RememberedIDs()
    /// Answers that are not over, and one that was cut before the provider began it.
    var answers: [AnswerLife] = []
    var dead = RememberedIDs()
    /// Of those, answers of the conversation that were cut: what they still add to it is taken out again.
    var cut = RememberedIDs()
    /// Cut answers until the device says how much of them was heard.
    var flushes: [FlushID: [AnswerLife]] = [:]
    var calls: [OperationID: WaitingCall] = [:]
    var deadlines: [SessionTimer: MonotonicTime] = [:]
    /// The items of results that were sent, until their follow-up is asked for.
    var outputItems: [String: String] = [:]

    var pressure: HistoryPressure
    var memory: MemoryNotes
    var video = VideoFrames()
    var deviceNotes = DeviceNotes()
    /// What the app and the model were told of pictures that the model cannot see.
    var blindness = BlindnessNotes()

    var server = ServerSessionFacts()
    var isUserSpeaking = false
    /// Whether the playout queue holds anything.
    var isPlaying = false
    /// Whether `assistantAudioStarted` awaits its `assistantAudioFinished`, and since when it does.
    var isAudible = false
    var audibleSince = MonotonicTime.zero
    /// Whether the session sleeps after the goodbye.
    var isLeaving = false
    /// The user's speech over an answer that has not interrupted it.
    var overlap: OverlappingSpeech?
    /// The user's turn, where the app tells of it.
    var pushedTurn: PushedTurn?
    var isDeviceHere = true
    var isMicrophoneAllowed = true
    var isMicrophoneOpen = false
    /// Failures of the microphone in a row.
    var microphoneFailures = 0
    var uplink: ConnectionID?
    var rotation: RotationStateMachine
    var second: SecondConnection?
    /// Connections besides the one in use that were closed and have not ended yet.
    var leaving: [ConnectionID] = []
    /// The user's speech that the driver keeps for a lost connection.
    var speech = KeptSpeech()
    /// Items that were sent on the open connection and not acknowledged, oldest first.
    var unacknowledged: [String] = []
    var wasStarted = false
    var hasGreeted = false
    var lostAt: MonotonicTime?
    var reconnectReason = ReconnectReason.networkDrop
    /// Whether the provider said that its longest session is over.
    var hasSessionExpired = false
    /// How often in a row an answer was asked for again because its connection was lost.
    var repeats = 0
    var lastAnswerSign = MonotonicTime.zero
    /// When the provider last said anything on the connection in use.
    var lastWord = MonotonicTime.zero
    /// A silent connection was left, and no answer has begun since.
    var hasLeftSilence = false
    /// Wall-clock milliseconds since 1970 at the monotonic clock's zero, as last told.
    var wallClockOffset: Int64
    var wasTouched = false
    private var numbers = 0
    /// The history's revision after the last input.
    private(set) var publishedRevision = 0
    private var publishedTurns: [Turn] = []

    /// The input's moment, the actions so far and what was found out about texts; only meaningful inside ``apply(_:at:)``.
    var now = MonotonicTime.zero
    var actions = SessionActions()
    var verdicts = TextVerdicts()

    /// A session in `idle`.
    public init(configuration: SessionConfiguration) {
        self.configuration = configuration
        ledger = ToolLedger(tools: configuration.tools, places: configuration.toolPlaces)
        history = ConversationHistory(cap: configuration.historyCap)
        pressure = HistoryPressure(plan: configuration.compaction, cap: configuration.historyCap)
        memory = MemoryNotes(isOn: configuration.remembers, cap: configuration.historyCap)
        rotation = RotationStateMachine(allowsSecond: configuration.capabilities?.allowsSecondConnection ?? true)
        silence = SilencePolicy(timeout: configuration.silenceTimeout)
        reconnect = ReconnectPolicy(configuration.reconnect ?? .standard)
        generator = SplitMix64(seed: configuration.randomSeed)
        wallClockOffset = configuration.wallClockOffsetMilliseconds
        phrases = SleepPhraseMatcher(phrases: configuration.sleepPhrases)
        cancelPhrases = SleepPhraseMatcher(phrases: configuration.cancelPhrases)
    }

    /// The session's state.
    public var state: AssistantState { lifecycle.state }

    /// The history's turns, oldest first; empty before start and after stop.
    public var turns: [Turn] { history.turns }

    /// Tool bodies that were cancelled and still run.
    public var overdueToolBodies: Int { ledger.overdueBodies }

    /// Applies a fact and returns what the driver has to start now, in this order.
    public mutating func apply(_ input: SessionInput, at now: MonotonicTime) -> SessionActions {
        var verdicts = TextVerdicts()
        return apply(input, at: now, verdicts: &verdicts)
    }

    /// Applies a fact and returns what the driver has to start now, in this order. What was found out about texts is in `verdicts`,
    /// or taken from there, when they are those of a record.
    public mutating func apply(
        _ input: SessionInput, at now: MonotonicTime, verdicts: inout TextVerdicts
    ) -> SessionActions {
        swap(&self.verdicts, &verdicts)
        defer { swap(&self.verdicts, &verdicts) }
        self.now = now
        actions = SessionActions()
        wasTouched = false
        handle(input)
        finishTurnIfOver()
        leaveIfOver()
        countSilence()
        rememberPortion()
        relieveHistory()
        tellDeviceIfQuiet()
        watchQuiet()
        publishTurns()
        defer { actions = SessionActions() }
        return actions
    }

    private mutating func handle(_ input: SessionInput) {
        switch input {
        case .operationRequested(let id, let operation): request(operation, id)
        case .historyCleared: replaceHistory([])
        case .turnAppended(let turn): appendHistory(turn)
        case .historyReplaced(let turns): replaceHistory(turns)
        case .connectionOpened(let id): connectionOpened(id)
        case .connectionFailed(let id, let closure): connectionFailed(id, closure)
        case .connectionClosed(let id, let closure): connectionClosed(id, closure)
        case .server(let id, let fact): serverReported(fact, on: id)
        case .commandUnsendable(let id, let eventID, let code, let message):
            serverReported(.errorReported(code: code, message: message, eventID: eventID), on: id)
        case .speechNoticed: speechNoticed()
        case .speechMeasured(let milliseconds, let isOver): speechMeasured(milliseconds, isOver: isOver)
        case .playbackStarted(let segment): playbackStarted(segment)
        case .playbackProgressed(let position): playbackProgressed(position)
        case .playbackDrained: playbackDrained()
        case .flushCompleted(let id, let heard): flushCompleted(id, heard)
        case .toolReturned(let callID, let output, let isError):
            applyLedger(.returned(callID: callID, output: output, isError: isError))
        case .toolThrew(let callID, let message): applyLedger(.threw(callID: callID, message: message))
        case .toolProgressed(let callID, let note, let isAloud):
            applyLedger(.progressed(callID: callID, note: note, isAloud: isAloud))
        case .pictureReady(let id, let picture): pictureReady(id, picture)
        case .pictureFailed(let id, let refusal): pictureFailed(id, refusal)
        case .memoryLoaded(let preamble): memoryLoaded(preamble)
        case .historySummarised(let id, let text): summarised(id, text)
        case .historyCompacted(let id, let turns): compacted(id, turns)
        case .compactionFailed(let id): pressure.fail(id, at: now)
        case .hookEnded(let hook, let message): hookEnded(hook, message)
        case .timerFired(let timer): timerFired(timer)
        case .machineResumed(let time): machineResumed(after: time)
        case .wallClockMoved(let offset): wallClockMoved(offset)
        case .deviceLost(let reason): deviceLost(reason)
        case .deviceReturned: deviceReturned()
        case .deviceDescribed(let description): deviceDescribed(description)
        case .microphoneGateClosed: microphoneGateClosed()
        case .microphoneGateOpened:
            isMicrophoneAllowed = true
            openMicrophone()
        case .microphoneFailed(let code, let message): microphoneFailed(code, message)
        }
    }

    // MARK: - What every part uses

    mutating func act(_ action: SessionAction) { actions.append(action) }

    mutating func notify(_ event: AssistantEvent) { actions.append(.notify(event)) }

    mutating func finish(_ id: OperationID?, _ outcome: OperationOutcome) {
        guard let id else { return }
        actions.append(.finish(id, outcome))
    }

    mutating func schedule(_ timer: SessionTimer, after duration: Duration) {
        let moment = now.advanced(by: duration)
        deadlines[timer] = moment
        act(.timer(.schedule(timer, at: moment)))
    }

    mutating func cancel(_ timer: SessionTimer) {
        guard deadlines.removeValue(forKey: timer) != nil else { return }
        act(.timer(.cancel(timer)))
    }

    /// A name that no command or item of this session had before.
    mutating func newID(_ prefix: String) -> String {
        numbers += 1
        return "\(prefix)_\(numbers)"
    }

    /// Item ids also differ between sessions, because a provider may keep them.
    mutating func newItemID() -> String {
        newID("item_x\(String(configuration.randomSeed & 0xFFFF_FFFF, radix: 16))")
    }

    mutating func newNumber() -> Int {
        numbers += 1
        return numbers
    }

    /// Sends a command while the session is awake; from the first moment of sleep nothing is sent.
    mutating func send(_ command: SessionCommand) {
        guard state == .active, case .open(let id) = link else { return }
        if case .deleteItem = command, !has(\.deletes) { return }
        act(.send(command, on: id))
    }

    /// Whether the provider has this part of the protocol.
    func has(_ part: KeyPath<RealtimeCapabilities, Bool>) -> Bool {
        configuration.capabilities.map { $0[keyPath: part] } ?? true
    }

    var timestampMs: Int64 { wallClockOffset &+ now.nanoseconds / 1_000_000 }

    // MARK: - After every input

    private mutating func countSilence() {
        var activity: SessionActivity = []
        if state != .active { activity.insert(.notAwake) }
        if isUserSpeaking { activity.insert(.speech) }
        if isPlaying { activity.insert(.playback) }
        if ledger.isRunning { activity.insert(.tool) }
        if gate.isAnswering { activity.insert(.answer) }
        switch silence.apply(activity, wasTouched: wasTouched, at: now) {
        case .none: break
        case .schedule(let moment):
            deadlines[.silence] = moment
            act(.timer(.schedule(.silence, at: moment)))
        case .cancel: cancel(.silence)
        }
    }

    private mutating func publishTurns() {
        guard history.revision != publishedRevision else { return }
        publishedRevision = history.revision
        let turns = history.turns
        guard verdicts.flag(.turnsChanged, turns != publishedTurns) else { return }
        publishedTurns = turns
        act(.publishHistory(turns))
    }
}
