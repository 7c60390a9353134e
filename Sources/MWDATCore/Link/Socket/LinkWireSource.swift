/// Where a remote link gets its connections from, one after another.
package protocol LinkWireSource: AnyObject, Sendable {
    /// Waits for the next connection on which both ends have agreed. Called by the link's thread alone.
    func next() -> LinkWireResult
    /// Makes the wait under way, or else the next one, return `interrupted`; callable on any thread.
    func interrupt()
    /// How long the link waits after a failure, or after an end, before it asks again; nil does not ask again.
    func pause(afterFailures failures: Int) -> Duration?
}

/// What a wait for a connection brought.
package enum LinkWireResult: Sendable {
    /// A connection, and the seconds of silence after which its peer is asked for a sign of life.
    case connected(any LinkWire, heartbeat: Duration?)
    case failed(Refusal)
    case interrupted
}
