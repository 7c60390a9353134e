import Synchronization

/// Elements on their way from the network thread to one asynchronous reader, in order and none dropped.
///
/// It holds its producer back instead of having a bound that it enforces: above `highWater` the producer is told to stop, and
/// at half of it to go on. What the producer adds after the word stop is at most what it had received already.
final class DeliveryQueue<Element: Sendable>: Sendable {
    private typealias Reader = CheckedContinuation<Element?, Never>

    private struct State {
        var elements: [(element: Element, cost: Int)?] = []
        /// The first that was not read; those before it are removed in blocks.
        var head = 0
        var cost = 0
        var isFull = false
        var isFinished = false
        var reader: Reader?
        var onRoom: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let highWater: Int

    /// An empty queue; `highWater` is a sum of costs.
    init(highWater: Int) { self.highWater = highWater }

    /// Says whom to tell when the producer may go on. Without it, or after the end, nobody is told.
    func whenRoom(_ body: (@Sendable () -> Void)?) { state.withLock { $0.onRoom = body } }

    /// Adds an element; true when the producer should stop until it is told of room.
    func push(_ element: Element, cost: Int) -> Bool {
        let (reader, isFull) = state.withLock { state -> (Reader?, Bool) in
            guard !state.isFinished else { return (nil, false) }
            if let reader = state.reader {
                state.reader = nil
                return (reader, false)
            }
            state.elements.append((element, cost))
            state.cost += cost
            if state.cost > highWater { state.isFull = true }
            return (nil, state.isFull)
        }
        reader?.resume(returning: element)
        return isFull
    }

    /// Whether the producer should wait for room.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Ends the queue behind what waits; `last` is delivered before the end. Only the first end counts.
    func finish(_ last: Element?) {
        let reader = state.withLock { state -> Reader? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            state.onRoom = nil
            guard let reader = state.reader else {
                if let last { state.elements.append((last, 0)) }
                return nil
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: last)
    }

    /// Drops what waits and takes nothing more: the reader has gone.
    func abandon() {
        let reader = state.withLock { state -> Reader? in
            state.isFinished = true
            state.onRoom = nil
            (state.elements, state.head, state.cost) = ([], 0, 0)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// The next element; nil after the end and when the task is cancelled. One reader at a time: a second one ends the first.
    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { read($0) }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }

    private func read(_ continuation: Reader) {
        var displaced: Reader?
        var room: (@Sendable () -> Void)?
        var answer: Element??
        state.withLock { state in
            if state.head < state.elements.count {
                answer = .some(take(&state))
                room = roomCall(&state)
            } else if state.isFinished || Task.isCancelled {
                // Cancelled before it waited: nobody would wake it.
                answer = .some(nil)
            } else {
                displaced = state.reader
                state.reader = continuation
            }
        }
        if let answer { continuation.resume(returning: answer) }
        displaced?.resume(returning: nil)
        room?()
    }

    private func take(_ state: inout State) -> Element? {
        let taken = state.elements[state.head]
        state.elements[state.head] = nil
        state.head += 1
        state.cost -= taken?.cost ?? 0
        if state.head == state.elements.count || state.head >= 256 {
            state.elements.removeFirst(state.head)
            state.head = 0
        }
        return taken?.element
    }

    private func roomCall(_ state: inout State) -> (@Sendable () -> Void)? {
        guard state.isFull, state.cost <= highWater / 2 else { return nil }
        state.isFull = false
        return state.onRoom
    }
}
