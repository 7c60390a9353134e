import GlassesDomain
import GlassesRealtime
import GlassesServer
import Synchronization

/// Decides who is let in, and keeps the client secrets.
final class Admissions: Sendable {
    /// A client that is let in.
    struct Admission: Sendable {
        /// Against whom its limits are counted.
        let owner: Owner
        /// What its client secret configures sessions with; nil without one.
        let update: SessionUpdate?
        /// Whether it came with a client secret, which starts sessions and nothing else.
        let isClientSecret: Bool
    }

    private let tokens: GatewayTokens?
    private let clock: ClockPort
    private let secrets = Mutex(ClientSecrets())

    init(tokens: GatewayTokens?, clock: ClockPort) {
        self.tokens = tokens
        self.clock = clock
    }

    /// Now by the wall clock, in seconds since 1970.
    var unixTime: Int { Int(clock.wallClockMilliseconds() / 1_000) }

    /// The client behind `key`; nil when it is not let in. Without tokens anyone is, but a client secret must be a
    /// valid one, since its session would begin without the configuration that it stands for.
    func admit(_ key: String?) -> Admission? {
        if let key, key.hasPrefix(ClientSecrets.prefix), tokens?.index(of: key) == nil {
            guard let grant = secrets.withLock({ $0.grant(of: key, now: unixTime) }) else { return nil }
            return Admission(owner: grant.owner, update: grant.update, isClientSecret: true)
        }
        guard let tokens else { return Admission(owner: .anyone, update: nil, isClientSecret: false) }
        guard let key, let index = tokens.index(of: key) else { return nil }
        return Admission(owner: .token(index), update: nil, isClientSecret: false)
    }

    /// A name for what is kept of an owner beyond this run: a token keeps it wherever it stands among the configured ones.
    func name(of owner: Owner) -> String {
        switch owner {
        case .anyone: "anyone"
        case .token(let index): tokens.map { "token \($0.text(of: index))" } ?? "anyone"
        }
    }

    /// A new client secret, and the moment it stops starting sessions.
    func makeSecret(
        owner: Owner, update: SessionUpdate?, lifetime: Int
    ) throws(ClientSecrets.Refusal) -> (value: String, expiresAt: Int) {
        let now = unixTime
        let grant = ClientSecrets.Grant(owner: owner, update: update, expiresAt: now + lifetime)
        let random = (0..<24).map { _ in UInt8.random(in: .min ... .max) }
        let value = try secrets.withLock { (secrets) throws(ClientSecrets.Refusal) in
            try secrets.make(grant, random: random, now: now)
        }
        return (value, grant.expiresAt)
    }
}
