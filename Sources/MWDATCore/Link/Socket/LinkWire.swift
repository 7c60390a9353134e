/// A connection that carries messages both ways: a stream socket, or a WebSocket.
///
/// One thread owns it and calls ``receive(until:)`` and ``finish(within:)``; every other member may be called on any
/// thread and returns at once.
package protocol LinkWire: AnyObject, Sendable {
    /// Queues a message. Control messages keep their order and are never dropped; pictures and sound wait behind them,
    /// and the oldest of these go first when too many wait.
    @discardableResult
    func send(_ message: LinkMessage) -> LinkSendOutcome
    /// The peer takes that many further pictures.
    func grant(frames: Int)
    /// Waits for the next message, at most until `deadline`; nil waits until there is one.
    func receive(until deadline: ContinuousClock.Instant?) -> LinkArrival
    /// Makes the receive under way, or else the next one, return `interrupted`.
    func interrupt()
    /// Makes every receive from now on say that the connection is over; callable on any thread. Its owner then
    /// finishes it.
    func abandon(_ refusal: Refusal)
    /// Ends: sends what waits of the control messages and closes, within the bound.
    func finish(within bound: Duration)
    /// How many pictures and blocks of sound were dropped because the peer was slow.
    var droppedMedia: Int { get }
}

/// What a receive brought.
package enum LinkArrival: Sendable, Equatable {
    case message(LinkMessage)
    case timedOut
    case interrupted
    /// The connection is over; every later receive says so too.
    case ended(Refusal)
}

/// What became of a message that was handed to a wire.
package enum LinkSendOutcome: Sendable, Equatable {
    case accepted
    /// The peer is slow: this many pictures were given up, and a stream whose coding builds on them needs one that
    /// stands alone.
    case dropped(keyFrameNeeded: [LinkOutbox.Stream])
    /// It is beyond the protocol's bounds and was not sent.
    case tooLarge
    /// Nothing can be sent any more.
    case ended
}
