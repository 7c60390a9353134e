import CGlassesPlugin
import Synchronization

/// The C face of one ``SpeechToTextPlugin``: owns the engine and the struct that the host calls through.
final class SpeechToTextBridge: Sendable {
    private let plugin: any SpeechToTextPlugin
    private let host: glasses_stt_host
    private let log: HostLog
    private let gate = CallbackGate()
    private let openRequests = Mutex<[WeakRequest]>([])
    private let description = Mutex<[UInt8]?>(nil)
    private let table = Mutex<Table?>(nil)

    private struct WeakRequest {
        weak var request: RecognitionRequest?
    }
    private struct Table: @unchecked Sendable {
        // because only destroy, the host's last call, takes it
        let pointer: UnsafeMutablePointer<glasses_stt>
    }

    init(plugin: any SpeechToTextPlugin, host: glasses_stt_host, log: HostLog) {
        self.plugin = plugin
        self.host = host
        self.log = log
    }

    /// The struct for the host; freed by `destroy`.
    static func makeTable(_ bridge: SpeechToTextBridge) -> UnsafePointer<glasses_stt> {
        let table = UnsafeMutablePointer<glasses_stt>.allocate(capacity: 1)
        table.initialize(
            to: glasses_stt(
                size: UInt32(MemoryLayout<glasses_stt>.size), reserved: 0,
                instance: Unmanaged.passRetained(bridge).toOpaque(),
                activate: { instance in
                    bridged(instance) { (bridge: SpeechToTextBridge) throws(PluginFailure) in try bridge.activate() }
                },
                describe: { instance, buffer, capacity, length in
                    guard let bridge: SpeechToTextBridge = resolve(instance) else {
                        return glasses_result(GLASSES_ERROR_INVALID)
                    }
                    return copyText(bridge.describe(), buffer, capacity, length)
                },
                begin: { instance, id in
                    bridged(instance) { (bridge: SpeechToTextBridge) throws(PluginFailure) in try bridge.begin(id) }
                },
                push: { instance, id, samples, count in
                    let block = UnsafeBufferPointer(start: samples, count: Int(count))
                    return bridged(instance) { (bridge: SpeechToTextBridge) throws(PluginFailure) in
                        try bridge.plugin.push(block, utterance: id)
                    }
                },
                finish: { instance, id in
                    bridged(instance) { (bridge: SpeechToTextBridge) throws(PluginFailure) in
                        try bridge.plugin.finish(utterance: id)
                    }
                },
                cancel: { instance, id in
                    bridged(instance) { (bridge: SpeechToTextBridge) throws(PluginFailure) in
                        try bridge.plugin.cancel(utterance: id)
                    }
                },
                destroy: { instance in
                    guard let instance else { return }
                    Unmanaged<SpeechToTextBridge>.fromOpaque(instance).takeRetainedValue().destroy()
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
        let request = RecognitionRequest(id: id, table: host, gate: gate)
        openRequests.withLock { list in
            list.removeAll { $0.request == nil }
            list.append(WeakRequest(request: request))
        }
        do {
            try plugin.begin(request)
        } catch {
            request.refuse()
            throw error
        }
    }

    private func destroy() {
        plugin.shutdown()
        for entry in openRequests.withLock({ $0 }) { entry.request?.fail(.cancelled) }
        gate.close()
        let freed = table.withLock { table in
            defer { table = nil }
            return table
        }
        freed?.pointer.deallocate()
    }
}
