/// When a silent peer is asked for a sign of life, and when it counts as gone.
package struct LinkPulse: Sendable, Equatable {
    /// What is due.
    package enum Due: Sendable, Equatable {
        case nothing
        case ask
        case gone
    }

    /// How often a peer may miss the interval before it counts as gone.
    package static let patience = 3

    private let interval: Duration?
    /// When the peer was heard or asked last: a wait begins anew with each question, so that a process that slept, or
    /// was busy, does not take its own absence for the peer's.
    private var since: ContinuousClock.Instant
    private var asked = 0

    /// A pulse that asks after `interval` of silence; nil never asks.
    package init(interval: Duration?, at now: ContinuousClock.Instant) {
        self.interval = interval
        since = now
    }

    /// Anything came.
    package mutating func heard(at now: ContinuousClock.Instant) { (since, asked) = (now, 0) }

    /// When to look next; nil never.
    package var deadline: ContinuousClock.Instant? { interval.map { since.advanced(by: $0) } }

    /// What is due at a moment; what is due is not told twice.
    package mutating func due(at now: ContinuousClock.Instant) -> Due {
        guard let deadline, now >= deadline else { return .nothing }
        (since, asked) = (now, asked + 1)
        return asked >= Self.patience ? .gone : .ask
    }
}
