import GlassesDomain

/// Whether a brain that failed is asked again: after a rest that doubles with each failure in a row.
struct BrainOutage: Equatable, Sendable {
    /// After the first failure.
    static let shortestRest = Duration.seconds(2)
    /// After many, and after a refusal that time alone does not mend.
    static let longestRest = Duration.seconds(60)
    /// The longest rest that an endpoint may ask for.
    static let longestWish = Duration.seconds(300)

    /// Why the brain does not serve; nil while it does.
    private(set) var reason: BrainError?
    private var failures = 0
    private var restsUntil = MonotonicTime.zero
    private var isTold = false

    /// Whether the brain is to be asked now.
    func isOver(at now: MonotonicTime) -> Bool { reason == nil || now >= restsUntil }

    /// The brain failed.
    mutating func failed(_ error: BrainError, at now: MonotonicTime) {
        reason = error
        let isFinal = ["http_401", "http_403", "http_404"].contains(error.code)
        let rest = isFinal ? Self.longestRest : min(Self.shortestRest * (1 << min(failures, 5)), Self.longestRest)
        failures += 1
        let wish = min(error.retryAfter ?? .zero, Self.longestWish)
        restsUntil = max(restsUntil, now.advanced(by: max(rest, wish)))
    }

    /// Another brain answered in its place: why, if that was not told yet.
    mutating func replaced() -> BrainError? {
        guard !isTold else { return nil }
        isTold = true
        return reason
    }

    /// The brain answered: whether its return is news.
    mutating func answered() -> Bool {
        defer { self = BrainOutage() }
        return isTold
    }
}
