import GlassesDomain

/// A synthesiser whose code runs in a child process.
final class ChildSynthesiser: SynthesiserInstance {
    private let engine: ChildEngine

    var facts: EngineFacts { engine.facts }

    /// Starts a child with an engine; audio and endings go to `receiver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, receiver: SynthesisInbox
    ) async -> Result<ChildSynthesiser, PluginFailureReport> {
        let callbacks = SynthesisCallbacks(monitor: setup.monitor, receiver: receiver)
        return await ChildEngine.open(
            setup, .tts, receive: { message throws(WireError) in try receive(message, callbacks, receiver) },
            fail: { receiver.finished($0, .failure($1)) }
        ).map(ChildSynthesiser.init)
    }

    private init(_ engine: ChildEngine) { self.engine = engine }

    func speak(_ text: String, options: String, request: UInt64, answer: @escaping ChildEngine.Answer) {
        engine.begin(
            request, "glasses_tts.speak", .speak(request: request, text: text, options: options), answer: answer)
    }

    func cancel(request: UInt64) {
        engine.pass(request, "glasses_tts.cancel", .cancelSpeech(request)) { _ in }
    }

    func destroy() async { await engine.destroy() }

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
