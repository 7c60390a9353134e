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
final class InProcessDetector: DetectorInstance {
    private let engine: InProcessEngine<glasses_vad>

    var facts: EngineFacts { engine.facts }

    /// Creates and activates an engine; reports go to `deliver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor,
        deliver: @escaping @Sendable (DetectionReport) -> Void
    ) async -> Result<InProcessDetector, PluginFailureReport> {
        await InProcessEngine.open(
            plugin, settings: settings, monitor: monitor, DetectionCallbacks(monitor: monitor, deliver: deliver)
        ).map(InProcessDetector.init)
    }

    private init(_ engine: InProcessEngine<glasses_vad>) { self.engine = engine }

    func send(
        _ call: DetectionCall, stream: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        engine.post(call.function, answer: answer) { table in
            switch call {
            case .begin: table.begin(table.instance, stream)
            case .push(let samples): pushing(samples) { table.push(table.instance, stream, $0, $1) }
            case .reset: table.reset(table.instance, stream)
            case .end: table.end(table.instance, stream)
            }
        }
    }

    func destroy() async { await engine.destroy() }
}
