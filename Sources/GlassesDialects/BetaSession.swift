import GlassesDomain
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A session at a server of the beta dialect, for a client of the GA protocol: the receiver of the server's socket, in front of the
/// client's own. Both directions are rewritten in the call that brings a message.
public final class BetaSession: WebSocketReceiver {
    private let client: any WebSocketReceiver
    private let reader = Mutex(BetaServerMessages())

    /// A session whose events go to `client`.
    public init(client: any WebSocketReceiver) { self.client = client }

    /// What the client sends through, to the server behind `socket`.
    public func channel(to socket: any WebSocketChannel) -> any WebSocketChannel { BetaChannel(socket) }

    /// Gives the client a message of the server in the GA form.
    public func received(_ message: RealtimeMessage) {
        guard case .text(let bytes) = message else { return client.received(message) }
        for event in reader.withLock({ $0.messages(for: bytes) }) { client.received(.text(event)) }
    }

    /// Passes it on.
    public func drained() { client.drained() }

    /// Passes it on.
    public func closed(_ closure: ConnectionClosure) { client.closed(closure) }
}

/// A socket that takes messages in the GA form.
private final class BetaChannel: WebSocketChannel {
    private let socket: any WebSocketChannel

    init(_ socket: any WebSocketChannel) { self.socket = socket }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return socket.send(message, lane: lane) }
        return socket.send(.text(BetaClientMessages.message(bytes)), lane: lane)
    }

    func close(code: UInt16, reason: String) { socket.close(code: code, reason: reason) }
    func pauseReading() { socket.pauseReading() }
    func resumeReading() { socket.resumeReading() }
    var waitingBytes: Int { socket.waitingBytes }
}
