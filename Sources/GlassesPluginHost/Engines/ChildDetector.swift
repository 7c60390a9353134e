import GlassesDomain

/// A voice activity detector whose code runs in a child process.
final class ChildDetector: DetectorInstance {
    private let engine: ChildEngine

    var facts: EngineFacts { engine.facts }

    /// Starts a child with an engine; reports go to `deliver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, deliver: @escaping @Sendable (DetectionReport) -> Void
    ) async -> Result<ChildDetector, PluginFailureReport> {
        let callbacks = DetectionCallbacks(monitor: setup.monitor, deliver: deliver)
        return await ChildEngine.open(
            setup, .vad, receive: { message throws(WireError) in try receive(message, callbacks) },
            fail: { deliver(.failed($0, $1)) }
        ).map(ChildDetector.init)
    }

    private init(_ engine: ChildEngine) { self.engine = engine }

    func send(_ call: DetectionCall, stream: UInt64, answer: @escaping ChildEngine.Answer) {
        let function = call.function
        switch call {
        case .begin: engine.begin(stream, function, .beginStream(stream), answer: answer)
        case .push(let samples): engine.pass(stream, function, .pushStream(stream, samples), answer: answer)
        case .reset: engine.pass(stream, function, .resetStream(stream), answer: answer)
        case .end:
            engine.pass(stream, function, .endStream(stream), answer: answer)
            engine.ended(stream)
        }
    }

    func destroy() async { await engine.destroy() }

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
