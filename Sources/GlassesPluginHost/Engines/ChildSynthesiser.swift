import GlassesDomain

/// A synthesiser whose code runs in a child process, which is replaced when it dies: texts that were being spoken then fail.
final class ChildSynthesiser: SynthesiserInstance {
    let facts: EngineFacts
    private let child: SupervisedChild
    private let link: ChildEngineLink
    private let life = InstanceLife()

    /// Starts a child with an engine; audio and endings go to `receiver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, receiver: SynthesisInbox
    ) async -> Result<ChildSynthesiser, PluginFailureReport> {
        let callbacks = SynthesisCallbacks(monitor: setup.monitor, receiver: receiver)
        let link = ChildEngineLink(
            monitor: setup.monitor, kind: .tts,
            receive: { message throws(WireError) in try receive(message, callbacks, receiver) },
            fail: { receiver.finished($0, .failure($1)) })
        let child = SupervisedChild(setup)
        return await child.open(link).flatMap {
            guard let facts = link.facts else {
                return .failure(PluginFailureReport(.failed, plugin: setup.monitor.plugin, function: "describe"))
            }
            return .success(ChildSynthesiser(facts, child, link))
        }
    }

    private init(_ facts: EngineFacts, _ child: SupervisedChild, _ link: ChildEngineLink) {
        self.facts = facts
        self.child = child
        self.link = link
    }

    func speak(
        _ text: String, options: String, request: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        guard !life.isOver else { return answer(.failure(.ended("glasses_tts.speak"))) }
        link.begins(request)
        child.call(.speak(request: request, text: text, options: options)) { [link] result in
            link.accepted(request, result)
            answer(result)
        }
    }

    func cancel(request: UInt64) {
        guard !life.isOver, link.reasonOfEnd(request) == nil else { return }
        child.call(.cancelSpeech(request)) { _ in }
    }

    func destroy() async {
        guard life.end() else { return }
        link.isEnding()
        await child.stop()
    }

    static func receive(
        _ message: ChildMessage, _ callbacks: SynthesisCallbacks, _ inbox: SynthesisInbox
    ) throws(WireError) -> UInt64? {
        switch message {
        case .audio(let request, let samples):
            // Whoever wants no more has called the request off, which the child is told by that.
            _ = samples.withUnsafeBufferPointer { inbox.audioArrived(request, $0) }
            return nil
        case .spoken(let request, let result, let words):
            callbacks.finished(request, result, words)
            return request
        default: throw .outOfOrder("a callback of another kind of plugin")
        }
    }
}
