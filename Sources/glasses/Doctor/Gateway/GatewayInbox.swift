import GlassesCore
import GlassesDomain

/// What a gateway says, with a way to stop waiting for it.
struct GatewayInbox: Sendable {
    typealias Iterator = AsyncStream<Entry>.Iterator

    /// What the waiter sees.
    enum Entry: Sendable {
        /// Something that the gateway said, or the end of the connection.
        case inbound(RealtimeInbound)
        /// Some time has passed.
        case tick
    }

    /// How often the waiter can look at its limit.
    private static let tick: Duration = .milliseconds(50)
    /// A gateway says a few events before it is asked for anything; one that floods is not listened to.
    private static let limit = 256

    /// What comes; one consumer.
    let entries: AsyncStream<Entry>
    private let tasks: [Task<Void, any Error>]

    /// Listens to a connection's messages from now on.
    init(_ inbound: AsyncStream<RealtimeInbound>) {
        let (entries, continuation) = AsyncStream<Entry>.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
        self.entries = entries
        tasks = [
            Task {
                for await message in inbound { continuation.yield(.inbound(message)) }
                continuation.finish()
            },
            Task {
                while true {
                    try await Task.sleep(for: Self.tick)
                    continuation.yield(.tick)
                }
            },
        ]
    }

    /// The next thing that the gateway says; nil when `end` comes first, or the end of the connection came before.
    static func next(_ entries: inout Iterator, until end: MonotonicTime) async -> RealtimeInbound? {
        while Stopwatch.now < end, let entry = await entries.next() {
            if case .inbound(let inbound) = entry { return inbound }
        }
        return nil
    }

    /// Stops listening.
    func cancel() { for task in tasks { task.cancel() } }
}
