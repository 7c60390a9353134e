import CGlassesPlugin
import GlassesDomain

/// What a voice activity detector can be asked for.
enum DetectionCall: Sendable {
    case begin
    case push([Int16])
    case reset
    case end

    /// The function of the ABI, for reports.
    var function: String {
        switch self {
        case .begin: "glasses_vad.begin"
        case .push: "glasses_vad.push"
        case .reset: "glasses_vad.reset"
        case .end: "glasses_vad.end"
        }
    }
}

/// What a voice activity detector tells.
enum DetectionReport: Sendable {
    case activity(UInt64, VoiceActivity)
    case failed(UInt64, PluginFailureReport)
}

/// One voice activity detector, wherever its code runs.
protocol DetectorInstance: AnyObject, Sendable {
    /// What the plugin says of itself.
    var facts: EngineFacts { get }
    /// Makes a call after those before it; `answer` tells whether it was accepted.
    func send(
        _ call: DetectionCall, stream: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void)
    /// Ends the instance; no report comes afterwards.
    func destroy() async
}

/// A voice activity detector whose code runs in this process.
final class InProcessDetector: DetectorInstance, @unchecked Sendable {
    // because every field is immutable; the plugin's struct is only used for calls that the ABI allows there
    let facts: EngineFacts
    private let table: glasses_vad
    private let calls: EngineCalls
    private let context: UInt

    private struct Opened: @unchecked Sendable {
        // because the values move once, from the [host] thread to the instance
        var table: glasses_vad
        var facts: EngineFacts
    }

    /// Creates and activates an engine; reports go to `deliver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor,
        deliver: @escaping @Sendable (DetectionReport) -> Void
    ) async -> Result<InProcessDetector, PluginFailureReport> {
        let calls = EngineCalls(plugin: plugin, monitor: monitor)
        let context = DetectionCallbacks.registry.add(DetectionCallbacks(monitor: monitor, deliver: deliver))
        let made = await calls.make("glasses_vad.activate") { create(plugin, settings, monitor, context) }
        if case .failure = made { DetectionCallbacks.registry.remove(context, monitor: monitor) }
        return made.map { InProcessDetector($0, calls: calls, context: context) }
    }

    private init(_ opened: Opened, calls: EngineCalls, context: UInt) {
        table = opened.table
        facts = opened.facts
        self.calls = calls
        self.context = context
    }

    func send(
        _ call: DetectionCall, stream: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        calls.post(call.function, { [self] in perform(call, stream) }, answer: answer)
    }

    private func perform(_ call: DetectionCall, _ stream: UInt64) -> glasses_result {
        switch call {
        case .begin: return table.begin(table.instance, stream)
        case .reset: return table.reset(table.instance, stream)
        case .end: return table.end(table.instance, stream)
        case .push(let samples):
            return samples.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { table.push(table.instance, stream, $0, UInt32(buffer.count)) }
                    ?? glasses_result(GLASSES_OK)
            }
        }
    }

    func destroy() async {
        await calls.destroy("glasses_vad.destroy") { [self] in
            table.destroy(table.instance)
            DetectionCallbacks.registry.remove(context, monitor: calls.monitor)
        }
        // A destroy that hangs has not come to this line on its own thread.
        DetectionCallbacks.registry.remove(context, monitor: calls.monitor)
    }

    private static func create(
        _ plugin: ActivePlugin, _ settings: String, _ monitor: CallMonitor, _ context: UInt
    ) -> Result<Opened, PluginFailureReport> {
        let function = "glasses_vad_factory.create"
        guard let factory = plugin.factory(GLASSES_FACTORY_VAD, as: glasses_vad_factory.self) else {
            return .failure(PluginFailureReport(.unsupported, plugin: plugin.id, function: "get_factory"))
        }
        var made: UnsafePointer<glasses_vad>?
        let result = PluginResult(c: factory.create(DetectionCallbacks.makeTable(context), settings, &made))
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: plugin.id, function: function))
        }
        guard let made, let table = CStruct.copy(made, as: glasses_vad.self, firstFunction: 16) else {
            monitor.report(.brokenStruct, in: function)
            return .failure(PluginFailureReport(.failed, plugin: plugin.id, function: function))
        }
        let facts = EngineFacts.read(
            monitor, prefix: "glasses_vad", activate: { table.activate(table.instance) },
            describe: { table.describe(table.instance, $0, $1, $2) })
        if case .failure = facts { table.destroy(table.instance) }
        return facts.map { Opened(table: table, facts: $0) }
    }
}
