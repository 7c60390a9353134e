import CCurl

/// The number of a connection or transfer on the network thread; never used twice in a process.
struct ParticipantID: Sendable, Hashable {
    let value: UInt64
}

/// What the network thread tells a participant.
enum LoopEvent: Equatable {
    /// Somebody on another thread left something in the participant's handle.
    case woken
    /// libcurl is done with the participant's transfer; with `CONNECT_ONLY` the connection stands.
    case transferEnded(CURLcode)
    /// The socket that the participant watches is ready; an error counts as both.
    case socketReady(readable: Bool, writable: Bool)
    /// The deadline that the participant had set has passed.
    case deadlinePassed
    /// The other participants had their turn, as ``LoopCore/requestTurn(_:)`` had asked.
    case turn
}

/// One connection or transfer. It is made, called and let go of on the network thread, where every other connection waits
/// meanwhile: each call does a bounded amount of work and never blocks.
protocol LoopParticipant: AnyObject {
    /// Called once, when the loop knows the participant: from here on it may also end.
    func begin()
    /// Takes what happened.
    func handle(_ event: LoopEvent)
}
