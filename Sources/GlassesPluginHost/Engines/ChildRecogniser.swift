import GlassesDomain

/// A recogniser whose code runs in a child process.
final class ChildRecogniser: RecogniserInstance {
    private let engine: ChildEngine

    var facts: EngineFacts { engine.facts }

    /// Starts a child with an engine; reports go to `deliver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, deliver: @escaping @Sendable (RecognitionReport) -> Void
    ) async -> Result<ChildRecogniser, PluginFailureReport> {
        let callbacks = RecognitionCallbacks(monitor: setup.monitor, deliver: deliver)
        return await ChildEngine.open(
            setup, .stt, receive: { message throws(WireError) in try receive(message, callbacks) },
            fail: { deliver(.finished($0, .failure($1))) }
        ).map(ChildRecogniser.init)
    }

    private init(_ engine: ChildEngine) { self.engine = engine }

    func send(_ call: RecognitionCall, utterance: UInt64, answer: @escaping ChildEngine.Answer) {
        let function = call.function
        switch call {
        case .begin: engine.begin(utterance, function, .begin(utterance: utterance), answer: answer)
        case .push(let samples): engine.pass(utterance, function, .push(utterance: utterance, samples), answer: answer)
        case .finish: engine.pass(utterance, function, .finish(utterance: utterance), answer: answer)
        case .cancel: engine.pass(utterance, function, .cancelUtterance(utterance), answer: answer)
        }
    }

    func destroy() async { await engine.destroy() }

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
