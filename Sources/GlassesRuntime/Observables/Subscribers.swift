import Synchronization

/// The live streams of one source.
///
/// A value that the source keeps under its own lock: whoever subscribes gets every element that is delivered after that, in
/// order, and none of before. A stream that ends never takes the source's lock: it ends while its task is locked, and a
/// source that delivers holds its lock and waits for that task.
struct Subscribers<Element: Sendable>: Sendable {
    /// One stream's place.
    struct Place: Sendable {
        fileprivate let id: Int
        fileprivate let ended: EndedStreams

        /// Gives the place up; any thread, never waits for the source.
        func leave() { ended.add(id) }
    }

    /// Whether nobody listens.
    var isEmpty: Bool {
        mutating get {
            forgetEnded()
            return continuations.isEmpty
        }
    }

    private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    private var nextID = 0
    private var isFinished = false
    private let ended = EndedStreams()

    /// Adds a stream; its place, or nil after ``finish()``, when nothing will come any more.
    mutating func add(_ continuation: AsyncStream<Element>.Continuation) -> Place? {
        guard !isFinished else { return nil }
        forgetEnded()
        nextID += 1
        continuations[nextID] = continuation
        return Place(id: nextID, ended: ended)
    }

    /// Delivers an element to every stream.
    mutating func yield(_ element: Element) {
        forgetEnded()
        for continuation in continuations.values { continuation.yield(element) }
    }

    /// Takes all streams out and lets none in any more. They are to be ended outside the lock, since an end calls the source back.
    mutating func finish() -> [AsyncStream<Element>.Continuation] {
        isFinished = true
        defer { continuations = [:] }
        return Array(continuations.values)
    }

    private mutating func forgetEnded() { for id in ended.take() { continuations[id] = nil } }
}

/// The streams that have ended since the source looked last; a lock of its own, under which nothing is delivered.
private final class EndedStreams: Sendable {
    private let ids = Mutex<[Int]>([])

    func add(_ id: Int) { ids.withLock { $0.append(id) } }

    func take() -> [Int] {
        ids.withLock { ids in
            defer { ids = [] }
            return ids
        }
    }
}

extension AsyncStream.Continuation where Element: Sendable {
    /// Begins a subscription: `add` enters it and answers its place, nil when the source has ended.
    func subscribe(add: () -> Subscribers<Element>.Place?) {
        guard let place = add() else { return finish() }
        onTermination = { _ in place.leave() }
    }
}
