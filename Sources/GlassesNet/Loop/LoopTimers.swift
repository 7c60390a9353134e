import GlassesDomain

/// The participants' deadlines: at most one each, in a binary heap. An entry that was replaced stays in the heap until its
/// time has come and is then passed over.
struct LoopTimers {
    private struct Entry {
        var time: MonotonicTime
        var id: ParticipantID
    }

    private var heap: [Entry] = []
    private var armed: [ParticipantID: MonotonicTime] = [:]

    /// The earliest moment at which ``popDue(at:)`` may have something.
    var next: MonotonicTime? { heap.first?.time }

    /// Sets, replaces or with nil removes the deadline of `id`.
    mutating func set(_ time: MonotonicTime?, for id: ParticipantID) {
        guard armed[id] != time else { return }
        armed[id] = time
        guard let time else { return }
        heap.append(Entry(time: time, id: id))
        siftUp(from: heap.count - 1)
    }

    /// Removes and returns one participant whose deadline has passed.
    mutating func popDue(at now: MonotonicTime) -> ParticipantID? {
        while let first = heap.first, first.time <= now {
            removeFirst()
            if armed[first.id] == first.time {
                armed[first.id] = nil
                return first.id
            }
        }
        return nil
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown()
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].time < heap[parent].time else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].time < heap[smallest].time { smallest = child }
            }
            guard smallest != index else { return }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}
