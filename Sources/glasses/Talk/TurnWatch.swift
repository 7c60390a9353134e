import GlassesCore

/// Decides when a turn is over: its answer was played, or it will never come.
struct TurnWatch: Sendable, Hashable {
    /// What the watch is told.
    enum Input: Sendable, Hashable {
        /// Something happened in the session.
        case event(AssistantEvent)
        /// Time has passed.
        case timePassed
    }

    /// What is known of the turn.
    enum Outcome: Sendable, Hashable {
        /// It goes on.
        case waiting
        /// Its answer was played.
        case answered
        /// Nothing was heard or answered in time.
        case unanswered
        /// The session fell asleep or ended, so that no answer comes any more.
        case abandoned
    }

    /// Recognition, a slow tool and synthesis on a small board take a few seconds; this is several times that.
    static let answerLimit: Duration = .seconds(20)
    /// A tool may run as long as the runtime lets it, and the answer comes after it.
    static let toolLimit: Duration = .seconds(40)
    /// Longer than any text that the tools return takes to play.
    static let playbackLimit: Duration = .seconds(180)
    /// An answer goes on within this time after a pause, for example when a second utterance was heard.
    static let settleTime: Duration = .milliseconds(400)
    /// Audio follows its words within this time; without a voice it never does.
    static let silentAnswerTime: Duration = .seconds(3)

    private var inputEnd: MonotonicTime
    private var lastProgress: MonotonicTime
    private var openCalls: Set<String> = []
    private var isAudible = false
    private var finishedAt: MonotonicTime?
    private var spokeAt: MonotonicTime?

    /// A turn whose input lasts until `inputEnd`.
    init(inputEnd: MonotonicTime) {
        self.inputEnd = inputEnd
        lastProgress = inputEnd
    }

    /// Takes what happened at `now`.
    mutating func apply(_ input: Input, at now: MonotonicTime) -> Outcome {
        if case .event(let event) = input, note(event, at: now) { return .abandoned }
        if let finishedAt {
            return finishedAt.duration(to: now) >= Self.settleTime && now >= inputEnd ? .answered : .waiting
        }
        if !isAudible, openCalls.isEmpty, let spokeAt, spokeAt.duration(to: now) >= Self.silentAnswerTime {
            return .answered
        }
        return lastProgress.duration(to: now) >= limit ? .unanswered : .waiting
    }

    private var limit: Duration {
        if isAudible { return Self.playbackLimit }
        return openCalls.isEmpty ? Self.answerLimit : Self.toolLimit
    }

    /// True when no answer can come any more.
    private mutating func note(_ event: AssistantEvent, at now: MonotonicTime) -> Bool {
        switch event {
        case .userSpoke: begin(at: now)
        case .toolCalled(_, _, let callId):
            openCalls.insert(callId)
            begin(at: now)
        case .toolResult(let callId, _, _, _, _):
            openCalls.remove(callId)
            progress(at: now)
        case .assistantSpoke:
            spokeAt = now
            progress(at: now)
        case .assistantAudioStarted:
            isAudible = true
            begin(at: now)
        case .assistantAudioFinished:
            isAudible = false
            finishedAt = now
            progress(at: now)
        case .wentDormant, .sessionEnded: return true
        case .sessionStarted, .reconnected, .error: break
        }
        return false
    }

    private mutating func begin(at now: MonotonicTime) {
        finishedAt = nil
        spokeAt = nil
        progress(at: now)
    }

    /// Speech that is still coming in counts as progress, so that its own end begins the limit.
    private mutating func progress(at now: MonotonicTime) { lastProgress = max(now, inputEnd) }
}
