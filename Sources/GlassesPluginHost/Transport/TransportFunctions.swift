import CGlassesPlugin

/// The functions of one transport and of its extensions, copied once. In this process and in a child the same.
struct TransportFunctions: @unchecked Sendable {
    // because the structs are immutable copies, used only for calls that the ABI allows on the caller's thread
    let table: glasses_transport
    let microphone: glasses_microphone?
    let speaker: glasses_speaker?
    let camera: glasses_camera?
    let display: glasses_display?
    let registration: glasses_registration?
    let power: glasses_power?
    let input: glasses_input?

    /// Asks an activated instance for its extensions. [host]
    init(_ table: glasses_transport) {
        self.table = table
        func found<T>(_ id: String, _ type: T.Type) -> T? {
            table.get_extension(table.instance, id).flatMap { CStruct.copy($0, as: type, firstFunction: 8) }
        }
        microphone = found(GLASSES_EXT_MICROPHONE, glasses_microphone.self)
        speaker = found(GLASSES_EXT_SPEAKER, glasses_speaker.self)
        camera = found(GLASSES_EXT_CAMERA, glasses_camera.self)
        display = found(GLASSES_EXT_DISPLAY, glasses_display.self)
        registration = found(GLASSES_EXT_REGISTRATION, glasses_registration.self)
        power = found(GLASSES_EXT_POWER, glasses_power.self)
        input = found(GLASSES_EXT_INPUT, glasses_input.self)
    }

    /// What there is.
    var extensions: TransportExtensions {
        var all: TransportExtensions = []
        if microphone != nil { all.insert(.microphone) }
        if speaker != nil { all.insert(.speaker) }
        if camera != nil { all.insert(.camera) }
        if display != nil { all.insert(.display) }
        if registration != nil { all.insert(.registration) }
        if power != nil { all.insert(.power) }
        if input != nil { all.insert(.input) }
        return all
    }

    static let unsupported = glasses_result(GLASSES_ERROR_UNSUPPORTED)

    func connect(_ request: UInt64, device: String?) -> glasses_result {
        guard let device else { return table.connect(table.instance, request, nil) }
        return device.withCString { table.connect(table.instance, request, $0) }
    }

    func disconnect(_ request: UInt64) -> glasses_result { table.disconnect(table.instance, request) }

    func startMicrophone(_ request: UInt64, _ ring: UnsafeMutablePointer<glasses_ring>) -> glasses_result {
        microphone.map { $0.start(table.instance, request, ring) } ?? Self.unsupported
    }

    func stopMicrophone(_ request: UInt64) -> glasses_result {
        microphone.map { $0.stop(table.instance, request) } ?? Self.unsupported
    }

    func startSpeaker(_ request: UInt64, _ ring: UnsafeMutablePointer<glasses_ring>) -> glasses_result {
        speaker.map { $0.start(table.instance, request, ring) } ?? Self.unsupported
    }

    func stopSpeaker(_ request: UInt64) -> glasses_result {
        speaker.map { $0.stop(table.instance, request) } ?? Self.unsupported
    }

    func flushSpeaker(_ flush: UInt64, upTo position: Int64) -> glasses_result {
        speaker.map { $0.flush(table.instance, flush, position) } ?? Self.unsupported
    }

    func startCamera(
        _ request: UInt64, _ configuration: String, _ ring: UnsafeMutablePointer<glasses_video_ring>
    ) -> glasses_result {
        camera.map { $0.start(table.instance, request, configuration, ring) } ?? Self.unsupported
    }

    func stopCamera(_ request: UInt64) -> glasses_result {
        camera.map { $0.stop(table.instance, request) } ?? Self.unsupported
    }

    func takePhoto(_ request: UInt64) -> glasses_result {
        camera.map { $0.take_photo(table.instance, request) } ?? Self.unsupported
    }

    func show(_ request: UInt64, _ tree: [UInt8]) -> glasses_result {
        guard let display else { return Self.unsupported }
        return tree.withUnsafeBytes { bytes in
            guard let text = bytes.bindMemory(to: CChar.self).baseAddress else {
                return glasses_result(GLASSES_ERROR_INVALID)
            }
            return display.show(table.instance, request, text, bytes.count)
        }
    }

    func clearDisplay(_ request: UInt64) -> glasses_result {
        display.map { $0.clear(table.instance, request) } ?? Self.unsupported
    }

    func registerApp(_ request: UInt64) -> glasses_result {
        registration.map { $0.register_app(table.instance, request) } ?? Self.unsupported
    }

    func unregisterApp(_ request: UInt64) -> glasses_result {
        registration.map { $0.unregister_app(table.instance, request) } ?? Self.unsupported
    }

    func checkPermission(_ request: UInt64, _ permission: glasses_permission) -> glasses_result {
        registration.map { $0.check_permission(table.instance, request, permission) } ?? Self.unsupported
    }

    func requestPermission(_ request: UInt64, _ permission: glasses_permission) -> glasses_result {
        registration.map { $0.request_permission(table.instance, request, permission) } ?? Self.unsupported
    }

    func handleURL(_ request: UInt64, _ url: String) -> glasses_result {
        registration.map { registration in
            url.withCString { registration.handle_url(table.instance, request, $0) }
        } ?? Self.unsupported
    }

    func destroy() { table.destroy(table.instance) }
}
