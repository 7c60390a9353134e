import GlassesDomain
import Synchronization

/// What the host knows of a speech engine in a child: its facts, and which requests the living child has.
final class ChildEngineLink: ChildClient {
    /// Takes a callback of the engine; answers the id of the request that it ends.
    typealias Receiver = @Sendable (ChildMessage) throws(WireError) -> UInt64?
    /// Ends a request that died with its child.
    typealias Failing = @Sendable (UInt64, PluginFailureReport) -> Void

    private struct State {
        var facts: EngineFacts?
        /// Every open request, and whether the living child has accepted it.
        var open: [UInt64: Bool] = [:]
        var isEnding = false
        var lastEnd: PluginFailureReport?
    }

    private let monitor: CallMonitor
    private let kind: PluginKind
    private let receive: Receiver
    private let fail: Failing
    private let state = Mutex(State())

    init(monitor: CallMonitor, kind: PluginKind, receive: @escaping Receiver, fail: @escaping Failing) {
        self.monitor = monitor
        self.kind = kind
        self.receive = receive
        self.fail = fail
    }

    /// What the engine says of itself; nil before the first child has opened it.
    var facts: EngineFacts? { state.withLock { $0.facts } }

    /// A request is made.
    func begins(_ id: UInt64) { state.withLock { $0.open[id] = false } }

    /// The child accepted or refused a request. One that it has ended already stays ended.
    func accepted(_ id: UInt64, _ result: Result<Void, PluginFailureReport>) {
        state.withLock { state in
            guard state.open[id] != nil else { return }
            if case .success = result { state.open[id] = true } else { state.open[id] = nil }
        }
    }

    /// A request that has no ending of its own was ended.
    func ended(_ id: UInt64) { state.withLock { $0.open[id] = nil } }

    /// Why a call for a request makes no sense any more; nil while the request is open.
    func reasonOfEnd(_ id: UInt64) -> PluginFailureReport? {
        state.withLock { state in
            state.open[id] != nil
                ? nil
                : state.lastEnd ?? PluginFailureReport(.cancelled, plugin: monitor.plugin, function: "the request")
        }
    }

    /// The instance is being destroyed: what is open ends as cancelled.
    func isEnding() { state.withLock { $0.isEnding = true } }

    func childOpened(_ instance: ChildInstance) -> Result<Void, PluginFailureReport> {
        EngineFacts.read(monitor, function: kind.describeFunction, instance.description).flatMap { facts in
            state.withLock { state in
                // The port above was made for the first child's engine.
                guard state.facts ?? facts == facts else {
                    return .failure(
                        PluginFailureReport(.failed, plugin: monitor.plugin, function: kind.describeFunction))
                }
                state.facts = facts
                return .success(())
            }
        }
    }

    func restore(_ restoration: ChildRestoration) { restoration.finish() }

    func received(_ message: ChildMessage) throws(WireError) {
        if let ended = try receive(message) { state.withLock { $0.open[ended] = nil } }
    }

    func childEnded(_ report: PluginFailureReport) {
        let (dead, isEnding) = state.withLock { state in
            let dead = state.open.filter(\.value).map(\.key).sorted()
            for id in dead { state.open[id] = nil }
            state.lastEnd = report
            return (dead, state.isEnding)
        }
        let reason =
            isEnding ? PluginFailureReport(.cancelled, plugin: monitor.plugin, function: "destroy") : report
        for id in dead { fail(id, reason) }
    }

    func outageIsLong() {}

    func childWasReplaced(wasTold: Bool) {}

    func childWasGivenUp(_ report: PluginFailureReport) { state.withLock { $0.lastEnd = report } }
}
