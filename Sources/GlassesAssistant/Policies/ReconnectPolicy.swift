import GlassesDomain

/// How long to wait before a lost connection is opened again, and when to give up.
public struct ReconnectPolicy: Sendable, Hashable {
    /// What to do after a failed attempt or a lost connection.
    public enum Decision: Sendable, Hashable {
        case retry(after: Duration)
        case giveUp
    }

    /// The longest `Retry-After` that is obeyed, in seconds; more is cut to this.
    public static let longestRetryAfter = 60.0
    /// How often a `Retry-After` is obeyed; it does not count against the budget.
    public static let obeyedRetryAfters = 3

    /// Close codes after which a new attempt can succeed. 1009 is retried once.
    public static let retriedCloseCodes: Set<UInt16> = [1001, 1005, 1006, 1011, 1012, 1013, 1015]
    /// Handshake statuses after which a new attempt can succeed. 401 is retried once, with a fresh token.
    public static let retriedStatuses: Set<Int> = [429, 500, 502, 503, 504]
    /// Local causes that waiting does not mend.
    public static let finalCauses: Set<String> = [
        "engine_unavailable", "invalid_url", "insecure_url", "invalid_request", "certificate_refused",
        "ca_file_unusable",
    ]

    /// The first ceiling of the wait, doubled with each attempt.
    private let firstWait: Duration
    /// The highest ceiling.
    private let longestWait: Duration
    /// How much waiting of our own is spent before giving up.
    private let budget: Duration
    private var attempts = 0
    private var waited = Duration.zero
    private var obeyed = 0
    private var hasRefreshedToken = false
    private var hasRetriedOversize = false

    /// A policy that has not waited yet.
    public init(_ config: ReconnectConfig = .standard) {
        firstWait = .fromSeconds(config.firstWait)
        longestWait = .fromSeconds(config.longestWait)
        budget = .fromSeconds(config.giveUpAfter)
    }

    /// Forgets all failures: the connection counts as good.
    public mutating func succeed() {
        (attempts, waited, obeyed) = (0, .zero, 0)
        (hasRefreshedToken, hasRetriedOversize) = (false, false)
    }

    /// Whether a closure is final whatever happened before.
    public static func isFinal(_ closure: ConnectionClosure) -> Bool {
        if let status = closure.httpStatus { return !retriedStatuses.contains(status) && status != 401 }
        if let code = closure.closeCode { return !retriedCloseCodes.contains(code) && code != 1009 }
        return finalCauses.contains(closure.code)
    }

    /// Decides on a closure; `generator` makes the jitter.
    public mutating func decide(
        on closure: ConnectionClosure, using generator: inout some RandomNumberGenerator
    ) -> Decision {
        guard !Self.isFinal(closure) else { return .giveUp }
        if closure.httpStatus == 401 {
            defer { hasRefreshedToken = true }
            return hasRefreshedToken ? .giveUp : .retry(after: .zero)
        }
        guard budget > .zero else { return .giveUp }
        if closure.closeCode == 1009 {
            guard !hasRetriedOversize else { return .giveUp }
            hasRetriedOversize = true
        }
        if let seconds = Self.usable(closure.retryAfter), obeyed < Self.obeyedRetryAfters {
            obeyed += 1
            return .retry(after: .fromSeconds(min(seconds, Self.longestRetryAfter)))
        }
        return backOff(using: &generator)
    }

    /// A negative or meaningless value counts as absent.
    private static func usable(_ retryAfter: Double?) -> Double? {
        guard let retryAfter, retryAfter.isFinite, retryAfter >= 0 else { return nil }
        return retryAfter
    }

    /// From the shortest first wait to the longest wait of all.
    private static let doublings = 16

    private mutating func backOff(using generator: inout some RandomNumberGenerator) -> Decision {
        let doublings = min(attempts, Self.doublings)
        let ceiling = min(firstWait * (1 << doublings), longestWait)
        let wait = Duration.nanoseconds(Int64.random(in: 0...ceiling.wholeNanoseconds, using: &generator))
        attempts += 1
        guard waited + wait <= budget else { return .giveUp }
        waited += wait
        return .retry(after: wait)
    }
}
