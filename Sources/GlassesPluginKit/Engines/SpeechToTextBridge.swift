import CGlassesPlugin

/// The C face of one ``SpeechToTextPlugin``: owns the engine and the struct that the host calls through.
final class SpeechToTextBridge: Sendable {
    private let plugin: any SpeechToTextPlugin
    private let host: glasses_stt_host
    private let log: HostLog
    private let gate = CallbackGate()
    private let openRequests = OpenRequests<RecognitionRequest>()
    private let description = DescriptionText()
    private let table = InstanceTable<glasses_stt>()

    init(plugin: any SpeechToTextPlugin, host: glasses_stt_host, log: HostLog) {
        self.plugin = plugin
        self.host = host
        self.log = log
    }

    /// The struct for the host; freed by `destroy`.
    static func makeTable(_ bridge: SpeechToTextBridge) -> UnsafePointer<glasses_stt> {
        bridge.table.make(
            glasses_stt(
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
    }

    private func activate() throws(PluginFailure) {
        try log.telling { () throws(PluginFailure) in try plugin.activate() }
    }

    private func describe() -> [UInt8] { description.bytes { plugin.description.json } }

    private func begin(_ id: glasses_request_id) throws(PluginFailure) {
        let request = RecognitionRequest(id: id, table: host, gate: gate)
        openRequests.add(request)
        do {
            try plugin.begin(request)
        } catch {
            request.refuse()
            throw error
        }
    }

    private func destroy() {
        plugin.shutdown()
        for request in openRequests.all { request.fail(.cancelled) }
        gate.close()
        table.free()
    }
}
