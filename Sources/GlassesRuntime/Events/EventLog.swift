import GlassesDomain
import Synchronization

/// The runtime events of one glasses instance: the newest 512, live streams, and the app's interceptors.
final class EventLog: RuntimeClient {
    /// How many events are kept, and how many a slow subscriber may fall behind: minutes of a lively conversation.
    static let capacity = 512

    private struct Storage {
        var newest: [RuntimeEvent] = []
        var subscribers = Subscribers<RuntimeEvent>()
        var isFinished = false
    }

    private let storage = Mutex(Storage())
    private let logLevel: LogLevel
    private let clock: ClockPort
    private let intercepted: AsyncStream<InterceptedEvent>.Continuation?
    private let mirror: (@Sendable (LogLevel, String) -> Void)?

    /// `start` runs the interceptors' pump; `mirror` also gets each delivered log line, such as for standard error.
    init(
        logLevel: LogLevel, interceptors: [any ExtentosInterceptor], clock: ClockPort,
        mirror: (@Sendable (LogLevel, String) -> Void)?, start: (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.logLevel = logLevel
        self.clock = clock
        self.mirror = mirror
        guard !interceptors.isEmpty else {
            intercepted = nil
            return
        }
        let (stream, continuation) = AsyncStream<InterceptedEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.capacity))
        intercepted = continuation
        start {
            for await event in stream {
                for interceptor in interceptors { await interceptor.observe(event) }
            }
        }
    }

    var events: AsyncStream<RuntimeEvent> {
        let (stream, continuation) = AsyncStream<RuntimeEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.capacity))
        continuation.subscribe { storage.withLock { $0.subscribers.add(continuation) } }
        return stream
    }

    func snapshotEvents() async -> [RuntimeEvent] { storage.withLock { $0.newest } }

    /// Delivers an event to everybody; callable on any thread, never blocks.
    func emit(_ event: RuntimeEvent) {
        storage.withLock { storage in
            guard !storage.isFinished else { return }
            if storage.newest.count == Self.capacity { storage.newest.removeFirst() }
            storage.newest.append(event)
            storage.subscribers.yield(event)
            intercepted?.yield(InterceptedEvent(event, timestampMs: clock.wallClockMilliseconds()))
        }
    }

    /// Delivers a log line, if it is important enough. `message` and `payload` must hold no transcript, audio or secret.
    func log(_ level: LogLevel, _ message: String, _ payload: JSONValue? = nil) {
        guard level >= logLevel else { return }
        deliver(level, message, payload)
    }

    /// Delivers a log line of level `info` even where less important lines than warnings are not wanted.
    func announce(_ message: String, _ payload: JSONValue?) { deliver(.info, message, payload) }

    private func deliver(_ level: LogLevel, _ message: String, _ payload: JSONValue?) {
        emit(.log(level: level, message: message, payload: payload))
        mirror?(level, payload.map { "\(message) \($0.jsonText)" } ?? message)
    }

    /// Ends all streams and the interceptors' pump.
    func finish() {
        let subscribers = storage.withLock { storage in
            storage.isFinished = true
            return storage.subscribers.finish()
        }
        for subscriber in subscribers { subscriber.finish() }
        intercepted?.finish()
    }
}
