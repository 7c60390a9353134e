import GlassesDomain
import Synchronization

/// The level of what is audible of one session's voice, 25 times a second, while a turn is audible and somebody asks for it.
///
/// The session's driver says when a turn begins and ends to be audible; nothing is delivered outside of that.
final class AudibleLevels: Sendable {
    /// The newest values that a slow subscriber keeps.
    static let bufferedValues = 8
    /// Between two values.
    static let interval = Duration.milliseconds(40)

    private struct Storage {
        var subscribers = Subscribers<Float>()
        var isAudible = false
        var isTicking = false
        /// The value that was delivered last.
        var last: Float = 0
    }

    private let storage = Mutex(Storage())
    private let output: PlaybackOutput
    private let clock: ClockPort

    init(output: PlaybackOutput, clock: ClockPort) {
        self.output = output
        self.clock = clock
    }

    /// A stream of levels, 0…1, that ends with the session.
    func subscribe() -> AsyncStream<Float> {
        let (stream, continuation) = AsyncStream<Float>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferedValues))
        guard let place = storage.withLock({ $0.subscribers.add(continuation) }) else {
            continuation.finish()
            return stream
        }
        output.addMeter()
        continuation.onTermination = { [output] _ in
            output.removeMeter()
            place.leave()
        }
        startTicking()
        return stream
    }

    /// A turn begins to be audible.
    func begin() {
        storage.withLock { $0.isAudible = true }
        startTicking()
    }

    /// Nothing of the turn is audible any more; the last value is 0.
    func end() {
        storage.withLock { storage in
            storage.isAudible = false
            guard storage.last > 0 else { return }
            storage.last = 0
            storage.subscribers.yield(0)
        }
    }

    /// The session is over: all streams end, and later ones at once.
    func finish() {
        end()
        for subscriber in storage.withLock({ $0.subscribers.finish() }) { subscriber.finish() }
    }

    private func startTicking() {
        let starts = storage.withLock { storage in
            guard storage.isAudible, !storage.isTicking, !storage.subscribers.isEmpty else { return false }
            storage.isTicking = true
            return true
        }
        guard starts else { return }
        let clock = clock
        let first = clock.now().advanced(by: Self.interval)
        Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            var next = first
            repeat {
                do { try await clock.sleepUntil(next) } catch { break }
                // A late tick is not made up for by several at once.
                next = max(next.advanced(by: Self.interval), clock.now())
            } while self?.tick() == true
        }
    }

    /// Delivers what has been heard since the last value; false when nobody listens or nothing is to be heard any more.
    private func tick() -> Bool {
        storage.withLock { storage in
            guard storage.isAudible, !storage.subscribers.isEmpty else {
                storage.isTicking = false
                return false
            }
            guard let level = output.takeLevel() else { return true }
            storage.last = level
            storage.subscribers.yield(level)
            return true
        }
    }
}
