/// What the world does to a session that a user or an operator would call a fault, or an unusual wish.
public enum StormFault: String, CaseIterable, Sendable, Hashable {
    /// The network drops an open connection, with events under way in both directions.
    case drop
    /// The provider closes, with a code that allows another attempt.
    case close
    /// An attempt is refused for a while: a status, a `Retry-After`, or no route.
    case refusal
    /// An attempt is refused for good.
    case finalRefusal
    /// An attempt, or the provider's acceptance, takes seconds.
    case slowOpen
    /// The provider ends the session for good.
    case finalClose
    /// The provider says when it will end the session, and does.
    case ceiling
    /// The provider refuses a second connection beside the one in use.
    case refusedSecond
    /// The machine sleeps in the middle of something.
    case machineSleep
    /// Everything on the wire takes up to a second longer for a while.
    case delay
    /// A call is told twice, as `output_item.done` and inside `response.done`.
    case duplicateCall
    /// The words of an utterance come after the answer to it has begun.
    case lateTranscript
    /// The words of an utterance never come.
    case lostTranscript
    /// An item is acknowledged after later events.
    case lateAcknowledgement
    /// An item is never acknowledged.
    case lostAcknowledgement
    /// Events of an answer come after it was cancelled.
    case lateAnswerEvents
    /// The provider refuses to answer.
    case refusedRequest
    /// An answer ends in failure.
    case failedAnswer
    /// An answer stops in its middle for longer than the session waits.
    case stalledAnswer
    /// The provider does not answer an utterance by itself although it said so.
    case missingAnswer
    /// A call's arguments are no JSON, or do not fit.
    case brokenArguments
    /// A call of a tool that does not exist.
    case unknownTool
    /// A tool body that takes longer than its time-out and ends when it is cancelled.
    case slowTool
    /// A tool body that goes on for long after its cancellation.
    case stuckTool
    /// A tool body that throws.
    case throwingTool
    /// The device's link drops and comes back, soon or too late.
    case deviceDrop
    /// The glasses are folded.
    case deviceFold
    /// The loudspeaker stands still for a while.
    case deviceStall
    /// The microphone fails.
    case microphoneFailure
    /// A toggle forbids the microphone for a while.
    case microphoneGate
    /// The app puts the session to sleep in the middle of something.
    case sleep
    /// The app ends the session in the middle of something.
    case stop
    /// The app silences the assistant.
    case silence
    /// The app has a text spoken, or a greeting.
    case say
    /// The app adds a typed turn.
    case typedTurn
    /// The app shows a picture.
    case picture
    /// The app edits the history.
    case historyEdit
    /// The user speaks over the assistant.
    case bargeIn
    /// The user shows over the assistant that they listen.
    case backchannel
    /// The app tells that the user's turn begins.
    case pushedTurn
    /// The app has a text spoken that the user's voice may not cut.
    case protectedSpeech
    /// The app calls something at a moment at which it means nothing.
    case oddCall
    /// A timer's word was under way when the timer was cancelled.
    case staleTimer
    /// The provider tells of what never was, or goes on talking on a connection that was closed.
    case strayEvent
    /// A tool tells how far it is, also when nobody waits for it any more.
    case toolProgress
    /// The model ends the conversation.
    case farewell
    /// A history that is full is made shorter.
    case compaction
}

/// How often each fault struck.
public struct StormCounts: Sendable {
    /// Strikes by fault.
    public private(set) var strikes: [StormFault: Int] = [:]

    mutating func count(_ fault: StormFault) { strikes[fault, default: 0] += 1 }

    mutating func add(_ other: StormCounts) { strikes.merge(other.strikes, uniquingKeysWith: +) }
}
