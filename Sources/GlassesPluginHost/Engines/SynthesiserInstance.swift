import CGlassesPlugin
import GlassesDomain

/// One synthesiser, wherever its code runs.
protocol SynthesiserInstance: AnyObject, Sendable {
    /// What the plugin says of itself.
    var facts: EngineFacts { get }
    /// Asks for a text to be spoken; `answer` tells whether it was accepted.
    func speak(
        _ text: String, options: String, request: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void)
    /// Ends a request early.
    func cancel(request: UInt64)
    /// Ends the instance; no report comes afterwards.
    func destroy() async
}

/// A synthesiser whose code runs in this process.
final class InProcessSynthesiser: SynthesiserInstance {
    private let engine: InProcessEngine<glasses_tts>

    var facts: EngineFacts { engine.facts }

    /// Creates and activates an engine; audio and endings go to `receiver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor, receiver: SynthesisInbox
    ) async -> Result<InProcessSynthesiser, PluginFailureReport> {
        await InProcessEngine.open(
            plugin, settings: settings, monitor: monitor, SynthesisCallbacks(monitor: monitor, receiver: receiver)
        ).map(InProcessSynthesiser.init)
    }

    private init(_ engine: InProcessEngine<glasses_tts>) { self.engine = engine }

    func speak(
        _ text: String, options: String, request: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        engine.post("glasses_tts.speak", answer: answer) { table in
            table.speak(table.instance, request, text, options)
        }
    }

    func cancel(request: UInt64) {
        engine.post("glasses_tts.cancel", answer: { _ in }) { table in table.cancel(table.instance, request) }
    }

    func destroy() async { await engine.destroy() }
}
