import CGlassesPlugin
import GlassesDomain

/// What every in-process speech engine does alike: its calls run on one watched thread, in order.
struct EngineCalls: Sendable {
    /// A call that only queues work and returns.
    private static let callLimit: Duration = .seconds(2)
    /// An engine reads its models here, which takes up to 3 s where nothing else runs: a slow card, or a machine with all its cores
    /// taken, needs several times that.
    static let activationLimit: Duration = .seconds(20)
    /// The ABI's limit of destroy.
    private static let destroyLimit: Duration = .seconds(2)

    let plugin: ActivePlugin
    let monitor: CallMonitor
    private let queue: PluginCallQueue
    private let life = InstanceLife()

    init(plugin: ActivePlugin, monitor: CallMonitor) {
        self.plugin = plugin
        self.monitor = monitor
        queue = PluginCallQueue(name: "plugin engine") { function, limit in
            monitor.report(.hung(limit: limit), in: function)
        }
    }

    /// Runs a call after those before it and tells `answer` on the queue's thread whether it was accepted.
    func post(
        _ function: String, _ call: @escaping @Sendable () -> glasses_result,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        guard !monitor.isDisabled else { return answer(.failure(.disabled(plugin: plugin.id))) }
        let (monitor, life) = (monitor, life)
        queue.post(
            function, limit: Self.callLimit,
            abandoned: { answer(.failure(PluginFailureReport($0, monitor: monitor, limit: Self.callLimit))) },
            {
                let result = life.isOver ? .cancelled : PluginResult(c: call())
                if case .unknown(let number) = result {
                    monitor.report(.unknownValue(number), in: function, from: .maximal)
                }
                answer(
                    result == .ok
                        ? .success(())
                        : .failure(PluginFailureReport(result, plugin: monitor.plugin, function: function)))
            })
    }

    /// Makes an instance on the [host] thread of the plugin.
    func make<T: Sendable>(
        _ function: String, _ body: @escaping @Sendable () -> Result<T, PluginFailureReport>
    ) async -> Result<T, PluginFailureReport> {
        let limit = Self.activationLimit
        switch await plugin.hostCalls.call(function, limit: limit, body) {
        case .success(let result): return result
        case .failure(let error): return .failure(PluginFailureReport(error, monitor: monitor, limit: limit))
        }
    }

    /// Ends the instance on the [host] thread, after the call that runs now; without effect the second time.
    func destroy(_ function: String, _ body: @escaping @Sendable () -> Void) async {
        guard life.end() else { return }
        _ = await queue.call(function, limit: Self.callLimit) {}
        let outcome = await plugin.hostCalls.call(function, limit: Self.destroyLimit, body)
        monitor.reportHang(outcome, limit: Self.destroyLimit)
    }
}
