import GlassesDomain

/// Whether a peer still lives: any inbound traffic proves it, a ping asks for it.
struct KeepAlive: Sendable, Equatable {
    enum Verdict: Equatable { case alive, ask, lost }

    private let interval: Duration?
    private let timeout: Duration
    private var lastSign: MonotonicTime
    private var hasAsked = false
    /// While nothing is read nothing can be heard.
    private var isDeaf = false

    init(interval: Duration?, timeout: Duration, at now: MonotonicTime) {
        self.interval = interval
        self.timeout = timeout
        lastSign = now
    }

    /// When the next verdict is due; nil when none will be.
    var deadline: MonotonicTime? {
        guard let interval, !isDeaf else { return nil }
        return lastSign.advanced(by: hasAsked ? interval + timeout : interval)
    }

    mutating func heard(at now: MonotonicTime) {
        lastSign = now
        hasAsked = false
    }

    mutating func paused() { isDeaf = true }

    mutating func resumed(at now: MonotonicTime) {
        isDeaf = false
        heard(at: now)
    }

    mutating func judge(at now: MonotonicTime) -> Verdict {
        guard let deadline, now >= deadline else { return .alive }
        if hasAsked { return .lost }
        hasAsked = true
        return .ask
    }
}
