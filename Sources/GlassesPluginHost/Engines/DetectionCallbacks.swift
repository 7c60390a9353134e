import CGlassesPlugin
import GlassesDomain

/// The callbacks of a voice activity detector, from C or from a child's messages, as ``DetectionReport`` values. [any]
final class DetectionCallbacks: EngineCallbacks {
    static let registry = CallbackRegistry<DetectionCallbacks>()
    static let onActivity = "glasses_vad_host.on_activity"
    static let onFailed = "glasses_vad_host.on_failed"

    private let monitor: CallMonitor
    private let deliver: @Sendable (DetectionReport) -> Void

    init(monitor: CallMonitor, deliver: @escaping @Sendable (DetectionReport) -> Void) {
        self.monitor = monitor
        self.deliver = deliver
    }

    /// The struct for a new instance; never freed, as ``TransportCallbacks/makeTable(context:)`` says.
    static func makeTable(_ context: UInt) -> UnsafePointer<glasses_vad_host> {
        let table = UnsafeMutablePointer<glasses_vad_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_vad_host(
                size: UInt32(MemoryLayout<glasses_vad_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_activity: { context, stream, firstFrame, frames, probability in
                    DetectionCallbacks.registry.find(context, function: DetectionCallbacks.onActivity)?
                        .judged(stream, firstFrame, frames, probability)
                },
                on_failed: { context, stream, result, message in
                    DetectionCallbacks.registry.find(context, function: DetectionCallbacks.onFailed)?
                        .failed(stream, result, message.map { CText($0) })
                }))
        return UnsafePointer(table)
    }

    func judged(_ stream: UInt64, _ firstFrame: UInt64, _ frames: UInt32, _ probability: Double) {
        // Beyond 63 bits no stream has a frame; the receiver finds the place wrong.
        let activity = VoiceActivity(
            firstFrame: Int64(clamping: firstFrame), frames: Int(frames),
            probability: probability.isFinite ? Float(min(max(probability, 0), 1)) : 0)
        deliver(.activity(stream, activity))
    }

    func failed(_ stream: UInt64, _ result: glasses_result, _ message: CText?) {
        let converted = PluginResult(c: result)
        var failure = PluginFailureReport(
            converted == .ok ? .failed : converted, plugin: monitor.plugin, function: "a stream")
        if let message, let text = monitor.text(message, in: Self.onFailed), !text.isEmpty { failure.message = text }
        deliver(.failed(stream, failure))
    }
}
