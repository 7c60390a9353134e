import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization

/// A scripted provider that ends each session after a while, says when, and acknowledges what it is given.
final class LimitedProvider: Sendable {
    private struct Storage {
        var opened: [MonotonicTime] = []
        var acknowledged: [Int] = []
        var isHolding = false
        var mostOpen = 0
    }

    let script: ScriptedProvider
    /// After which life a connection is closed with 1001.
    let life: Duration
    private let clock: ManualClock
    private let announced: Duration
    private let allowsSecond: Bool
    private let wire: RealtimeConnector
    private let storage = Mutex(Storage())

    /// A provider that says that it ends a session after `announced`, and does after `life`.
    init(
        clock: ManualClock, announced: Duration = .seconds(3_600), life: Duration? = nil, allowsSecond: Bool = true,
        server: ScriptedGateway? = nil
    ) {
        script = server?.provider ?? ScriptedProvider()
        wire = server?.connector ?? script.connector
        self.clock = clock
        self.announced = announced
        self.life = life ?? announced
        self.allowsSecond = allowsSecond
    }

    var connector: RealtimeConnector {
        var connector = wire
        let connect = connector.connect
        connector.connect = { [self] request in
            guard allowsSecond || script.openCount == 0 else {
                throw ConnectionClosure(code: "http_429", message: "One session at a time.", httpStatus: 429)
            }
            let connection = try await connect(request)
            let wall = clock.port.wallClockMilliseconds() / 1_000 + Int64(announced.seconds)
            storage.withLock {
                $0.opened.append(clock.now)
                $0.acknowledged.append(0)
                $0.mostOpen = max($0.mostOpen, script.openCount)
            }
            var session = RealtimeSession(id: "sess_1", model: "script")
            session.expiresAt = Int(wall)
            script.connections.last?.say(.sessionCreated(session))
            return connection
        }
        return connector
    }

    /// The connection that the session uses: of two, the one that it had before.
    var inUse: ScriptedConnection? { script.connections.first(where: \.isOpen) }
    /// How many connections there were.
    var connectionCount: Int { storage.withLock { $0.opened.count } }
    /// How many were open at once.
    var mostOpen: Int { storage.withLock { $0.mostOpen } }

    /// Acknowledges nothing until told otherwise.
    func hold(_ isHolding: Bool) { storage.withLock { $0.isHolding = isHolding } }

    /// Acknowledges what came, and ends what has lived for long enough.
    func settle() {
        // One that is just being opened comes into both lists one after the other.
        for (index, connection) in script.connections.prefix(connectionCount).enumerated() where connection.isOpen {
            let (opened, known, isHolding) = storage.withLock {
                ($0.opened[index], $0.acknowledged[index], $0.isHolding)
            }
            if opened.duration(to: clock.now) >= life {
                connection.drop(ConnectionClosure(code: "closed", message: "The session is over.", closeCode: 1001))
            }
            guard !isHolding else { continue }
            let items = connection.sent.compactMap { event -> ConversationItem? in
                if case .conversationItemCreate(let creation) = event { creation.item } else { nil }
            }
            for item in items.dropFirst(known) {
                connection.say(.conversationItemAdded(ItemPlacement(item: item, previousItemId: nil)))
            }
            storage.withLock { $0.acknowledged[index] = items.count }
        }
    }
}
