import CGlassesPlugin

/// The tables of the extensions; the same for every instance, which is an argument of each call.
enum ExtensionTables {
    static let microphone = SharedTable(
        glasses_microphone(
            size: UInt32(MemoryLayout<glasses_microphone>.size), reserved: 0,
            start: { instance, id, ring in
                let ring = AudioRing(ring)
                return requested(instance, id) { (plugin: any MicrophonePlugin, request) throws(PluginFailure) in
                    try plugin.startMicrophone(request, ring: ring)
                }
            },
            stop: { instance, id in
                requested(instance, id) { (plugin: any MicrophonePlugin, request) throws(PluginFailure) in
                    try plugin.stopMicrophone(request)
                }
            }))

    static let speaker = SharedTable(
        glasses_speaker(
            size: UInt32(MemoryLayout<glasses_speaker>.size), reserved: 0,
            start: { instance, id, ring in
                let ring = AudioRing(ring)
                return requested(instance, id) { (plugin: any SpeakerPlugin, request) throws(PluginFailure) in
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
                requested(instance, id) { (plugin: any SpeakerPlugin, request) throws(PluginFailure) in
                    try plugin.stopSpeaker(request)
                }
            }))

    static let camera = SharedTable(
        glasses_camera(
            size: UInt32(MemoryLayout<glasses_camera>.size), reserved: 0,
            attach: { instance, table in
                bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                    try bridge.host.camera.attach(CameraHost(table: table.pointee, gate: bridge.host.gate))
                }
            },
            start: { instance, id, configuration, ring in
                let (text, ring) = (String(cString: configuration), VideoRing(ring))
                return requested(instance, id) { (plugin: any CameraPlugin, request) throws(PluginFailure) in
                    let configuration = try CameraConfiguration(text: text)
                    guard plugin.description.camera?.has(configuration) == true else {
                        throw .invalid("invalid_configuration", "The camera has no such stream.")
                    }
                    try plugin.startCamera(request, configuration: configuration, ring: ring)
                }
            },
            stop: { instance, id in
                requested(instance, id) { (plugin: any CameraPlugin, request) throws(PluginFailure) in
                    try plugin.stopCamera(request)
                }
            },
            take_photo: { instance, id in
                requested(instance, id) { (plugin: any CameraPlugin, request) throws(PluginFailure) in
                    guard plugin.description.camera?.photo != nil else { throw .unsupported }
                    try plugin.takePhoto(PhotoRequest(request: request, camera: try request.host.camera.required()))
                }
            }))

    static let display = SharedTable(
        glasses_display(
            size: UInt32(MemoryLayout<glasses_display>.size), reserved: 0,
            attach: { instance, table in
                bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                    try bridge.host.display.attach(DisplayHost(table: table.pointee, gate: bridge.host.gate))
                }
            },
            show: { instance, id, tree, length in
                guard length <= Int(GLASSES_DISPLAY_TREE_MAX) else {
                    return glasses_result(GLASSES_ERROR_TOO_LARGE)
                }
                let bytes = UnsafeRawBufferPointer(start: tree, count: length)
                return requested(instance, id) { (plugin: any DisplayPlugin, request) throws(PluginFailure) in
                    guard let text = String(validating: bytes, as: UTF8.self),
                        case let tree = try PluginJSON(text: text), case .object = tree
                    else { throw .invalid("invalid_tree", "The tree has to be a JSON object in UTF-8.") }
                    try plugin.show(tree, request: request)
                }
            },
            clear: { instance, id in
                requested(instance, id) { (plugin: any DisplayPlugin, request) throws(PluginFailure) in
                    try plugin.clearDisplay(request)
                }
            }))
}
