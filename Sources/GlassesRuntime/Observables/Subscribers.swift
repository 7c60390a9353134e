/// The live streams of one source.
///
/// A value that the source keeps under its own lock: whoever subscribes gets every element that is delivered after that, in
/// order, and none of before.
struct Subscribers<Element: Sendable>: Sendable {
    private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    private var nextID = 0
    private var isFinished = false

    /// Adds a stream; its number for ``remove(_:)``, or nil after ``finish()``, when nothing will come any more.
    mutating func add(_ continuation: AsyncStream<Element>.Continuation) -> Int? {
        guard !isFinished else { return nil }
        nextID += 1
        continuations[nextID] = continuation
        return nextID
    }

    /// Forgets a stream that has ended.
    mutating func remove(_ id: Int) { continuations[id] = nil }

    /// Delivers an element to every stream.
    func yield(_ element: Element) {
        for continuation in continuations.values { continuation.yield(element) }
    }

    /// Takes all streams out and lets none in any more. They are to be ended outside the lock, since an end calls the source back.
    mutating func finish() -> [AsyncStream<Element>.Continuation] {
        isFinished = true
        defer { continuations = [:] }
        return Array(continuations.values)
    }
}

extension AsyncStream.Continuation where Element: Sendable {
    /// Begins a subscription: `add` enters it and answers its number, nil when the source has ended; `remove` takes it out when the
    /// stream ends.
    func subscribe(add: () -> Int?, remove: @escaping @Sendable (Int) -> Void) {
        guard let id = add() else { return finish() }
        onTermination = { _ in remove(id) }
    }
}
