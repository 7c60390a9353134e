import CGlassesPlugin
import GlassesDomain

/// The callbacks of a recogniser, from C or from a child's messages, as ``RecognitionReport`` values. [any]
final class RecognitionCallbacks: EngineCallbacks {
    static let registry = CallbackRegistry<RecognitionCallbacks>()
    private static let onPartial = "glasses_stt_host.on_partial"
    private static let onFinished = "glasses_stt_host.on_finished"

    private let monitor: CallMonitor
    private let deliver: @Sendable (RecognitionReport) -> Void

    init(monitor: CallMonitor, deliver: @escaping @Sendable (RecognitionReport) -> Void) {
        self.monitor = monitor
        self.deliver = deliver
    }

    /// The struct for a new instance; never freed, as ``TransportCallbacks/makeTable(context:)`` says.
    static func makeTable(_ context: UInt) -> UnsafePointer<glasses_stt_host> {
        let table = UnsafeMutablePointer<glasses_stt_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_stt_host(
                size: UInt32(MemoryLayout<glasses_stt_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_partial: { context, utterance, text, confidence in
                    RecognitionCallbacks.registry.find(context, function: RecognitionCallbacks.onPartial)?
                        .partial(utterance, CText(text), confidence)
                },
                on_finished: { context, utterance, result, text, confidence in
                    RecognitionCallbacks.registry.find(context, function: RecognitionCallbacks.onFinished)?
                        .finished(utterance, result, CText(text), confidence)
                }))
        return UnsafePointer(table)
    }

    func partial(_ utterance: UInt64, _ text: CText, _ confidence: Double) {
        guard let words = monitor.text(text, in: Self.onPartial) else { return }
        deliver(.partial(utterance, RecognitionResult(text: words, confidence: Self.bounded(confidence))))
    }

    func finished(_ utterance: UInt64, _ result: glasses_result, _ text: CText, _ confidence: Double) {
        let converted = PluginResult(c: result)
        let words = monitor.text(text, in: Self.onFinished)
        if converted == .ok, let words {
            deliver(
                .finished(utterance, .success(RecognitionResult(text: words, confidence: Self.bounded(confidence)))))
            return
        }
        var failure = PluginFailureReport(
            converted == .ok ? .failed : converted, plugin: monitor.plugin, function: "an utterance")
        if converted != .ok, let words, !words.isEmpty { failure.message = words }
        deliver(.finished(utterance, .failure(failure)))
    }

    private static func bounded(_ confidence: Double) -> Double {
        confidence.isFinite ? min(max(confidence, 0), 1) : 0
    }
}
