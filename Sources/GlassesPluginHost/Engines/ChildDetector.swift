import GlassesDomain

/// A voice activity detector whose code runs in a child process, which is replaced when it dies: streams that were open then fail.
final class ChildDetector: DetectorInstance {
    let facts: EngineFacts
    private let child: SupervisedChild
    private let link: ChildEngineLink
    private let life = InstanceLife()

    /// Starts a child with an engine; reports go to `deliver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, deliver: @escaping @Sendable (DetectionReport) -> Void
    ) async -> Result<ChildDetector, PluginFailureReport> {
        let callbacks = DetectionCallbacks(monitor: setup.monitor, deliver: deliver)
        let link = ChildEngineLink(
            monitor: setup.monitor, kind: .vad,
            receive: { message throws(WireError) in try receive(message, callbacks) },
            fail: { deliver(.failed($0, $1)) })
        let child = SupervisedChild(setup)
        return await child.open(link).flatMap {
            guard let facts = link.facts else {
                return .failure(PluginFailureReport(.failed, plugin: setup.monitor.plugin, function: "describe"))
            }
            return .success(ChildDetector(facts, child, link))
        }
    }

    private init(_ facts: EngineFacts, _ child: SupervisedChild, _ link: ChildEngineLink) {
        self.facts = facts
        self.child = child
        self.link = link
    }

    func send(
        _ call: DetectionCall, stream: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        guard !life.isOver else { return answer(.failure(.ended(call.function))) }
        switch call {
        case .begin:
            link.begins(stream)
            child.call(.beginStream(stream)) { [link] result in
                link.accepted(stream, result)
                answer(result)
            }
        case .push(let samples): pass(.pushStream(stream, samples), stream, answer)
        case .reset: pass(.resetStream(stream), stream, answer)
        case .end:
            pass(.endStream(stream), stream, answer)
            link.ended(stream)
        }
    }

    func destroy() async {
        guard life.end() else { return }
        link.isEnding()
        await child.stop()
    }

    private func pass(
        _ call: PluginCall, _ stream: UInt64,
        _ answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        if let reason = link.reasonOfEnd(stream) {
            answer(.failure(reason))
        } else {
            child.call(call, accept: answer)
        }
    }

    static func receive(
        _ message: ChildMessage, _ callbacks: DetectionCallbacks
    ) throws(WireError) -> UInt64? {
        switch message {
        case .activity(let stream, let firstFrame, let frames, let probability):
            callbacks.judged(stream, firstFrame, frames, probability)
            return nil
        case .failed(let stream, let result, let words):
            callbacks.failed(stream, result, words)
            return stream
        default: throw .outOfOrder("a callback of another kind of plugin")
        }
    }
}
