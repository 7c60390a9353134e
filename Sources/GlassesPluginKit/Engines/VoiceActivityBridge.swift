import CGlassesPlugin
import Synchronization

/// The C face of one ``VoiceActivityPlugin``: owns the engine and the struct that the host calls through.
final class VoiceActivityBridge: Sendable {
    private let plugin: any VoiceActivityPlugin
    private let host: glasses_vad_host
    private let log: HostLog
    private let gate = CallbackGate()
    private let streams = Mutex<[glasses_request_id: WeakStream]>([:])
    private let description = DescriptionText()
    private let table = InstanceTable<glasses_vad>()

    private struct WeakStream {
        weak var report: VoiceActivityReport?
    }

    init(plugin: any VoiceActivityPlugin, host: glasses_vad_host, log: HostLog) {
        self.plugin = plugin
        self.host = host
        self.log = log
    }

    /// The struct for the host; freed by `destroy`.
    static func makeTable(_ bridge: VoiceActivityBridge) -> UnsafePointer<glasses_vad> {
        bridge.table.make(
            glasses_vad(
                size: UInt32(MemoryLayout<glasses_vad>.size), reserved: 0,
                instance: Unmanaged.passRetained(bridge).toOpaque(),
                activate: { instance in
                    bridged(instance) { (bridge: VoiceActivityBridge) throws(PluginFailure) in try bridge.activate() }
                },
                describe: { instance, buffer, capacity, length in
                    guard let bridge: VoiceActivityBridge = resolve(instance) else {
                        return glasses_result(GLASSES_ERROR_INVALID)
                    }
                    return copyText(bridge.describe(), buffer, capacity, length)
                },
                begin: { instance, id in
                    bridged(instance) { (bridge: VoiceActivityBridge) throws(PluginFailure) in try bridge.begin(id) }
                },
                push: { instance, id, samples, count in
                    let block = UnsafeBufferPointer(start: samples, count: Int(count))
                    return bridged(instance) { (bridge: VoiceActivityBridge) throws(PluginFailure) in
                        try bridge.plugin.push(block, stream: id)
                    }
                },
                reset: { instance, id in
                    bridged(instance) { (bridge: VoiceActivityBridge) throws(PluginFailure) in
                        try bridge.plugin.reset(stream: id)
                    }
                },
                end: { instance, id in
                    bridged(instance) { (bridge: VoiceActivityBridge) throws(PluginFailure) in try bridge.end(id) }
                },
                destroy: { instance in
                    guard let instance else { return }
                    Unmanaged<VoiceActivityBridge>.fromOpaque(instance).takeRetainedValue().destroy()
                }))
    }

    private func activate() throws(PluginFailure) {
        try log.telling { () throws(PluginFailure) in try plugin.activate() }
    }

    private func describe() -> [UInt8] { description.bytes { plugin.description.json } }

    private func begin(_ id: glasses_request_id) throws(PluginFailure) {
        let report = VoiceActivityReport(id: id, table: host, gate: gate)
        streams.withLock { streams in
            streams = streams.filter { $0.value.report != nil }
            streams[id] = WeakStream(report: report)
        }
        do {
            try plugin.begin(report)
        } catch {
            report.end()
            throw error
        }
    }

    private func end(_ id: glasses_request_id) throws(PluginFailure) {
        let stream = streams.withLock { $0.removeValue(forKey: id) }
        stream?.report?.end()
        try plugin.end(stream: id)
    }

    private func destroy() {
        for stream in streams.withLock({ $0 }).values { stream.report?.end() }
        plugin.shutdown()
        gate.close()
        table.free()
    }
}
