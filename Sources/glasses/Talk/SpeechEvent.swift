import GlassesCore

/// Something about the speech engines of a conversation, out of the runtime's log.
struct SpeechEvent: Sendable, Hashable {
    /// What it is about.
    enum Kind: String, Sendable, Hashable {
        /// Another engine serves: `kind`, `from`, `to`, `code`, `message`.
        case fallback = "speechFallback"
        /// Speech is judged by energy for a while: `reason`, `losses`, `insteadUsed`.
        case judgeLost = "speechJudgeLost"
        /// The first sound of an answer left the pipeline; how long each stage of the turn took, in ms. What follows until
        /// `assistantAudioStarted` is the way to the loudspeaker.
        case turn = "turnStages"
    }

    let kind: Kind
    let fields: [String: JSONValue]

    /// The event of a log line; nil for another line.
    init?(log message: String, _ payload: JSONValue?) {
        switch message {
        case "speech.fallback": kind = .fallback
        case "speech.judge_lost": kind = .judgeLost
        case "speech.turn": kind = .turn
        default: return nil
        }
        fields = payload?.objectValue ?? [:]
    }

    /// What a person is told.
    var text: String? {
        guard kind == .fallback, let from = fields["from"]?.stringValue, let next = fields["to"]?.stringValue else {
            return nil
        }
        return "\(next) serves instead of \(from). \(fields["message"]?.stringValue ?? "")"
    }
}
