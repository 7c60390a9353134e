import CGlassesPlugin

/// The C face of one ``TransportPlugin``: owns the plugin and the struct that the host calls through.
final class TransportBridge: Sendable {
    let plugin: any TransportPlugin
    let host: TransportHost
    private let openRequests = OpenRequests<PluginRequest>()
    private let description = DescriptionText()
    private let table = InstanceTable<glasses_transport>()

    init(plugin: any TransportPlugin, host: TransportHost) {
        self.plugin = plugin
        self.host = host
    }

    /// The struct for the host; freed by ``destroy(_:)``.
    static func makeTable(_ bridge: TransportBridge) -> UnsafePointer<glasses_transport> {
        bridge.table.make(
            glasses_transport(
                size: UInt32(MemoryLayout<glasses_transport>.size), reserved: 0,
                instance: Unmanaged.passRetained(bridge).toOpaque(),
                activate: {
                    bridged($0) { (bridge: TransportBridge) throws(PluginFailure) in try bridge.plugin.activate() }
                },
                describe: { instance, buffer, capacity, length in
                    guard let bridge: TransportBridge = resolve(instance) else {
                        return glasses_result(GLASSES_ERROR_INVALID)
                    }
                    return copyText(bridge.describe(), buffer, capacity, length)
                },
                get_extension: { instance, id in
                    guard let bridge: TransportBridge = resolve(instance) else { return nil }
                    return bridge.tableOfExtension(String(cString: id))
                },
                connect: { instance, id, device in
                    let deviceId = device.map { String(cString: $0) }
                    return requested(instance, id) { (plugin: any TransportPlugin, request) throws(PluginFailure) in
                        try plugin.connect(request, deviceId: deviceId)
                    }
                },
                disconnect: { instance, id in
                    requested(instance, id) { (plugin: any TransportPlugin, request) throws(PluginFailure) in
                        try plugin.disconnect(request)
                    }
                },
                destroy: { instance in
                    guard let instance else { return }
                    let bridge = Unmanaged<TransportBridge>.fromOpaque(instance).takeRetainedValue()
                    bridge.destroy()
                }))
    }

    private func destroy() {
        plugin.shutdown()
        for request in openRequests.all { request.fail(.cancelled) }
        host.gate.close()
        table.free()
    }

    private func describe() -> [UInt8] { description.bytes { plugin.description.json(more: furtherCapabilities) } }

    /// What the description does not say, and the conformances do.
    private var furtherCapabilities: [String: PluginJSON] {
        var all: [String: PluginJSON] = [:]
        if plugin is any RegistrationPlugin { all["registration"] = true }
        if plugin is any PowerPlugin { all["power"] = true }
        if plugin is any InputPlugin { all["input"] = true }
        return all
    }

    /// The extensions follow from what the plugin conforms to, and from whether this instance has the stream.
    private func tableOfExtension(_ id: String) -> UnsafeRawPointer? {
        let facts = plugin.description
        return switch id {
        case GLASSES_EXT_MICROPHONE where plugin is any MicrophonePlugin && facts.microphoneRate != nil:
            UnsafeRawPointer(ExtensionTables.microphone.pointer)
        case GLASSES_EXT_SPEAKER where plugin is any SpeakerPlugin && facts.speakerRate != nil:
            UnsafeRawPointer(ExtensionTables.speaker.pointer)
        case GLASSES_EXT_CAMERA where plugin is any CameraPlugin && facts.camera != nil:
            UnsafeRawPointer(ExtensionTables.camera.pointer)
        case GLASSES_EXT_DISPLAY where plugin is any DisplayPlugin && facts.display != nil:
            UnsafeRawPointer(ExtensionTables.display.pointer)
        case GLASSES_EXT_REGISTRATION where plugin is any RegistrationPlugin:
            UnsafeRawPointer(ExtensionTables.registration.pointer)
        case GLASSES_EXT_POWER where plugin is any PowerPlugin: UnsafeRawPointer(ExtensionTables.power.pointer)
        case GLASSES_EXT_INPUT where plugin is any InputPlugin: UnsafeRawPointer(ExtensionTables.input.pointer)
        default: nil
        }
    }

    /// Starts a request; one that is refused at once is not completed as well.
    func request(
        _ id: glasses_request_id, _ start: (PluginRequest) throws(PluginFailure) -> Void
    ) -> glasses_result {
        let request = PluginRequest(id: id, host: host)
        openRequests.add(request)
        do {
            try start(request)
            return glasses_result(GLASSES_OK)
        } catch {
            request.refuse()
            host.log.warning("\(error.code): \(error.message)")
            return error.result
        }
    }
}

/// Runs a request on the instance behind a C pointer; UNSUPPORTED where the plugin is no `Kind`.
func requested<Kind>(
    _ instance: UnsafeMutableRawPointer?, _ id: glasses_request_id,
    _ start: (Kind, PluginRequest) throws(PluginFailure) -> Void
) -> glasses_result {
    guard let bridge: TransportBridge = resolve(instance) else { return glasses_result(GLASSES_ERROR_INVALID) }
    return bridge.request(id) { request throws(PluginFailure) in
        guard let plugin = bridge.plugin as? Kind else { throw .unsupported }
        try start(plugin, request)
    }
}
