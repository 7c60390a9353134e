import Synchronization

/// A flush that the host asked for.
struct FlushRequest: Equatable {
    var id: UInt64
    /// Every frame before this position is cut.
    var upTo: Int64
    /// CLOCK_MONOTONIC nanoseconds when the host asked.
    var time: Int64
}

/// Hands flushes from any thread of the host to whoever owns the ring, without a lock on the reading side.
///
/// Only the newest request counts: it replaces an earlier one that was not carried out.
final class FlushRequests: Sendable {
    private let writers = Mutex(())
    private let sequence = Atomic<UInt64>(0)
    private let id = Atomic<UInt64>(0)
    private let upTo = Atomic<Int64>(0)
    private let time = Atomic<Int64>(0)
    private let answered = Atomic<UInt64>(0)

    /// Asks for a flush. [any]
    func request(_ flush: FlushRequest) {
        writers.withLock { _ in
            sequence.add(1, ordering: .sequentiallyConsistent)
            id.store(flush.id, ordering: .sequentiallyConsistent)
            upTo.store(flush.upTo, ordering: .sequentiallyConsistent)
            time.store(flush.time, ordering: .sequentiallyConsistent)
            sequence.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// The request that is not carried out yet; nil also while one is being written, whose signal comes afterwards.
    /// Lock-free. [audio], [any]
    func pending() -> FlushRequest? {
        let before = sequence.load(ordering: .sequentiallyConsistent)
        guard before > 0, before & 1 == 0 else { return nil }
        let flush = FlushRequest(
            id: id.load(ordering: .sequentiallyConsistent), upTo: upTo.load(ordering: .sequentiallyConsistent),
            time: time.load(ordering: .sequentiallyConsistent))
        guard sequence.load(ordering: .sequentiallyConsistent) == before else { return nil }
        return flush.id == answered.load(ordering: .sequentiallyConsistent) ? nil : flush
    }

    /// Marks a request as carried out. The ring's owner only.
    func answer(_ flush: FlushRequest) { answered.store(flush.id, ordering: .sequentiallyConsistent) }
}
