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
    private var lastHeard: ContinuousClock.Instant
    private var asked: Int = 0

    /// A pulse that asks after `interval` of silence; nil never asks.
    package init(interval: Duration?, at now: ContinuousClock.Instant) {
        self.interval = interval
        lastHeard = now
    }

    /// Anything came.
    package mutating func heard(at now: ContinuousClock.Instant) {
        (lastHeard, asked) = (now, 0)
    }

    /// When to look next; nil never.
    package var deadline: ContinuousClock.Instant? { interval.map { lastHeard.advanced(by: $0 * (asked + 1)) } }

    /// What is due at a moment; what is due is not told twice.
    package mutating func due(at now: ContinuousClock.Instant) -> Due {
        guard let deadline, now >= deadline else { return .nothing }
        asked += 1
        return asked >= Self.patience ? .gone : .ask
    }
}
