/// Whether a code may be tried, and how often still. Pure: the code and the moments come from outside.
struct PairingGuard: Equatable, Sendable {
    /// A code that a person sees.
    struct Shown: Equatable, Sendable {
        var code: String
        var until: ContinuousClock.Instant
        var wrongProofs = 0
    }

    /// The answer to one who wants to prove the code.
    enum Answer: Equatable, Sendable {
        case tryIt(code: String)
        case noCode
        case later(Duration)
    }

    /// What became of the code with a wrong proof.
    enum Consequence: Equatable, Sendable {
        case slowedDown
        /// Nobody can use it any more.
        case codeIsVoid
    }

    /// Long enough to walk over to the phone.
    static let validity = Duration.seconds(600)
    /// Wrong proofs after which a code is void: a typing error or two, not a search.
    static let mostWrongProofs = 5
    /// The wait after the first wrong proof; each further one doubles it.
    static let firstWait = Duration.seconds(1)
    /// How long one attempt may hold up the next: hashing on a slow machine, then the phone's time for its proof.
    static let attemptTime = Duration.seconds(20)

    private(set) var shown: Shown?
    private var lockedUntil: ContinuousClock.Instant?

    /// A new code takes the place of an old one. Waits go on: asking for new codes does not make guessing faster.
    mutating func show(_ code: String, at now: ContinuousClock.Instant) {
        shown = Shown(code: code, until: now.advanced(by: Self.validity))
    }

    /// Somebody wants to try. Only one may at a time: until ``failed(at:)``, ``used()`` or ``gaveUp()``, or the
    /// attempt's time is over.
    mutating func begin(at now: ContinuousClock.Instant) -> Answer {
        if let lockedUntil, now < lockedUntil { return .later(now.duration(to: lockedUntil)) }
        guard let shown, now < shown.until else {
            self.shown = nil
            return .noCode
        }
        lockedUntil = now.advanced(by: Self.attemptTime)
        return .tryIt(code: shown.code)
    }

    /// The attempt ended without a proof.
    mutating func gaveUp() { lockedUntil = nil }

    /// The proof was wrong.
    mutating func failed(at now: ContinuousClock.Instant) -> Consequence {
        guard var tried = shown else {
            lockedUntil = now.advanced(by: Self.firstWait)
            return .slowedDown
        }
        tried.wrongProofs += 1
        lockedUntil = now.advanced(by: Self.firstWait * (1 << (tried.wrongProofs - 1)))
        guard tried.wrongProofs < Self.mostWrongProofs else {
            shown = nil
            return .codeIsVoid
        }
        shown = tried
        return .slowedDown
    }

    /// The proof was right: a code is used once.
    mutating func used() {
        shown = nil
        lockedUntil = nil
    }
}
