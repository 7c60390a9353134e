import CGlassesPlugin
import Synchronization

/// The C face of one ``TransportPlugin``: owns the plugin and the struct that the host calls through.
final class TransportBridge: Sendable {
    let plugin: any TransportPlugin
    private let host: TransportHost
    private let openRequests = Mutex<[WeakRequest]>([])
    private let description = Mutex<[UInt8]?>(nil)

    private struct WeakRequest {
        weak var request: PluginRequest?
    }

    init(plugin: any TransportPlugin, host: TransportHost) {
        self.plugin = plugin
        self.host = host
    }

    /// The struct for the host; freed by ``destroy(_:)``.
    static func makeTable(_ bridge: TransportBridge) -> UnsafePointer<glasses_transport> {
        let table = UnsafeMutablePointer<glasses_transport>.allocate(capacity: 1)
        table.initialize(
            to: glasses_transport(
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
                    return requested(instance, id) { plugin, request throws(PluginFailure) in
                        try plugin.connect(request, deviceId: deviceId)
                    }
                },
                disconnect: { instance, id in
                    requested(instance, id) { plugin, request throws(PluginFailure) in try plugin.disconnect(request) }
                },
                destroy: { instance in
                    guard let instance else { return }
                    let bridge = Unmanaged<TransportBridge>.fromOpaque(instance).takeRetainedValue()
                    bridge.destroy()
                }))
        bridge.table.withLock { $0 = Table(pointer: table) }
        return UnsafePointer(table)
    }

    private struct Table: @unchecked Sendable {
        // because only destroy, the host's last call, takes it
        let pointer: UnsafeMutablePointer<glasses_transport>
    }
    private let table = Mutex<Table?>(nil)

    private func destroy() {
        plugin.shutdown()
        for entry in openRequests.withLock({ $0 }) { entry.request?.fail(.cancelled) }
        host.gate.close()
        let freed = table.withLock { table in
            defer { table = nil }
            return table
        }
        freed?.pointer.deallocate()
    }

    private func describe() -> [UInt8] {
        description.withLock { cached in
            if let cached { return cached }
            let text = Array(plugin.description.json.text.utf8)
            cached = text
            return text
        }
    }

    /// The extensions follow from what the plugin conforms to, and from whether this instance has the stream.
    private func tableOfExtension(_ id: String) -> UnsafeRawPointer? {
        let facts = plugin.description
        return switch id {
        case GLASSES_EXT_MICROPHONE where plugin is any MicrophonePlugin && facts.microphoneRate != nil:
            UnsafeRawPointer(ExtensionTables.microphone)
        case GLASSES_EXT_SPEAKER where plugin is any SpeakerPlugin && facts.speakerRate != nil:
            UnsafeRawPointer(ExtensionTables.speaker)
        default: nil
        }
    }

    /// Starts a request; one that is refused at once is not completed as well.
    func request(
        _ id: glasses_request_id, _ start: (PluginRequest) throws(PluginFailure) -> Void
    ) -> glasses_result {
        let request = PluginRequest(id: id, host: host)
        openRequests.withLock { list in
            list.removeAll { $0.request == nil }
            list.append(WeakRequest(request: request))
        }
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

/// The tables of the extensions; the same for every instance, which is an argument of each call.
enum ExtensionTables {
    nonisolated(unsafe) static let microphone: UnsafePointer<glasses_microphone> = {
        // because it is written once here, before anyone has it, and never freed
        let table = UnsafeMutablePointer<glasses_microphone>.allocate(capacity: 1)
        table.initialize(
            to: glasses_microphone(
                size: UInt32(MemoryLayout<glasses_microphone>.size), reserved: 0,
                start: { instance, id, ring in
                    let ring = AudioRing(ring)
                    return requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any MicrophonePlugin else { throw .unsupported }
                        try plugin.startMicrophone(request, ring: ring)
                    }
                },
                stop: { instance, id in
                    requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any MicrophonePlugin else { throw .unsupported }
                        try plugin.stopMicrophone(request)
                    }
                }))
        return UnsafePointer(table)
    }()

    nonisolated(unsafe) static let speaker: UnsafePointer<glasses_speaker> = {
        // because it is written once here, before anyone has it, and never freed
        let table = UnsafeMutablePointer<glasses_speaker>.allocate(capacity: 1)
        table.initialize(
            to: glasses_speaker(
                size: UInt32(MemoryLayout<glasses_speaker>.size), reserved: 0,
                start: { instance, id, ring in
                    let ring = AudioRing(ring)
                    return requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any SpeakerPlugin else { throw .unsupported }
                        try plugin.startSpeaker(request, ring: ring)
                    }
                },
                flush: { instance, flush, upTo in
                    bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                        guard let plugin = bridge.plugin as? any SpeakerPlugin else { throw .unsupported }
                        try plugin.flushSpeaker(flush, upTo: upTo)
                    }
                },
                stop: { instance, id in
                    requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any SpeakerPlugin else { throw .unsupported }
                        try plugin.stopSpeaker(request)
                    }
                }))
        return UnsafePointer(table)
    }()
}

/// Runs a request on the instance behind a C pointer.
private func requested(
    _ instance: UnsafeMutableRawPointer?, _ id: glasses_request_id,
    _ start: (any TransportPlugin, PluginRequest) throws(PluginFailure) -> Void
) -> glasses_result {
    guard let bridge: TransportBridge = resolve(instance) else { return glasses_result(GLASSES_ERROR_INVALID) }
    return bridge.request(id) { request throws(PluginFailure) in try start(bridge.plugin, request) }
}
