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
final class InProcessSynthesiser: SynthesiserInstance, @unchecked Sendable {
    // because every field is immutable; the plugin's struct is only used for calls that the ABI allows there
    let facts: EngineFacts
    private let table: glasses_tts
    private let calls: EngineCalls
    private let context: UInt

    private struct Opened: @unchecked Sendable {
        // because the values move once, from the [host] thread to the instance
        var table: glasses_tts
        var facts: EngineFacts
    }

    /// Creates and activates an engine; audio and endings go to `receiver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor, receiver: SynthesisInbox
    ) async -> Result<InProcessSynthesiser, PluginFailureReport> {
        let calls = EngineCalls(plugin: plugin, monitor: monitor)
        let context = SynthesisCallbacks.registry.add(SynthesisCallbacks(monitor: monitor, receiver: receiver))
        let made = await calls.make("glasses_tts.activate") { create(plugin, settings, monitor, context) }
        if case .failure = made { SynthesisCallbacks.registry.remove(context, monitor: monitor) }
        return made.map { InProcessSynthesiser($0, calls: calls, context: context) }
    }

    private init(_ opened: Opened, calls: EngineCalls, context: UInt) {
        table = opened.table
        facts = opened.facts
        self.calls = calls
        self.context = context
    }

    func speak(
        _ text: String, options: String, request: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        calls.post(
            "glasses_tts.speak", { [self] in table.speak(table.instance, request, text, options) }, answer: answer)
    }

    func cancel(request: UInt64) {
        calls.post("glasses_tts.cancel", { [self] in table.cancel(table.instance, request) }, answer: { _ in })
    }

    func destroy() async {
        await calls.destroy("glasses_tts.destroy") { [self] in
            table.destroy(table.instance)
            SynthesisCallbacks.registry.remove(context, monitor: calls.monitor)
        }
        // A destroy that hangs has not come to this line on its own thread.
        SynthesisCallbacks.registry.remove(context, monitor: calls.monitor)
    }

    private static func create(
        _ plugin: ActivePlugin, _ settings: String, _ monitor: CallMonitor, _ context: UInt
    ) -> Result<Opened, PluginFailureReport> {
        let function = "glasses_tts_factory.create"
        guard let factory = plugin.factory(GLASSES_FACTORY_TTS, as: glasses_tts_factory.self) else {
            return .failure(PluginFailureReport(.unsupported, plugin: plugin.id, function: "get_factory"))
        }
        var made: UnsafePointer<glasses_tts>?
        let result = PluginResult(c: factory.create(SynthesisCallbacks.makeTable(context), settings, &made))
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: plugin.id, function: function))
        }
        guard let made, let table = CStruct.copy(made, as: glasses_tts.self, firstFunction: 16) else {
            monitor.report(.brokenStruct, in: function)
            return .failure(PluginFailureReport(.failed, plugin: plugin.id, function: function))
        }
        let facts = EngineFacts.read(
            monitor, prefix: "glasses_tts", activate: { table.activate(table.instance) },
            describe: { table.describe(table.instance, $0, $1, $2) })
        if case .failure = facts { table.destroy(table.instance) }
        return facts.map { Opened(table: table, facts: $0) }
    }
}
