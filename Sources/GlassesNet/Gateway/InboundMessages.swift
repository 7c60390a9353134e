import GlassesDomain
import GlassesWebSocket
import Synchronization

/// The receiving end of a gateway connection: a queue that holds the peer back when its reader is behind.
final class InboundMessages: WebSocketReceiver {
    private let queue = DeliveryQueue<RealtimeInbound>(highWater: NetworkLimits.inboundHighWater)
    private let channel = Mutex<(any WebSocketChannel)?>(nil)

    /// Says which channel is held back.
    func attach(_ channel: any WebSocketChannel) {
        self.channel.withLock { $0 = channel }
        queue.whenRoom { [weak channel] in channel?.resumeReading() }
        // What came before may have filled the queue already.
        if queue.isFull { hold(channel) }
    }

    func received(_ message: RealtimeMessage) {
        let cost =
            switch message {
            case .text(let bytes), .binary(let bytes): bytes.count
            }
        guard queue.push(.message(message), cost: cost), let channel = channel.withLock({ $0 }) else { return }
        hold(channel)
    }

    /// The reader may have made room on its own thread before the pause, which would then last for ever.
    private func hold(_ channel: any WebSocketChannel) {
        channel.pauseReading()
        if !queue.isFull { channel.resumeReading() }
    }

    func drained() {
        // A realtime session paces itself by its audio; nobody waits for room.
    }

    func closed(_ closure: ConnectionClosure) {
        queue.finish(.closed(closure))
        channel.withLock { $0 = nil }
    }

    /// The next message or the end; nil after it.
    func next() async -> RealtimeInbound? { await queue.next() }
}
