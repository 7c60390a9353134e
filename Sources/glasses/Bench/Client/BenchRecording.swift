import GlassesCore
import Synchronization

/// A pair of integers of the report, usually a time in nanoseconds and a number.
struct BenchPair: Sendable, Hashable {
    let first: Int64
    let second: Int64

    init(_ first: Int64, _ second: Int64) {
        self.first = first
        self.second = second
    }
}

/// What one session did, as the report tells it.
struct BenchSessionRecord: Sendable, Hashable {
    /// When the session was ready, in nanoseconds.
    var readyTime: Int64 = 0
    var microphone: [BenchPair] = []
    var delivered: [BenchPair] = []
    var played: [BenchPair] = []
    var flushes: [Int64] = []
    var tools: [BenchPair] = []
    var errors: [String] = []
}

/// Takes down what one session does, from whatever thread it is done on.
final class BenchRecording: Sendable {
    /// What a buffer without a marker counts as.
    enum Mark {
        static let silence: Int64 = -1
        static let unmarked: Int64 = -2
    }

    private struct Storage {
        var record = BenchSessionRecord()
        var scanner = BenchMarkerScanner()
    }

    private let storage: Mutex<Storage>

    /// A recording with room for `frames` of 20 ms, so that taking one down allocates nothing.
    init(frames: Int) {
        var storage = Storage()
        storage.record.microphone.reserveCapacity(frames)
        storage.record.played.reserveCapacity(frames)
        storage.record.delivered.reserveCapacity(frames)
        self.storage = Mutex(storage)
    }

    /// Everything so far.
    var record: BenchSessionRecord { storage.withLock { $0.record } }

    /// The session is ready.
    func ready() { storage.withLock { $0.record.readyTime = Self.now } }

    /// A frame goes to the runtime next.
    func heard(frame: Int) { storage.withLock { $0.record.microphone.append(BenchPair(Self.now, Int64(frame))) } }

    /// Decoded audio came out of the runtime.
    func delivered(_ samples: [Int16]) {
        storage.withLock { storage in
            storage.scanner.scan(samples, at: Self.now, into: &storage.record.delivered)
        }
    }

    /// The loudspeaker took its 20 ms.
    func played(_ mark: Int64, at time: MonotonicTime) {
        storage.withLock { $0.record.played.append(BenchPair(time.nanoseconds, mark)) }
    }

    /// Waiting audio was dropped.
    func flushed(at time: MonotonicTime) { storage.withLock { $0.record.flushes.append(time.nanoseconds) } }

    /// The tool function ran.
    func toolRan(from start: MonotonicTime, to end: MonotonicTime) {
        storage.withLock { $0.record.tools.append(BenchPair(start.nanoseconds, end.nanoseconds)) }
    }

    private static var now: Int64 { Stopwatch.now.nanoseconds }
}
