import GlassesDomain
import Synchronization

/// One session as the gateway counts and reports it. It ends once, whoever ends it.
final class SessionRecord: Sendable {
    let session: GatewaySession
    let owner: Owner
    private let startedAt: MonotonicTime
    private let received = Atomic<Int>(0)
    private let sent = Atomic<Int>(0)
    private let droppedFrames = Atomic<Int>(0)
    private let hasEnded = Atomic<Bool>(false)

    init(session: GatewaySession, owner: Owner, startedAt: MonotonicTime) {
        self.session = session
        self.owner = owner
        self.startedAt = startedAt
    }

    /// Counts a message of the client.
    func countReceived() { received.add(1, ordering: .relaxed) }

    /// Counts a message to the client.
    func countSent() { sent.add(1, ordering: .relaxed) }

    /// Counts a binary frame of the client that could not be taken.
    func countDropped() { droppedFrames.add(1, ordering: .relaxed) }

    /// Ends the count; nil when it has ended before.
    func end(closeCode: UInt16?, at now: MonotonicTime) -> GatewaySessionSummary? {
        if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return nil }
        return GatewaySessionSummary(
            seconds: startedAt.duration(to: now).seconds, received: received.load(ordering: .relaxed),
            sent: sent.load(ordering: .relaxed), droppedFrames: droppedFrames.load(ordering: .relaxed),
            closeCode: closeCode ?? 1_006)
    }
}

/// A session that the gateway may have to end.
protocol RunningSession: AnyObject, Sendable {
    /// Ends it in order; its end is reported as every other one.
    func close(code: UInt16, reason: String)
}
