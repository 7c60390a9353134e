import GlassesDomain

/// A store whose calls all end: one of the app's may block or never return, which must not hold up other sessions' work.
final class BoundedStore: Sendable {
    /// How long a call may take: more than a slow disk or the app's own server needs.
    static let limit = Duration.seconds(10)

    private let store: any MemoryStore
    /// The threads of the app's code for a store of the app's; nil for the runtime's own.
    private let appCode: AppCodeThreads?
    private let clock: ClockPort
    private let log: @Sendable (LogLevel, String, JSONValue?) -> Void
    /// Taken until a call has returned: a store that blocks takes one thread and not all.
    private let place = AppCodePlace()

    init(
        store: any MemoryStore, appCode: AppCodeThreads?, clock: ClockPort,
        log: @escaping @Sendable (LogLevel, String, JSONValue?) -> Void
    ) {
        self.store = store
        self.appCode = appCode
        self.clock = clock
        self.log = log
    }

    /// The stored text, which is nil when there is none; the outer nil when the store does not answer.
    func load(userId: String?) async -> String?? {
        await answer { [store] in await store.load(userId: userId) }
    }

    /// Whether the store has taken the text.
    func save(userId: String?, profileJson: String) async -> Bool {
        await answer { [store] in await store.save(userId: userId, profileJson: profileJson) } != nil
    }

    private func answer<T: Sendable>(_ call: @escaping @Sendable () async -> T) async -> T? {
        guard place.take(on: appCode) else {
            log(.warn, "memory.store_busy", nil)
            return nil
        }
        let work: @Sendable () async throws -> T = { [place, appCode] in
            defer { place.giveBack(on: appCode) }
            return await call()
        }
        let executor: any TaskExecutor = appCode ?? RuntimeThreads.shared
        let outcome = await FirstAnswer<Result<T, any Error>>.race(
            (executor, work), until: clock.now().advanced(by: Self.limit), clock: clock)
        switch outcome {
        case .success(let value): return value
        case .failure:
            log(.warn, "memory.store_silent", ["seconds": .int(Self.limit.components.seconds)])
            return nil
        }
    }
}
