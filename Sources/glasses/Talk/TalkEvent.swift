import GlassesCore

/// Everything that `talk` tells.
enum TalkEvent: Sendable, Hashable {
    /// The microphone is open and the session is active: speech is heard from now on.
    case ready(TalkFacts)
    /// The session's state.
    case state(AssistantState)
    /// Something happened in the session.
    case assistant(AssistantEvent)
    /// Something about the speech engines.
    case speech(SpeechEvent)
    /// Something about a plugin's child process.
    case plugin(PluginEvent)
    /// A timer began to ring.
    case timerRinging(seconds: Int)
    /// The ring is over.
    case timerStopped
    /// Something failed outside the session.
    case error(Problem)
    /// The end of everything.
    case summary(TalkSummary)
}

/// What a conversation runs on.
struct TalkFacts: Sendable, Hashable {
    /// The device's name.
    var device: String
    /// Whether the loudspeaker's echo is taken out of the microphone; nil when the device does not tell.
    var cancelsEcho: Bool?
    /// One sentence that says where the microphone's audio goes.
    var audioDestination: String
    /// The gateway's host; nil when the session is served in this process.
    var gateway: String?
    /// The recogniser's name; nil when there is none, or when a gateway recognises.
    var recogniser: String?
    /// What judges what is speech; nil when a gateway does.
    var voiceActivity: String?
    /// The voice's name; nil when there is none, or when a gateway does not name it.
    var voice: String?
    /// What decides the answers: `rules`, or a gateway's model; nil when a gateway does not name it.
    var brain: String?
}

/// The figures of a whole conversation.
struct TalkSummary: Sendable, Hashable {
    /// A timer that had not rung.
    struct Timer: Sendable, Hashable {
        /// What it was set to.
        var seconds: Int
        /// How long until it would have rung.
        var remainingSeconds: Int
    }

    /// Utterances and typed texts of the user.
    var turns = 0
    /// Tool calls.
    var tools = 0
    /// Errors that were told.
    var errors = 0
    /// Deaths of plugins' child processes.
    var pluginDeaths = 0
    /// How long it took.
    var seconds: Double = 0
    /// The timers that end with the conversation.
    var pendingTimers: [Timer] = []
}
