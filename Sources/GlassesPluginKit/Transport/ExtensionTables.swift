import CGlassesPlugin

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

    nonisolated(unsafe) static let camera: UnsafePointer<glasses_camera> = {
        // because it is written once here, before anyone has it, and never freed
        let table = UnsafeMutablePointer<glasses_camera>.allocate(capacity: 1)
        table.initialize(
            to: glasses_camera(
                size: UInt32(MemoryLayout<glasses_camera>.size), reserved: 0,
                attach: { instance, table in
                    bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                        try bridge.host.camera.attach(CameraHost(table: table.pointee, gate: bridge.host.gate))
                    }
                },
                start: { instance, id, configuration, ring in
                    let (text, ring) = (String(cString: configuration), VideoRing(ring))
                    return requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any CameraPlugin else { throw .unsupported }
                        let configuration = try CameraConfiguration(text: text)
                        guard plugin.description.camera?.has(configuration) == true else {
                            throw .invalid("invalid_configuration", "The camera has no such stream.")
                        }
                        try plugin.startCamera(request, configuration: configuration, ring: ring)
                    }
                },
                stop: { instance, id in
                    requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any CameraPlugin else { throw .unsupported }
                        try plugin.stopCamera(request)
                    }
                },
                take_photo: { instance, id in
                    requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any CameraPlugin, plugin.description.camera?.photo != nil else {
                            throw .unsupported
                        }
                        try plugin.takePhoto(PhotoRequest(request: request, camera: try request.host.camera.required()))
                    }
                }))
        return UnsafePointer(table)
    }()

    nonisolated(unsafe) static let display: UnsafePointer<glasses_display> = {
        // because it is written once here, before anyone has it, and never freed
        let table = UnsafeMutablePointer<glasses_display>.allocate(capacity: 1)
        table.initialize(
            to: glasses_display(
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
                    return requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any DisplayPlugin else { throw .unsupported }
                        guard let text = String(validating: bytes, as: UTF8.self),
                            case let tree = try PluginJSON(text: text), case .object = tree
                        else { throw .invalid("invalid_tree", "The tree has to be a JSON object in UTF-8.") }
                        try plugin.show(tree, request: request)
                    }
                },
                clear: { instance, id in
                    requested(instance, id) { plugin, request throws(PluginFailure) in
                        guard let plugin = plugin as? any DisplayPlugin else { throw .unsupported }
                        try plugin.clearDisplay(request)
                    }
                }))
        return UnsafePointer(table)
    }()
}
