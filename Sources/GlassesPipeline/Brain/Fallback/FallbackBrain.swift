import GlassesDomain
import Synchronization

/// A brain with another one behind it, which answers by name while the first one does not.
///
/// An answer of which nothing was heard yet is made anew by the second; of one that broke off later the end is missing, since nothing is
/// said twice. A brain that failed is asked again at a later turn, after a rest of 2 s that doubles up to a minute, or as
/// long as it asks for. All sessions share what is known of it.
public struct FallbackBrain: PipelineBrain {
    private let first: any PipelineBrain
    private let second: any PipelineBrain
    private let outage: SharedOutage
    private let clock: ClockPort

    /// `first` with `second` behind it. `notify` is told once for each outage that and why the second one answers, and when the first
    /// one does again; it is called on any thread and must return at once.
    public init(
        first: any PipelineBrain, second: any PipelineBrain, clock: ClockPort,
        notify: @escaping @Sendable (PipelineNotice) -> Void
    ) {
        self.first = first
        self.second = second
        self.clock = clock
        outage = SharedOutage(first: first.name, second: second.name, notify: notify)
    }

    /// The first one's.
    public var name: String { first.name }
    /// The first one's.
    public var canCompose: Bool { first.canCompose }
    /// The first one's.
    public var acceptsImages: Bool { first.acceptsImages }
    /// The first one's.
    public var seesImages: Bool { first.seesImages }

    /// Begins a conversation with both.
    public func makeSession() -> any PipelineBrainSession {
        FallbackSession(first: first.makeSession(), second: second, outage: outage, clock: clock)
    }
}

/// What all sessions know of the first brain.
private final class SharedOutage: Sendable {
    private let first: String
    private let second: String
    private let notify: @Sendable (PipelineNotice) -> Void
    private let state = Mutex(BrainOutage())

    init(first: String, second: String, notify: @escaping @Sendable (PipelineNotice) -> Void) {
        self.first = first
        self.second = second
        self.notify = notify
    }

    /// The name of the one that stands in.
    var stand: BrainSource { BrainSource(name: second, model: second, isFallback: true) }

    func isOver(at now: MonotonicTime) -> Bool { state.withLock { $0.isOver(at: now) } }

    func failed(_ error: BrainError, at now: MonotonicTime) { state.withLock { $0.failed(error, at: now) } }

    func replaced() {
        guard let reason = state.withLock({ $0.replaced() }) else { return }
        notify(.brainReplaced(by: second, instead: first, reason: reason))
    }

    func answered() {
        if state.withLock({ $0.answered() }) { notify(.brainReplaced(by: first, instead: second, reason: nil)) }
    }
}

private final class FallbackSession: PipelineBrainSession {
    private let first: any PipelineBrainSession
    private let second: any PipelineBrain
    private let outage: SharedOutage
    private let clock: ClockPort
    private let standIn: Mutex<any PipelineBrainSession>

    init(first: any PipelineBrainSession, second: any PipelineBrain, outage: SharedOutage, clock: ClockPort) {
        self.first = first
        self.second = second
        self.outage = outage
        self.clock = clock
        standIn = Mutex(second.makeSession())
    }

    func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
        try await reply { (session) throws(BrainError) in
            try await session.reply(to: request)
        } hasSpoken: {
            false
        }
    }

    func reply(
        to request: BrainRequest, speak: @escaping @Sendable (BrainPiece) -> Void
    ) async throws(BrainError) -> BrainReply {
        let hasSpoken = SpokenFlag()
        return try await reply { (session) throws(BrainError) in
            try await session.reply(to: request) { piece in
                hasSpoken.set()
                speak(piece)
            }
        } hasSpoken: {
            hasSpoken.isSet
        }
    }

    func isWholeTurn(_ request: BrainRequest) async -> Bool {
        await standIn.withLock { $0 }.isWholeTurn(request)
    }

    private func reply(
        by ask: (any PipelineBrainSession) async throws(BrainError) -> BrainReply, hasSpoken: () -> Bool
    ) async throws(BrainError) -> BrainReply {
        if outage.isOver(at: clock.now()) {
            do throws(BrainError) {
                let reply = try await ask(first)
                outage.answered()
                // A question that the other one asked during an outage is the first one's now.
                standIn.withLock { $0 = second.makeSession() }
                return reply
            } catch {
                // Who cancels says nothing about the brain.
                if Task.isCancelled { throw error }
                outage.failed(error, at: clock.now())
                if hasSpoken() { throw error }
            }
        }
        var reply = try await ask(standIn.withLock { $0 })
        reply.source = outage.stand
        outage.replaced()
        return reply
    }
}

/// Whether anything of an answer was heard.
private final class SpokenFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
