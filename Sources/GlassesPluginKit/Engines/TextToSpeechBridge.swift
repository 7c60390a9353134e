import CGlassesPlugin

/// The C face of one ``TextToSpeechPlugin``: owns the engine and the struct that the host calls through.
final class TextToSpeechBridge: Sendable {
    private let plugin: any TextToSpeechPlugin
    private let host: glasses_tts_host
    private let log: HostLog
    private let gate = CallbackGate()
    private let openRequests = OpenRequests<SynthesisRequest>()
    private let description = DescriptionText()
    private let table = InstanceTable<glasses_tts>()

    init(plugin: any TextToSpeechPlugin, host: glasses_tts_host, log: HostLog) {
        self.plugin = plugin
        self.host = host
        self.log = log
    }

    /// The struct for the host; freed by `destroy`.
    static func makeTable(_ bridge: TextToSpeechBridge) -> UnsafePointer<glasses_tts> {
        bridge.table.make(
            glasses_tts(
                size: UInt32(MemoryLayout<glasses_tts>.size), reserved: 0,
                instance: Unmanaged.passRetained(bridge).toOpaque(),
                activate: { instance in
                    bridged(instance) { (bridge: TextToSpeechBridge) throws(PluginFailure) in try bridge.activate() }
                },
                describe: { instance, buffer, capacity, length in
                    guard let bridge: TextToSpeechBridge = resolve(instance) else {
                        return glasses_result(GLASSES_ERROR_INVALID)
                    }
                    return copyText(bridge.describe(), buffer, capacity, length)
                },
                speak: { instance, id, text, options in
                    let text = String(cString: text)
                    let options = String(cString: options)
                    return bridged(instance) { (bridge: TextToSpeechBridge) throws(PluginFailure) in
                        try bridge.speak(id, text, options)
                    }
                },
                cancel: { instance, id in
                    bridged(instance) { (bridge: TextToSpeechBridge) throws(PluginFailure) in
                        try bridge.plugin.cancel(request: id)
                    }
                },
                destroy: { instance in
                    guard let instance else { return }
                    Unmanaged<TextToSpeechBridge>.fromOpaque(instance).takeRetainedValue().destroy()
                }))
    }

    private func activate() throws(PluginFailure) {
        try log.telling { () throws(PluginFailure) in try plugin.activate() }
    }

    private func describe() -> [UInt8] { description.bytes { plugin.description.json } }

    private func speak(_ id: glasses_request_id, _ text: String, _ options: String) throws(PluginFailure) {
        let options = try SpeechOptions(text: options)
        let request = SynthesisRequest(id: id, table: host, gate: gate)
        openRequests.add(request)
        do {
            try plugin.speak(text, options: options, request: request)
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
