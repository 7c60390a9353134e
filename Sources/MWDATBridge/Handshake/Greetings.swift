import Dispatch
import MWDATCore
import Synchronization

/// The greetings under way, each on a thread of its own.
final class Greetings: Sendable {
    private struct State {
        var running: [Int: (wire: any LinkWire, thread: LinkThread)] = [:]
        var next = 0
        var isStopped = false
    }

    /// Each holds a thread, and strangers can begin them.
    private static let most = 4

    private let reception: Reception
    private let state = Mutex(State())

    init(reception: Reception) { self.reception = reception }

    /// Begins one; false when too many are under way, and then the wire is still the caller's.
    func begin(_ wire: any LinkWire) -> Bool {
        state.withLock { state in
            guard state.running.count < Self.most, !state.isStopped else { return false }
            let number = state.next
            state.next += 1
            let thread = LinkThread(name: "dat-greeting") { [self] in
                if let phone = Handshake(wire: wire, reception: reception).run() { reception.handOver(wire, of: phone) }
                self.state.withLock { $0.running[number] = nil }
            }
            state.running[number] = (wire, thread)
            return true
        }
    }

    /// Ends all of them; waits a moment for their threads.
    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return Array(state.running.values)
        }
        for greeting in running { greeting.wire.interrupt() }
        for greeting in running { greeting.thread.wait(within: .seconds(2)) }
    }
}
