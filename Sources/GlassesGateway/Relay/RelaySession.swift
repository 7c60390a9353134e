import GlassesDomain
import GlassesNet
import GlassesPipeline
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A relayed session: two sockets, each on its own loop, joined without a task, a thread or an actor of their own.
///
/// It is the receiver of the client's socket; ``UpstreamSide`` is that of the upstream's. What one side receives is
/// handed to the other side's channel in the same call, and a side that does not keep up stops the reading of the other
/// one. All messages of a side go through one lane: audio overtaken by the commit that ends it would be another
/// conversation.
final class RelaySession: WebSocketReceiver, RunningSession {
    private enum Stage {
        /// The upstream has not accepted yet.
        case opening
        /// The upstream is open and the client's socket is not; what came meanwhile waits, with the reading paused.
        case waiting(any WebSocketChannel, [RealtimeMessage])
        /// Both are open.
        case joined(upstream: any WebSocketChannel, client: any WebSocketChannel)
        /// The upstream ended before the client's socket was open.
        case lost([RealtimeMessage], ConnectionClosure)
        /// The client's side has ended.
        case ended
    }

    let upstream: Upstream
    let record: SessionRecord
    private let registry: SessionRegistry
    /// What a client secret configures the session with.
    private let update: SessionUpdate?
    private let filter: RelayFilter
    let redaction: KeyRedaction
    private let stage = Mutex(Stage.opening)

    init(to upstream: Upstream, update: SessionUpdate?, record: SessionRecord, registry: SessionRegistry) {
        self.upstream = upstream
        self.record = record
        self.registry = registry
        self.update = update
        filter = RelayFilter(upstream)
        redaction = KeyRedaction(key: upstream.key, others: upstream.headerSecrets)
    }

    /// The upstream has accepted; called before anything of it is received.
    func upstreamOpened(_ channel: any WebSocketChannel) {
        channel.pauseReading()
        stage.withLock { $0 = .waiting(channel, []) }
    }

    /// The client's socket is open.
    func clientOpened(_ client: any WebSocketChannel) {
        registry.begin(record, self)
        let (channel, closure) = stage.withLock { stage -> ((any WebSocketChannel)?, ConnectionClosure?) in
            switch stage {
            case .waiting(let channel, let held):
                // Under the lock, so that nothing that comes now is sent before what waited.
                for message in held { deliver(message, to: client) }
                stage = .joined(upstream: channel, client: client)
                return (channel, nil)
            case .lost(let held, let closure):
                for message in held { deliver(message, to: client) }
                return (nil, closure)
            case .opening, .joined, .ended:
                // Cannot be: an upgrade is accepted once, and after the upstream.
                return (nil, nil)
            }
        }
        if let channel {
            configure(channel)
            channel.resumeReading()
        } else if let closure {
            end(client, closure)
        }
    }

    /// The client's socket never opened.
    func abandon() {
        let channel = stage.withLock { stage -> (any WebSocketChannel)? in
            defer { stage = .ended }
            if case .waiting(let channel, _) = stage { return channel } else { return nil }
        }
        channel?.close(code: 1_001, reason: "")
        registry.end(record, closeCode: nil)
    }

    func close(code: UInt16, reason: String) {
        let client = stage.withLock { stage -> (any WebSocketChannel)? in
            if case .joined(_, let client) = stage { return client } else { return nil }
        }
        client?.close(code: code, reason: reason)
    }

    /// What a client secret stands for comes before everything that the client says.
    private func configure(_ channel: any WebSocketChannel) {
        guard var update else { return }
        update.model = nil
        _ = channel.send(.text(RealtimeCodec.encode(.sessionUpdate(update))), lane: .control)
    }
}

// The client's side, on the server's loop.
extension RelaySession {
    func received(_ message: RealtimeMessage) {
        guard case .joined(let upstream, let client) = stage.withLock({ $0 }) else { return }
        record.countReceived()
        guard case .text(let bytes) = message else {
            return client.close(code: 1_003, reason: "This gateway takes text messages only.")
        }
        switch filter.client(bytes, makeId: PipelineConnector.randomId) {
        case .forward: forward(message, to: upstream, from: client)
        case .replace(let changed): forward(.text(changed), to: upstream, from: client)
        case .answer(let event): deliver(.text(event), to: client)
        }
    }

