import GlassesDomain

/// A speech engine whose code runs in a child process, which is replaced when it dies: requests that were open then fail.
///
/// What the kinds share; each says which message makes, feeds and ends one of its requests.
final class ChildEngine: Sendable {
    typealias Answer = @Sendable (Result<Void, PluginFailureReport>) -> Void

    let facts: EngineFacts
    private let child: SupervisedChild
    private let link: ChildEngineLink
    private let life = InstanceLife()

    /// Starts a child with an engine; its callbacks go to `receive` from then on, and requests that die with a child to `fail`.
    static func open(
        _ setup: SupervisedChild.Setup, _ kind: PluginKind, receive: @escaping ChildEngineLink.Receiver,
        fail: @escaping ChildEngineLink.Failing
    ) async -> Result<ChildEngine, PluginFailureReport> {
        let link = ChildEngineLink(monitor: setup.monitor, kind: kind, receive: receive, fail: fail)
        let child = SupervisedChild(setup)
        return await child.open(link).flatMap {
            guard let facts = link.facts else {
                return .failure(
                    PluginFailureReport(.failed, plugin: setup.monitor.plugin, function: kind.describeFunction))
            }
            return .success(ChildEngine(facts, child, link))
        }
    }

    private init(_ facts: EngineFacts, _ child: SupervisedChild, _ link: ChildEngineLink) {
        self.facts = facts
        self.child = child
        self.link = link
    }

    /// Makes a call that opens the request `id`.
    func begin(_ id: UInt64, _ function: String, _ call: PluginCall, answer: @escaping Answer) {
        guard !life.isOver else { return answer(.failure(.ended(function))) }
        link.begins(id)
        child.call(call) { [link] result in
            link.accepted(id, result)
            answer(result)
        }
    }

    /// Makes a call for the request `id`; one that is over is told why.
    func pass(_ id: UInt64, _ function: String, _ call: PluginCall, answer: @escaping Answer) {
        if life.isOver {
            answer(.failure(.ended(function)))
        } else if let reason = link.reasonOfEnd(id) {
            answer(.failure(reason))
        } else {
            child.call(call, accept: answer)
        }
    }

    /// A request that has no ending of its own was ended.
    func ended(_ id: UInt64) { link.ended(id) }

    /// Ends the instance; no callback comes afterwards.
    func destroy() async {
        guard life.end() else { return }
        link.isEnding()
        await child.stop()
    }
}

extension PluginFailureReport {
    /// A call into an engine that was ended.
    fileprivate static func ended(_ function: String) -> PluginFailureReport {
        PluginFailureReport(.cancelled, code: "cancelled", message: "The speech engine was ended. Load it again.")
    }
}
