import GlassesDomain
import GlassesRealtime
import GlassesWebSocket

/// A session at a server that has something at another place than the protocol says: the receiver of the server's socket, in front of the
/// client's own. Both directions are rewritten in the call that brings a message.
public final class RewrittenSession: WebSocketReceiver {
    /// A message in another form.
    public typealias Rewrite = @Sendable ([UInt8]) -> [UInt8]

    private let client: any WebSocketReceiver
    private let toServer: Rewrite
    private let fromServer: Rewrite

    /// A session whose events go to `client` in the form that `fromServer` makes of them; what the client sends, `toServer` changes.
    public init(client: any WebSocketReceiver, toServer: @escaping Rewrite, fromServer: @escaping Rewrite) {
        self.client = client
        self.toServer = toServer
        self.fromServer = fromServer
    }

    /// What the client sends through, to the server behind `socket`.
    public func channel(to socket: any WebSocketChannel) -> any WebSocketChannel {
        RewritingChannel(socket, toServer)
    }

    /// Gives the client a message of the server in its own form.
    public func received(_ message: RealtimeMessage) {
        guard case .text(let bytes) = message else { return client.received(message) }
        client.received(.text(fromServer(bytes)))
    }

    /// Passes it on.
    public func drained() { client.drained() }

    /// Passes it on.
    public func closed(_ closure: ConnectionClosure) { client.closed(closure) }
}

/// A socket that takes messages in the client's form.
private final class RewritingChannel: WebSocketChannel {
    private let socket: any WebSocketChannel
    private let rewrite: RewrittenSession.Rewrite

    init(_ socket: any WebSocketChannel, _ rewrite: @escaping RewrittenSession.Rewrite) {
        self.socket = socket
        self.rewrite = rewrite
    }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return socket.send(message, lane: lane) }
        return socket.send(.text(rewrite(bytes)), lane: lane)
    }

    func close(code: UInt16, reason: String) { socket.close(code: code, reason: reason) }
    func pauseReading() { socket.pauseReading() }
    func resumeReading() { socket.resumeReading() }
    var waitingBytes: Int { socket.waitingBytes }
}