    func drained() {
        guard case .joined(let upstream, _) = stage.withLock({ $0 }) else { return }
        upstream.resumeReading()
    }

    func closed(_ closure: ConnectionClosure) {
        let upstream = stage.withLock { stage -> (any WebSocketChannel)? in
            defer { stage = .ended }
            if case .joined(let upstream, _) = stage { return upstream } else { return nil }
        }
        upstream?.close(code: closure.closeCode == 1_000 ? 1_000 : 1_001, reason: "")
        registry.end(record, closeCode: closure.closeCode)
    }

    private func forward(
        _ message: RealtimeMessage, to upstream: any WebSocketChannel, from client: any WebSocketChannel
    ) {
        // A refused message means that the upstream has ended, which it reports itself.
        guard upstream.send(message, lane: .control) == .accepted,
            upstream.waitingBytes > NetworkLimits.outboundHighWater
        else { return }
        client.pauseReading()
        // What was taken between the two calls will not be reported again.
        if upstream.waitingBytes <= NetworkLimits.outboundHighWater { client.resumeReading() }
    }
}

// The upstream's side, on the network thread.
extension RelaySession {
    fileprivate func upstreamReceived(_ message: RealtimeMessage) {
        let joined = stage.withLock { stage -> (upstream: any WebSocketChannel, client: any WebSocketChannel)? in
            switch stage {
            case .joined(let upstream, let client): return (upstream, client)
            case .waiting(let channel, let held):
                stage = .waiting(channel, held + [message])
                return nil
            case .opening, .lost, .ended: return nil
            }
        }
        guard let joined else { return }
        deliver(message, to: joined.client)
        guard joined.client.waitingBytes > GatewayLimits.outboundHighWater else { return }
        joined.upstream.pauseReading()
        // What was taken between the two calls will not be reported again.
        if joined.client.waitingBytes <= GatewayLimits.outboundHighWater { joined.upstream.resumeReading() }
    }

    fileprivate func upstreamDrained() {
        guard case .joined(_, let client) = stage.withLock({ $0 }) else { return }
        client.resumeReading()
    }

    fileprivate func upstreamClosed(_ closure: ConnectionClosure) {
        let client = stage.withLock { stage -> (any WebSocketChannel)? in
            switch stage {
            case .joined(_, let client): return client
            case .waiting(_, let held):
                stage = .lost(held, closure)
                return nil
            case .opening, .lost, .ended: return nil
            }
        }
        if let client { end(client, closure) }
    }

    /// Passes a message of the upstream on, without the operator's key and without what clients cannot receive.
    private func deliver(_ message: RealtimeMessage, to client: any WebSocketChannel) {
        // No binary extension is negotiated with an upstream, and clients fail on such a message.
        guard case .text(let bytes) = message else { return }
        let outgoing =
            bytes.count > RealtimeLimits.serverEventBytes
            ? UpstreamFailure.tooLarge(eventId: PipelineConnector.randomId("event_")) : redaction.redacted(bytes)
        if client.send(.text(outgoing), lane: .control) == .accepted { record.countSent() }
    }

    /// The upstream has ended, and with it the session.
    private func end(_ client: any WebSocketChannel, _ closure: ConnectionClosure) {
        let code = UpstreamFailure.closeCode(closure.closeCode)
        if UpstreamFailure.isUnexpected(closure.closeCode) {
            deliver(.text(UpstreamFailure.lost(eventId: PipelineConnector.randomId("event_"))), to: client)
        }
        client.close(code: code, reason: "The upstream ended the session.")
    }
}

/// The receiver of a relayed session's upstream.
final class UpstreamSide: WebSocketReceiver {
    private let session: RelaySession

    init(of session: RelaySession) { self.session = session }

    func received(_ message: RealtimeMessage) { session.upstreamReceived(message) }
    func drained() { session.upstreamDrained() }
    func closed(_ closure: ConnectionClosure) { session.upstreamClosed(closure) }
}
