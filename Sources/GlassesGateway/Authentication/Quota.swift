import GlassesDomain

/// How many sessions each owner has, and how fast it may start more. Pure: `now` is an argument.
struct Quota {
    /// Why a session does not start.
    enum Refusal: Error, Equatable {
        /// The gateway has as many sessions as it takes.
        case full
        /// The owner has as many sessions as one owner may have.
        case ownerFull
        /// The owner asks too fast; it may ask again after these seconds.
        case tooFast(seconds: Int)

        /// Which limit it is, as metrics name it.
        enum Kind: String, CaseIterable, Sendable {
            case gateway
            case token
            case rate
        }

        /// Which limit it is.
        var kind: Kind {
            switch self {
            case .full: .gateway
            case .ownerFull: .token
            case .tooFast: .rate
            }
        }
    }

    private struct Account {
        var sessions = 0
        /// Requests that it may make at once.
        var credit = Double(GatewayLimits.requestBurst)
        var creditAt: MonotonicTime
    }

    private let maximum: Int
    private let maximumPerOwner: Int
    private var accounts: [Owner: Account] = [:]
    private(set) var sessions = 0

    init(maximum: Int, maximumPerOwner: Int) {
        self.maximum = maximum
        self.maximumPerOwner = maximumPerOwner
    }

    /// Counts a request that is not a session.
    mutating func spend(_ owner: Owner, at now: MonotonicTime) throws(Refusal) {
        var account = accounts[owner] ?? Account(creditAt: now)
        let earned = account.creditAt.duration(to: now).seconds * Double(GatewayLimits.requestsPerSecond)
        account.credit = min(Double(GatewayLimits.requestBurst), account.credit + max(0, earned))
        account.creditAt = now
        defer { accounts[owner] = account }
        guard account.credit >= 1 else { throw .tooFast(seconds: 1) }
        account.credit -= 1
    }

    /// Counts a session from now on until ``end(_:)``.
    mutating func begin(_ owner: Owner, at now: MonotonicTime) throws(Refusal) {
        guard sessions < maximum else { throw .full }
        guard accounts[owner, default: Account(creditAt: now)].sessions < maximumPerOwner else { throw .ownerFull }
        try spend(owner, at: now)
        accounts[owner]?.sessions += 1
        sessions += 1
    }

    /// A session ended.
    mutating func end(_ owner: Owner) {
        accounts[owner]?.sessions -= 1
        sessions -= 1
    }
}
