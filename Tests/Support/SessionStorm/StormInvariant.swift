/// What must hold after every step of every conversation.
public enum StormInvariant: String, CaseIterable, Sendable, Hashable {
    /// The states follow each other as the table allows.
    case legalState
    /// Every call of the app ends once, and within its bound.
    case oneEndingPerRequest
    /// Every announced tool call has one result, and its body runs at most once.
    case oneEndingPerCall
    /// `assistantAudioStarted` and `assistantAudioFinished` alternate, and are even in the end.
    case pairedAudioEdges
    /// No answer is asked for while one is known to be active or asked for, and only living ones are cancelled.
    case oneAnswerAtATime
    /// Playback of an answer stops when it is cut, and what was cut is truncated at what was heard.
    case cutAtTheEar
    /// The history holds what was said, done and heard.
    case historyIsTrue
    /// The provider's conversation holds what the history holds, in its order.
    case conversationIsTheHistory
    /// No microphone sample leaves while the session is not awake, or the microphone is forbidden.
    case silentMicrophone
    /// Commands go to the accepted connection only, and one connection is open at a time.
    case oneConnection
    /// What the session keeps has a bound.
    case boundedMemory
    /// In the end nothing is left: no timer, no capture, no connection, no running body.
    case nothingLeft
}

/// An invariant that did not hold.
public struct StormViolation: Sendable, Hashable, CustomStringConvertible {
    /// Which one.
    public let invariant: StormInvariant
    /// What was seen.
    public let detail: String
    /// At which step of the conversation.
    public let step: Int

    /// The invariant, the step and what was seen.
    public var description: String { "\(invariant.rawValue) at step \(step): \(detail)" }
}
