import GlassesDomain
import Synchronization

/// Counts the chunks of one stream that its consumer was too slow for, and tells of the first one and of every thousandth.
final class DroppedChunks: Sendable {
    private static let interval = 1000

    private let count = Mutex(0)
    private let events: EventLog

    init(events: EventLog) { self.events = events }

    /// How many so far.
    var total: Int { count.withLock { $0 } }

    /// Counts one. Called on the microphone's reader thread, which writes no log.
    func add() {
        let total = count.withLock { count in
            count += 1
            return count
        }
        guard total == 1 || total.isMultiple(of: Self.interval) else { return }
        let events = events
        Task(executorPreference: RuntimeThreads.shared) {
            events.log(.warn, "audio_chunks.dropped", ["chunks": .int(Int64(total))])
        }
    }
}
