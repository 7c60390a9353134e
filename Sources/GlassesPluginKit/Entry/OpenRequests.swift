import Synchronization

/// The requests of one instance that somebody still holds; one that was let go has ended by itself.
final class OpenRequests<Request: AnyObject & Sendable>: Sendable {
    private struct Entry {
        weak var request: Request?
    }
    private let entries = Mutex<[Entry]>([])

    func add(_ request: Request) {
        entries.withLock { entries in
            entries.removeAll { $0.request == nil }
            entries.append(Entry(request: request))
        }
    }

    /// Those that are still held.
    var all: [Request] { entries.withLock { $0.compactMap(\.request) } }
}
