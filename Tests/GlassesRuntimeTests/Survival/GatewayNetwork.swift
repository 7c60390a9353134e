import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization

/// A gateway on a test's clock that a real session connects to. It can be killed and started again.
final class GatewayNetwork: Sendable {
    private struct Storage {
        var connection: GatewayWire?
        var downUntil = 0
        var attempts = 0
    }

    let record = GatewayRecord()
    private let script: ConversationScript
    private let vocabulary: [String: [Int16]]
    private let clock: ManualClock
    private let storage = Mutex(Storage())

    init(script: ConversationScript, clock: ManualClock) {
        self.script = script
        self.clock = clock
        vocabulary = SpokenWords.vocabulary(of: script.spoken)
    }

    var connector: RealtimeConnector {
        RealtimeConnector(
            providerName: "script", defaultModel: nil, audioDestination: "stays in this test", canCompose: true,
            connect: { [self] _ in try connect() })
    }

    /// The milliseconds of the clock.
    var now: Int { Int(clock.now.nanoseconds / 1_000_000) }

    /// Whether a connection is open.
    var isConnected: Bool { storage.withLock { $0.connection != nil } }

    private func connect() throws -> any RealtimeConnection {
        let now = now
        return try storage.withLock { storage in
            storage.attempts += 1
            guard now >= storage.downUntil else {
                throw ConnectionClosure(code: "connection_refused", message: "Nobody listens.")
            }
            let gateway = GatewaySession(script: script, record: record, vocabulary: vocabulary, at: now)
            let wire = GatewayWire(gateway, clock: clock) { [weak self] in self?.ended($0) }
            storage.connection = wire
            return wire
        }
    }

    private func ended(_ wire: GatewayWire) {
        storage.withLock { if $0.connection === wire { $0.connection = nil } }
    }

    /// Passes on what the gateway says by now.
    func pump() { storage.withLock { $0.connection }?.pump() }

    /// The gateway dies, and is back after a while.
    func kill(for downtime: Int) {
        let wire = storage.withLock { storage in
            storage.downUntil = now + downtime
            return storage.connection
        }
        wire?.end(code: 1006)
    }
}

/// One connection to a gateway of a test.
final class GatewayWire: RealtimeConnection {
    let inbound: AsyncStream<RealtimeInbound>
    private let continuation: AsyncStream<RealtimeInbound>.Continuation
    private let gateway: Mutex<GatewaySession?>
    private let clock: ManualClock
    private let ended: @Sendable (GatewayWire) -> Void

    init(_ gateway: sending GatewaySession, clock: ManualClock, ended: @escaping @Sendable (GatewayWire) -> Void) {
        self.gateway = Mutex(gateway)
        self.clock = clock
        self.ended = ended
        (inbound, continuation) = AsyncStream.makeStream()
    }

    private var now: Int { Int(clock.now.nanoseconds / 1_000_000) }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return .refused }
        let now = now
        return gateway.withLock { gateway in
            guard let gateway else { return .refused }
            gateway.receive(bytes, at: now)
            return .accepted
        }
    }

    func pump() {
        let now = now
        gateway.withLock { gateway in
            for event in gateway?.take(until: now) ?? [] {
                continuation.yield(.message(.text(RealtimeCodec.encode(event, eventId: "event"))))
            }
        }
    }

    func end(code: UInt16) {
        let wasOpen = gateway.withLock { gateway in
            defer { gateway = nil }
            return gateway != nil
        }
        guard wasOpen else { return }
        continuation.yield(.closed(ConnectionClosure(code: "closed", message: "It was closed.", closeCode: code)))
        continuation.finish()
        ended(self)
    }

    func close(code: UInt16, reason: String) { end(code: code) }
}
