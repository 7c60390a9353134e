import GlassesDomain

/// Every pair of a state and an input that can happen, by hand: all that are, without those that a reason rules out.
///
/// ``ReachSearch`` finds the same by trying, without these reasons; a test holds the two against each other.
public enum ReachablePairs {
    /// Pairs that cannot happen, and why.
    public struct Impossible: Sendable {
        /// The inputs.
        public let inputs: [String]
        /// The states in which they cannot come.
        public let states: [AssistantState]
        /// Why not.
        public let reason: String

        init(_ inputs: [String], in states: [AssistantState], _ reason: String) {
            self.inputs = inputs
            self.states = states
            self.reason = reason
        }
    }

    /// Every kind of input.
    public static let inputs: [String] =
        operations + edits + surroundings + connections + microphone + playback + outcomes + timers + facts

    /// The pairs that can happen.
    public static let all: Set<StormWorld.Pair> = {
        var pairs = Set(
            inputs.flatMap { input in AssistantState.allCases.map { StormWorld.Pair(state: $0, input: input) } })
        for rule in impossible {
            for input in rule.inputs {
                for state in rule.states { pairs.remove(StormWorld.Pair(state: state, input: input)) }
            }
        }
        return pairs
    }()

    /// Which pairs cannot happen.
    public static let impossible: [Impossible] = [
        Impossible(
            connections + microphone + playback + outcomes + timers + facts, in: [.idle],
            "Before its start a session has asked for nothing."),
        Impossible(
            microphone, in: asleep,
            "The microphone is open while the session is awake and no longer."),
        Impossible(
            ["speechMeasured"], in: [.reconnecting],
            "Speech is measured over an answer that may be interrupted, and a loss of the connection ends that."),
        Impossible(
            ["playbackStarted", "playbackProgressed", "playbackDrained"], in: asleep,
            "Nothing is played before a session is awake, and sleep and stop cut what plays."),
        Impossible(
            ofConnection, in: [.dormant, .activating],
            "They run on an open connection alone. Its end cancels them, and the word of one that was cancelled comes in the next state."
        ),
        Impossible(
            ofWaking, in: [.activating],
            "They run in an awake session alone. Sleep cancels them; without a connection it ends at once, so that their word can come in dormant."
        ),
        Impossible(
            ["timer.reconnect"], in: [.active],
            "It runs while the next attempt is waited for, and from there an attempt leads to active."),
        Impossible(
            ["timer.wake"], in: [.dormant, .reconnecting],
            "A wake waits behind a sleep or the start's own wake; when that is over it begins, or is done, at once."),
    ]

    private static let asleep: [AssistantState] = [.idle, .dormant, .activating, .sleeping, .stopping, .stopped]

    private static let ofConnection =
        [
            "timer.answerStall", "timer.answerRetry", "timer.connectionGood", "timer.interruption",
            "timer.serverAnswer",
            "timer.silence",
        ] + ["due", "urgent", "final", "quiet", "retry"].map { "timer.rotation.\($0)" }

    private static let ofWaking = [
        "timer.deviceReturn", "timer.microphoneRetry", "timer.operation", "timer.reconnect", "timer.utterance",
    ]

    // MARK: - The inputs

    private static let operations = [
        "start", "wake", "sleep", "stop", "say", "greet", "sendText", "includePicture", "sendFrame", "cancelSpeak",
        "applyChoices", "beginTurn", "endTurn", "cancelTurn",
    ].map { "operation.\($0)" }

    private static let edits = ["historyCleared", "turnAppended", "historyReplaced"]

    private static let surroundings = [
        "machineResumed", "wallClockMoved", "deviceLost.dropped", "deviceLost.hingesClosed",
        "deviceLost.userRequested", "deviceReturned", "microphoneGateClosed", "microphoneGateOpened",
    ]

    private static let connections = [
        "connectionOpened", "connectionFailed", "connectionClosed", "commandUnsendable",
    ]

    private static let microphone = ["speechNoticed", "speechMeasured", "microphoneFailed"]

    private static let playback = ["playbackStarted", "playbackProgressed", "playbackDrained", "flushCompleted"]

    private static let outcomes = [
        "toolReturned", "toolThrew", "toolProgressed", "memoryLoaded", "historySummarised", "historyCompacted",
        "compactionFailed", "pictureReady", "pictureFailed", "hookEnded",
    ]

    private static let timers =
        ofConnection + ofWaking
        + [
            "timer.connectionSetup", "timer.replay", "timer.teardown", "timer.toolTimeout", "timer.toolOverrun",
            "timer.wake",
        ]

    private static let facts = [
        "sessionCreated", "sessionUpdated", "speechStarted", "speechStopped", "utteranceCommitted", "itemAdded",
        "userTranscriptCompleted", "userTranscriptFailed", "answerCreated", "answerItemAdded", "answerAudioReceived",
        "answerAudioDone", "answerTranscriptReceived", "answerTranscriptDone", "answerTextReceived", "answerTextDone",
        "functionCallCompleted", "answerDone", "errorReported",
    ].map { "server.\($0)" }
}
