/// The clocks that the runtime reads: one replaceable value, so that tests can hold time still.
public struct ClockPort: Sendable {
    /// The current moment of the monotonic clock; callable on any thread, never blocks.
    public var now: @Sendable () -> MonotonicTime
    /// Waits until a moment has come; throws `CancellationError` when its task is cancelled.
    public var sleepUntil: @Sendable (MonotonicTime) async throws -> Void
    /// Milliseconds since 1970 by the wall clock, used only to stamp history and events, never to measure.
    public var wallClockMilliseconds: @Sendable () -> Int64
    /// How long the machine has slept since it started, which ``now`` does not count; callable on any thread, never blocks. Always zero
    /// unless set.
    public var suspended: @Sendable () -> Duration = { .zero }

    /// A clock made of three functions.
    public init(
        now: @escaping @Sendable () -> MonotonicTime,
        sleepUntil: @escaping @Sendable (MonotonicTime) async throws -> Void,
        wallClockMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.now = now
        self.sleepUntil = sleepUntil
        self.wallClockMilliseconds = wallClockMilliseconds
    }
}
