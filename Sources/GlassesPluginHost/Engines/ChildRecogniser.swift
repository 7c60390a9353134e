import GlassesDomain

/// A recogniser whose code runs in a child process, which is replaced when it dies: utterances that were open then fail.
final class ChildRecogniser: RecogniserInstance {
    let facts: EngineFacts
    private let child: SupervisedChild
    private let link: ChildEngineLink
    private let life = InstanceLife()

    /// Starts a child with an engine; reports go to `deliver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, deliver: @escaping @Sendable (RecognitionReport) -> Void
    ) async -> Result<ChildRecogniser, PluginFailureReport> {
        let callbacks = RecognitionCallbacks(monitor: setup.monitor, deliver: deliver)
        let link = ChildEngineLink(
            monitor: setup.monitor, kind: .stt,
            receive: { message throws(WireError) in try receive(message, callbacks) },
            fail: { deliver(.finished($0, .failure($1))) })
        let child = SupervisedChild(setup)
        return await child.open(link).flatMap {
            guard let facts = link.facts else {
                return .failure(PluginFailureReport(.failed, plugin: setup.monitor.plugin, function: "describe"))
            }
            return .success(ChildRecogniser(facts, child, link))
        }
    }

    private init(_ facts: EngineFacts, _ child: SupervisedChild, _ link: ChildEngineLink) {
        self.facts = facts
        self.child = child
        self.link = link
    }

    func send(
        _ call: RecognitionCall, utterance: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        guard !life.isOver else { return answer(.failure(.ended(call.function))) }
        switch call {
        case .begin:
            link.begins(utterance)
            child.call(.begin(utterance: utterance)) { [link] result in
                link.accepted(utterance, result)
                answer(result)
            }
        case .push(let samples): pass(.push(utterance: utterance, samples), utterance, answer)
        case .finish: pass(.finish(utterance: utterance), utterance, answer)
        case .cancel: pass(.cancelUtterance(utterance), utterance, answer)
        }
    }

    func destroy() async {
        guard life.end() else { return }
        link.isEnding()
        await child.stop()
    }

    private func pass(
        _ call: PluginCall, _ utterance: UInt64,
        _ answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        if let reason = link.reasonOfEnd(utterance) {
            answer(.failure(reason))
        } else {
            child.call(call, accept: answer)
        }
    }

    static func receive(
        _ message: ChildMessage, _ callbacks: RecognitionCallbacks
    ) throws(WireError) -> UInt64? {
        switch message {
        case .partial(let utterance, let text, let confidence):
            callbacks.partial(utterance, text, confidence)
            return nil
        case .finished(let utterance, let result, let text, let confidence):
            callbacks.finished(utterance, result, text, confidence)
            return utterance
        default: throw .outOfOrder("a callback of another kind of plugin")
        }
    }
}

extension PluginFailureReport {
    /// A call into an engine that was ended.
    static func ended(_ function: String) -> PluginFailureReport {
        PluginFailureReport(.cancelled, code: "cancelled", message: "The speech engine was ended. Load it again.")
    }
}
