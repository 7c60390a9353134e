/// Counts a device's over- and underruns and says when recovery no longer helps.
///
/// More than 10 in one second is a device that fails each period: it is opened anew instead of being prepared for ever.
struct XrunRate {
    static let limitPerSecond = 10
    private static let window: Int64 = 1_000 * millisecond

    private var times = InlineArray<10, Int64>(repeating: 0)
    private var next = 0
    private var count = 0

    /// Notes one at `now`; true when it is one too many within the last second.
    mutating func note(at now: Int64) -> Bool {
        let oldest = times[next]
        let isTooMany = count == Self.limitPerSecond && now - oldest < Self.window
        times[next] = now
        next = (next + 1) % Self.limitPerSecond
        count = min(count + 1, Self.limitPerSecond)
        return isTooMany
    }
}
