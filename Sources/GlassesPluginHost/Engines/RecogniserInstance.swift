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
final class InProcessRecogniser: RecogniserInstance {
    private let engine: InProcessEngine<glasses_stt>

    var facts: EngineFacts { engine.facts }

    /// Creates and activates an engine; reports go to `deliver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor,
        deliver: @escaping @Sendable (RecognitionReport) -> Void
    ) async -> Result<InProcessRecogniser, PluginFailureReport> {
        await InProcessEngine.open(
            plugin, settings: settings, monitor: monitor, RecognitionCallbacks(monitor: monitor, deliver: deliver)
        ).map(InProcessRecogniser.init)
    }

    private init(_ engine: InProcessEngine<glasses_stt>) { self.engine = engine }

    func send(
        _ call: RecognitionCall, utterance: UInt64,
        answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        engine.post(call.function, answer: answer) { table in
            switch call {
            case .begin: table.begin(table.instance, utterance)
            case .push(let samples): pushing(samples) { table.push(table.instance, utterance, $0, $1) }
            case .finish: table.finish(table.instance, utterance)
            case .cancel: table.cancel(table.instance, utterance)
            }
        }
    }

    func destroy() async { await engine.destroy() }
}
