import GlassesDomain
import GlassesWebSocket

/// A client's end of a session at a gateway; letting go of it closes the session with 1001.
final class GatewayConnection: RealtimeConnection {
    let inbound: AsyncStream<RealtimeInbound>
    private let channel: any WebSocketChannel

    init(channel: any WebSocketChannel, inbound messages: InboundMessages) {
        self.channel = channel
        inbound = AsyncStream(unfolding: { await messages.next() })
        messages.attach(channel)
    }

    deinit { channel.close(code: WebSocketCloseCode.goingAway, reason: "") }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome { channel.send(message, lane: lane) }

    func close(code: UInt16, reason: String) { channel.close(code: code, reason: reason) }
}
