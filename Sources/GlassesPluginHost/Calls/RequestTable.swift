import GlassesDomain
import Synchronization

/// The open requests of one instance, each with somebody who waits for its end.
final class RequestTable: Sendable {
    typealias Ending = Result<Void, PluginFailureReport>

    private let monitor: CallMonitor
    private let state = Mutex(State())

    private struct State {
        var ledger = RequestLedger()
        var waiting: [UInt64: OnceContinuation<Ending>] = [:]
    }

    init(monitor: CallMonitor) { self.monitor = monitor }

    /// Makes a request through `start` and waits for its completion, at most `limit`.
    func run(
        _ function: String, limit: Duration,
        _ start: (UInt64, @escaping @Sendable (Ending) -> Void) -> Void
    ) async -> Ending {
        guard !monitor.isDisabled else { return .failure(.disabled(plugin: monitor.plugin)) }
        return await withCheckedContinuation { (continuation: CheckedContinuation<Ending, Never>) in
            let answer = OnceContinuation(continuation)
            let id = state.withLock { state in
                let id = state.ledger.begin()
                state.waiting[id] = answer
                return id
            }
            _ = Deadline.after(limit) { self.expire(id, function, limit) }
            start(id) { if case .failure(let refusal) = $0 { self.refuse(id, refusal) } }
        }
    }

    /// A completion arrived.
    func complete(_ id: UInt64, _ ending: Ending, function: String) {
        let (completion, waiting) = state.withLock { state in
            let completion = state.ledger.complete(id)
            return (completion, completion == .expected ? state.waiting.removeValue(forKey: id) : nil)
        }
        switch completion {
        case .expected: waiting?.resume(ending)
        case .doubled: monitor.report(.completedTwice, in: function)
        case .late: monitor.report(.completedLate, in: function)
        case .unknown: monitor.report(.unknownRequest, in: function)
        }
    }

    /// Ends every open request; the instance is gone.
    func closeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            _ = state.ledger.closeAll()
            return state.waiting.values.map { $0 }
        }
        for answer in waiting {
            answer.resume(.failure(PluginFailureReport(.cancelled, plugin: monitor.plugin, function: "destroy")))
        }
    }

    private func refuse(_ id: UInt64, _ refusal: PluginFailureReport) {
        let waiting = state.withLock { state in
            state.ledger.refuse(id) ? state.waiting.removeValue(forKey: id) : nil
        }
        waiting?.resume(.failure(refusal))
    }

    private func expire(_ id: UInt64, _ function: String, _ limit: Duration) {
        let waiting = state.withLock { state in
            state.ledger.expire(id) ? state.waiting.removeValue(forKey: id) : nil
        }
        guard let waiting else { return }
        monitor.report(.notCompleted(limit: limit), in: function)
        waiting.resume(.failure(.timedOut(plugin: monitor.plugin, function: function)))
    }
}
