import CGlassesPlugin
import Synchronization

/// The C face of one ``VoiceActivityPlugin``: owns the engine and the struct that the host calls through.
final class VoiceActivityBridge: Sendable {
    private let plugin: any VoiceActivityPlugin
    private let host: glasses_vad_host
    private let log: HostLog
    private let gate = CallbackGate()
    private let streams = Mutex<[glasses_request_id: WeakStream]>([:])
    private let description = Mutex<[UInt8]?>(nil)
    private let table = Mutex<Table?>(nil)

    private struct WeakStream {
        weak var report: VoiceActivityReport?
    }
    private struct Table: @unchecked Sendable {
        // because only destroy, the host's last call, takes it
        let pointer: UnsafeMutablePointer<glasses_vad>
    }

    init(plugin: any VoiceActivityPlugin, host: glasses_vad_host, log: HostLog) {
        self.plugin = plugin
        self.host = host
        self.log = log
    }

    /// The struct for the host; freed by `destroy`.
    static func makeTable(_ bridge: VoiceActivityBridge) -> UnsafePointer<glasses_vad> {
        let table = UnsafeMutablePointer<glasses_vad>.allocate(capacity: 1)
        table.initialize(
            to: glasses_vad(
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
        bridge.table.withLock { $0 = Table(pointer: table) }
        return UnsafePointer(table)
    }

    private func activate() throws(PluginFailure) {
        do {
            try plugin.activate()
        } catch {
            log.error("\(error.code): \(error.message)")
            throw error
        }
    }

    private func describe() -> [UInt8] {
        description.withLock { cached in
            if let cached { return cached }
            let text = Array(plugin.description.json.text.utf8)
            cached = text
            return text
        }
    }

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
        let freed = table.withLock { table in
            defer { table = nil }
            return table
        }
        freed?.pointer.deallocate()
    }
}
