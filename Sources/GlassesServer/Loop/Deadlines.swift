import GlassesDomain
import Synchronization

/// What has a moment at which something is due.
protocol DeadlineTarget: AnyObject, Sendable {
    /// The moment; nil when nothing is due any more.
    var nextDeadline: MonotonicTime? { get }
    /// Called on the loop's thread once the moment has come. The target moves or clears it.
    func deadlineReached(at now: MonotonicTime)
}

/// The deadlines of all connections, in one heap that is only touched when a deadline comes nearer: one that moves
/// away, as nearly all do, is found out when its old moment comes.
final class Deadlines: Sendable {
    private struct Entry {
        var moment: MonotonicTime
        var target: any DeadlineTarget
    }

    private struct State {
        var heap: [Entry] = []
        /// The earliest moment at which each target is looked at.
        var scheduled: [ObjectIdentifier: MonotonicTime] = [:]
    }

    private let state = Mutex(State())

    /// The moment at which ``fire(at:)`` has something to look at; nil with nothing there.
    var next: MonotonicTime? { state.withLock { $0.heap.first?.moment } }

    /// Looks at the target's deadline; true when it is now the nearest of all, so that the loop must wait less long.
    func update(_ target: any DeadlineTarget) -> Bool {
        guard let moment = target.nextDeadline else { return false }
        return state.withLock { state in
            let key = ObjectIdentifier(target)
            if let known = state.scheduled[key], known <= moment { return false }
            let isNearest = state.heap.first.map { moment < $0.moment } ?? true
            state.scheduled[key] = moment
            Self.push(Entry(moment: moment, target: target), onto: &state.heap)
            return isNearest
        }
    }

    /// Tells every target whose moment has come; on the loop's thread.
    func fire(at now: MonotonicTime) {
        while let target = takeDue(at: now) {
            if let moment = target.nextDeadline, moment <= now { target.deadlineReached(at: now) }
            _ = update(target)
        }
    }

    /// Lets go of every target.
    func removeAll() { state.withLock { $0 = State() } }

    private func takeDue(at now: MonotonicTime) -> (any DeadlineTarget)? {
        state.withLock { state in
            while let first = state.heap.first, first.moment <= now {
                Self.removeFirst(of: &state.heap)
                let key = ObjectIdentifier(first.target)
                // An entry that a nearer one has overtaken is stale.
                guard state.scheduled[key] == first.moment else { continue }
                state.scheduled[key] = nil
                return first.target
            }
            return nil
        }
    }

    private static func push(_ entry: Entry, onto heap: inout [Entry]) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].moment < heap[parent].moment else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private static func removeFirst(of heap: inout [Entry]) {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].moment < heap[least].moment { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
