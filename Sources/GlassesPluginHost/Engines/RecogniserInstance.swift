import CGlassesPlugin
import GlassesDomain

/// What a recogniser can be asked for.
enum RecognitionCall: Sendable {
    case begin
    case push([Int16])
    case finish
    case cancel

    /// The function of the ABI, for reports.
    var function: String {
        switch self {
        case .begin: "glasses_stt.begin"
        case .push: "glasses_stt.push"
        case .finish: "glasses_stt.finish"
        case .cancel: "glasses_stt.cancel"
        }
    }
}

/// What a recogniser tells.
enum RecognitionReport: Sendable {
    case partial(UInt64, RecognitionResult)
    case finished(UInt64, Result<RecognitionResult, PluginFailureReport>)
}

/// One recogniser, wherever its code runs.
protocol RecogniserInstance: AnyObject, Sendable {
    /// What the plugin says of itself.
    var facts: EngineFacts { get }
    /// Makes a call after those before it; `answer` tells whether it was accepted.
    func send(
        _ call: RecognitionCall, utterance: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void)
    /// Ends the instance; no report comes afterwards.
    func destroy() async
}

/// A recogniser whose code runs in this process.
final class InProcessRecogniser: RecogniserInstance, @unchecked Sendable {
    // because every field is immutable; the plugin's struct is only used for calls that the ABI allows there
    let facts: EngineFacts
    private let table: glasses_stt
    private let calls: EngineCalls
    private let context: UInt

    private struct Opened: @unchecked Sendable {
        // because the values move once, from the [host] thread to the instance
        var table: glasses_stt
        var facts: EngineFacts
    }

    /// Creates and activates an engine; reports go to `deliver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor,
        deliver: @escaping @Sendable (RecognitionReport) -> Void
    ) async -> Result<InProcessRecogniser, PluginFailureReport> {
        let calls = EngineCalls(plugin: plugin, monitor: monitor)
        let context = RecognitionCallbacks.registry.add(RecognitionCallbacks(monitor: monitor, deliver: deliver))
        let made = await calls.make("glasses_stt.activate") { create(plugin, settings, monitor, context) }
        if case .failure = made { RecognitionCallbacks.registry.remove(context, monitor: monitor) }
        return made.map { InProcessRecogniser($0, calls: calls, context: context) }
    }

    private init(_ opened: Opened, calls: EngineCalls, context: UInt) {
        table = opened.table
        facts = opened.facts
        self.calls = calls
        self.context = context
    }

    func send(
        _ call: RecognitionCall, utterance: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        calls.post(call.function, { [self] in perform(call, utterance) }, answer: answer)
    }

    private func perform(_ call: RecognitionCall, _ utterance: UInt64) -> glasses_result {
        switch call {
        case .begin: return table.begin(table.instance, utterance)
        case .finish: return table.finish(table.instance, utterance)
        case .cancel: return table.cancel(table.instance, utterance)
        case .push(let samples):
            return samples.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { table.push(table.instance, utterance, $0, UInt32(buffer.count)) }
                    ?? glasses_result(GLASSES_OK)
            }
        }
    }

    func destroy() async {
        await calls.destroy("glasses_stt.destroy") { [self] in
            table.destroy(table.instance)
            RecognitionCallbacks.registry.remove(context, monitor: calls.monitor)
        }
        // A destroy that hangs has not come to this line on its own thread.
        RecognitionCallbacks.registry.remove(context, monitor: calls.monitor)
    }

    private static func create(
        _ plugin: ActivePlugin, _ settings: String, _ monitor: CallMonitor, _ context: UInt
    ) -> Result<Opened, PluginFailureReport> {
        let function = "glasses_stt_factory.create"
        guard let factory = plugin.factory(GLASSES_FACTORY_STT, as: glasses_stt_factory.self) else {
            return .failure(PluginFailureReport(.unsupported, plugin: plugin.id, function: "get_factory"))
        }
        var made: UnsafePointer<glasses_stt>?
        let result = PluginResult(c: factory.create(RecognitionCallbacks.makeTable(context), settings, &made))
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: plugin.id, function: function))
        }
        guard let made, let table = CStruct.copy(made, as: glasses_stt.self, firstFunction: 16) else {
            monitor.report(.brokenStruct, in: function)
            return .failure(PluginFailureReport(.failed, plugin: plugin.id, function: function))
        }
        let facts = EngineFacts.read(
            monitor, prefix: "glasses_stt", activate: { table.activate(table.instance) },
            describe: { table.describe(table.instance, $0, $1, $2) })
        if case .failure = facts { table.destroy(table.instance) }
        return facts.map { Opened(table: table, facts: $0) }
    }
}

extension EngineFacts {
    /// Activates an engine and reads what it says of itself. [host]
    static func read(
        _ monitor: CallMonitor, prefix: String, activate: () -> glasses_result,
        describe: (UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>) -> glasses_result
    ) -> Result<EngineFacts, PluginFailureReport> {
        let result = PluginResult(c: activate())
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: monitor.plugin, function: prefix + ".activate"))
        }
        return read(monitor, function: prefix + ".describe", PluginDescription.raw(describe))
    }

    /// Reads what an engine said of itself. [any]
    static func read(
        _ monitor: CallMonitor, function: String, _ description: CText?
    ) -> Result<EngineFacts, PluginFailureReport> {
        guard let json = PluginDescription.object(monitor, function, description) else {
            return .failure(PluginFailureReport(.failed, plugin: monitor.plugin, function: function))
        }
        do {
            return .success(try EngineFacts(plugin: monitor.plugin, json: json))
        } catch {
            monitor.report(.wrongFacts(member: error.member), in: function)
            return .failure(PluginFailureReport(.failed, plugin: monitor.plugin, function: function))
        }
    }
}
