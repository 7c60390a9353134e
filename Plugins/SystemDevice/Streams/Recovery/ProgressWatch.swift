/// Notices a device that answers but no longer moves, as a PCM does whose sound server was stopped.
///
/// A device that never moved since it was prepared is given 2.5 s (a PulseAudio null sink without a listener takes up to
/// 1.9 s for its first request), later 1 s.
struct ProgressWatch {
    static let startLimit: Int64 = 2_500 * millisecond
    static let limit: Int64 = 1_000 * millisecond

    private var lastMove: Int64
    private var settlingUntil: Int64

    /// A device that was prepared at `now`.
    init(at now: Int64) {
        lastMove = now
        settlingUntil = now + Self.startLimit
    }

    /// Frames went in or came out at `now`.
    mutating func moved(at now: Int64) {
        lastMove = now
    }

    /// Whether the device stands still at `now`.
    func hasStalled(at now: Int64) -> Bool {
        let limit = lastMove < settlingUntil ? Self.startLimit : Self.limit
        return now - lastMove >= limit
    }

}
