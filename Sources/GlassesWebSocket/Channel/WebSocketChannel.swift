import GlassesDomain

/// One end of an open WebSocket, client or server, whoever's loop carries it.
///
/// All members may be called on any thread, also from inside a ``WebSocketReceiver``'s calls, and return at once.
public protocol WebSocketChannel: AnyObject, Sendable {
    /// Queues a message behind those of its lane; control messages overtake waiting audio, never one that has begun.
    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome
    /// Starts the closing handshake; the end is reported within 2 s. Later calls change nothing.
    func close(code: UInt16, reason: String)
    /// Stops reading from the peer, so that it is held back by its socket. Control frames wait too.
    func pauseReading()
    /// Reads on.
    func resumeReading()
    /// The bytes that were accepted and that the kernel has not taken yet.
    var waitingBytes: Int { get }
    /// The subprotocol that the server selected; nil, the default, when it selected none.
    var subprotocol: String? { get }
}

extension WebSocketChannel {
    /// None.
    public var subprotocol: String? { nil }
}

/// What an open WebSocket tells. The calls come one after another on the loop's own thread, where every other connection waits
/// meanwhile: a receiver hands over and returns.
public protocol WebSocketReceiver: AnyObject, Sendable {
    /// A complete message came; a text is valid UTF-8.
    func received(_ message: RealtimeMessage)
    /// All that waited for the kernel is gone, after more than the channel's high-water mark had waited.
    func drained()
    /// The connection ended; the last call, and exactly one.
    func closed(_ closure: ConnectionClosure)
}
