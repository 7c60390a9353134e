import GlassesDomain
import Synchronization

/// The open requests of one instance, each with somebody who waits for its end.
final class RequestTable: Sendable {
    typealias Ending = Result<Void, PluginFailureReport>

    private let monitor: CallMonitor
    private let state = Mutex(State())

    private struct State {
        var ledger = RequestLedger()
        var waiting: [UInt64: @Sendable (Ending) -> Void] = [:]
    }

    init(monitor: CallMonitor) { self.monitor = monitor }

    /// Makes a request through `start` and waits for its completion, at most `limit`.
    func run(
        _ function: String, limit: Duration,
        _ start: (UInt64, @escaping @Sendable (Ending) -> Void) -> Void
    ) async -> Ending {
        await withCheckedContinuation { (continuation: CheckedContinuation<Ending, Never>) in
            let answer = OnceContinuation(continuation)
            begin(function, limit: limit, ended: { answer.resume($0) }, start)
        }
    }

    /// Makes a request through `start`; `ended` is called once, on any thread, at the latest after `limit`.
    func begin(
        _ function: String, limit: Duration, ended: @escaping @Sendable (Ending) -> Void,
        _ start: (UInt64, @escaping @Sendable (Ending) -> Void) -> Void
    ) {
        guard !monitor.isDisabled else { return ended(.failure(.disabled(plugin: monitor.plugin))) }
        let id = state.withLock { state in
            let id = state.ledger.begin()
            state.waiting[id] = ended
            return id
        }
        _ = Deadline.after(limit) { self.expire(id, function, limit) }
        start(id) { if case .failure(let refusal) = $0 { self.refuse(id, refusal) } }
    }

    /// Whether a request waits for its completion.
    func isOpen(_ id: UInt64) -> Bool { state.withLock { $0.waiting[id] != nil } }

    /// Ends a request whose completion cannot come any more; without effect when it has ended.
    func fail(_ id: UInt64, _ failure: PluginFailureReport) { refuse(id, failure) }

    /// A completion arrived.
    func complete(_ id: UInt64, _ ending: Ending, function: String) {
        let (completion, waiting) = state.withLock { state in
            let completion = state.ledger.complete(id)
            return (completion, completion == .expected ? state.waiting.removeValue(forKey: id) : nil)
        }
        switch completion {
        case .expected: waiting?(ending)
        case .doubled: monitor.report(.completedTwice, in: function)
        case .late: monitor.report(.completedLate, in: function)
        case .unknown: monitor.report(.unknownRequest, in: function)
        }
    }

    /// An answer came in `function` for a request that asks for none.
    func unknown(_ function: String) { monitor.report(.unknownRequest, in: function) }

    /// Ends every open request; the instance is gone.
    func closeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            _ = state.ledger.closeAll()
            return state.waiting.values.map { $0 }
        }
        for answer in waiting {
            answer(.failure(PluginFailureReport(.cancelled, plugin: monitor.plugin, function: "destroy")))
        }
    }

    private func refuse(_ id: UInt64, _ refusal: PluginFailureReport) {
        let waiting = state.withLock { state in
            state.ledger.refuse(id) ? state.waiting.removeValue(forKey: id) : nil
        }
        waiting?(.failure(refusal))
    }

    private func expire(_ id: UInt64, _ function: String, _ limit: Duration) {
        let waiting = state.withLock { state in
            state.ledger.expire(id) ? state.waiting.removeValue(forKey: id) : nil
        }
        guard let waiting else { return }
        monitor.report(.notCompleted(limit: limit), in: function)
        waiting(.failure(.timedOut(plugin: monitor.plugin, function: function)))
    }
}
