import CGlassesPlugin
import GlassesDomain

/// The callbacks of a synthesiser, from C or from a child's messages, as values. [any]
final class SynthesisCallbacks: EngineCallbacks {
    static let registry = CallbackRegistry<SynthesisCallbacks>()
    private static let onAudio = "glasses_tts_host.on_audio"
    private static let onFinished = "glasses_tts_host.on_finished"

    private let monitor: CallMonitor
    private let receiver: SynthesisInbox

    init(monitor: CallMonitor, receiver: SynthesisInbox) {
        self.monitor = monitor
        self.receiver = receiver
    }

    /// The struct for a new instance; never freed, as ``TransportCallbacks/makeTable(context:)`` says.
    static func makeTable(_ context: UInt) -> UnsafePointer<glasses_tts_host> {
        let table = UnsafeMutablePointer<glasses_tts_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_tts_host(
                size: UInt32(MemoryLayout<glasses_tts_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_audio: { context, request, samples, count in
                    let callbacks = SynthesisCallbacks.registry.find(context, function: SynthesisCallbacks.onAudio)
                    let block = UnsafeBufferPointer(start: samples, count: Int(count))
                    let wantsMore = callbacks?.receiver.audioArrived(request, block) ?? false
                    return glasses_result(wantsMore ? GLASSES_OK : GLASSES_ERROR_CANCELLED)
                },
                on_finished: { context, request, result, message in
                    SynthesisCallbacks.registry.find(context, function: SynthesisCallbacks.onFinished)?
                        .finished(request, result, message.map { CText($0) })
                }))
        return UnsafePointer(table)
    }

    func finished(_ request: UInt64, _ result: glasses_result, _ message: CText?) {
        let converted = PluginResult(c: result)
        let words = monitor.text(message, in: Self.onFinished)
        if converted == .ok {
            receiver.finished(request, .success(()))
            return
        }
        var failure = PluginFailureReport(converted, plugin: monitor.plugin, function: "a text")
        if let words, !words.isEmpty { failure.message = words }
        receiver.finished(request, .failure(failure))
    }
}
