import Synchronization

/// The one place that a function of the app's has: it is not called again before it has returned, however long that takes.
final class AppCodePlace: Sendable {
    private let isTaken = Mutex(false)

    /// Takes the place, and one of the threads' places unless the function runs elsewhere; false when there is none.
    func take(on threads: AppCodeThreads?) -> Bool {
        isTaken.withLock { isTaken in
            guard !isTaken, threads?.reserve() ?? true else { return false }
            isTaken = true
            return true
        }
    }

    /// Gives the place back.
    func giveBack(on threads: AppCodeThreads?) {
        threads?.release()
        isTaken.withLock { $0 = false }
    }
}
