import Synchronization

/// The streams that are open, so that all of them can be finished at once.
final class OpenStreams: Sendable {
    private struct Storage {
        var nextID = 0
        var finish: [Int: @Sendable () -> Void] = [:]
        var isFinished = false
    }

    private let storage = Mutex(Storage())

    /// A number for ``add(_:finish:)`` and ``remove(_:)``; made first, so that the stream's own end can name it.
    func makeID() -> Int {
        storage.withLock { storage in
            storage.nextID += 1
            return storage.nextID
        }
    }

    /// Adds a stream; calls `finish` at once after ``finishAll()``.
    func add(_ id: Int, finish: @escaping @Sendable () -> Void) {
        let isFinished = storage.withLock { storage in
            if !storage.isFinished { storage.finish[id] = finish }
            return storage.isFinished
        }
        if isFinished { finish() }
    }

    /// Forgets a stream that has ended.
    func remove(_ id: Int) { storage.withLock { _ = $0.finish.removeValue(forKey: id) } }

    /// Finishes every open stream, and every later one as soon as it is added.
    func finishAll() {
        let open = storage.withLock { storage in
            storage.isFinished = true
            defer { storage.finish = [:] }
            return storage.finish.values.map { $0 }
        }
        // Outside the lock, because an ending stream removes itself.
        for finish in open { finish() }
    }
}
