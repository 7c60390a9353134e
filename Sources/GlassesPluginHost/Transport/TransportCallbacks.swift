import CGlassesPlugin
import GlassesDomain

/// The callbacks of a transport, from C or from a child's messages, as ``TransportReport`` values. [any]
final class TransportCallbacks: Sendable {
    /// Receivers by their context.
    static let registry = CallbackRegistry<TransportCallbacks>()

    let monitor: CallMonitor
    private let fallbackDevice: DeviceInfo
    let deliver: @Sendable (TransportReport) -> Void

    init(monitor: CallMonitor, deliver: @escaping @Sendable (TransportReport) -> Void) {
        self.monitor = monitor
        self.deliver = deliver
        fallbackDevice = DeviceInfo(
            id: monitor.plugin, modelName: monitor.plugin, firmwareVersion: "", deviceType: .unknown, vendor: "unknown")
    }

    /// The struct for a new instance. It is never freed (40 bytes), because a plugin that calls back after destroy
    /// still reads it.
    static func makeTable(context: UInt) -> UnsafePointer<glasses_transport_host> {
        let table = UnsafeMutablePointer<glasses_transport_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_transport_host(
                size: UInt32(MemoryLayout<glasses_transport_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_state: { context, state, detail in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onState)?.stateChanged(
                        state, detail.map { CText($0) })
                },
                on_completed: { context, request, result, detail in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onCompleted)?.completed(
                        request, result, detail.map { CText($0) })
                },
                on_event: { context, event in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onEvent)?.told(CText(event))
                }))
        return UnsafePointer(table)
    }

    /// The host's side of the camera and of the display of the same instance; never freed, as ``makeTable(context:)``.
    static func makeCameraTable(context: UInt) -> UnsafePointer<glasses_camera_host> {
        let table = UnsafeMutablePointer<glasses_camera_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_camera_host(
                size: UInt32(MemoryLayout<glasses_camera_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_photo: { context, request, data, length, facts in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onPhoto)?.photo(
                        request, PhotoBytes.copy(data, length), CText(facts))
                },
                on_stream: { context, state in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onStream)?.streamChanged(
                        CText(state))
                }))
        return UnsafePointer(table)
    }

    static func makeDisplayTable(context: UInt) -> UnsafePointer<glasses_display_host> {
        let table = UnsafeMutablePointer<glasses_display_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_display_host(
                size: UInt32(MemoryLayout<glasses_display_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_select: { context, node in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onSelect)?.selected(
                        CText(node))
                },
                on_back: { context in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onBack)?.wentBack()
                }))
        return UnsafePointer(table)
    }

    /// The host's sides of the extensions of the same instance.
    static func sides(context: UInt) -> HostSides {
        HostSides(
            camera: { makeCameraTable(context: context) }, display: { makeDisplayTable(context: context) },
            registration: { makeRegistrationTable(context: context) }, power: { makePowerTable(context: context) },
            input: { makeInputTable(context: context) })
    }

    private static let onState = "glasses_transport_host.on_state"
    private static let onCompleted = "glasses_transport_host.on_completed"
    private static let onEvent = "glasses_transport_host.on_event"
    private static let onPhoto = "glasses_camera_host.on_photo"
    private static let onStream = "glasses_camera_host.on_stream"
    private static let onSelect = "glasses_display_host.on_select"
    private static let onBack = "glasses_display_host.on_back"

    func stateChanged(_ state: glasses_device_state, _ detail: CText?) {
        let detail = monitor.object(detail, in: Self.onState)
        guard let state = GlassesState(c: state, detail: detail, fallback: fallbackDevice) else {
            monitor.report(.unknownValue(Int(state)), in: Self.onState)
            return
        }
        deliver(.stateChanged(state))
    }

    func completed(_ request: glasses_request_id, _ result: glasses_result, _ detail: CText?) {
        let detail = monitor.object(detail, in: Self.onCompleted)
        let converted = PluginResult(c: result)
        if case .unknown(let number) = converted {
            monitor.report(.unknownValue(number), in: Self.onCompleted, from: .maximal)
        }
        if converted == .ok {
            deliver(.completed(request, function: Self.onCompleted, .success(())))
            return
        }
        var failure = PluginFailureReport(converted, plugin: monitor.plugin, function: "a request")
        if let code = detail?["code"]?.stringValue { failure.code = code }
        if let message = detail?["message"]?.stringValue { failure.message = message }
        deliver(.completed(request, function: Self.onCompleted, .failure(failure)))
    }

    func told(_ event: CText) {
        guard let details = monitor.object(event, in: Self.onEvent) else { return }
        guard let name = details["event"]?.stringValue else {
            monitor.report(.wrongFacts(member: "event"), in: Self.onEvent)
            return
        }
        if name == Self.pairingCode {
            pairingCodeShown(details)
        } else {
            deliver(.told(event: name, details: details))
        }
    }

    private static let pairingCode = "pairing_code"

    /// Apart from the other events, which a log gets.
    private func pairingCodeShown(_ details: JSONValue) {
        guard let text = details["code"]?.stringValue,
            let code = PairingCode(text, instruction: details["message"]?.stringValue ?? "")
        else {
            monitor.report(.wrongFacts(member: "code"), in: Self.onEvent)
            return
        }
        deliver(.pairingCode(code))
    }

    func photo(_ request: glasses_request_id, _ file: [UInt8], _ facts: CText) {
        let facts = monitor.object(facts, in: Self.onPhoto)
        guard let still = CameraStill(file: file, facts: facts) else {
            monitor.report(.wrongFrame, in: Self.onPhoto)
            return
        }
        deliver(.still(request, still))
    }

    func streamChanged(_ state: CText) {
        guard let json = monitor.object(state, in: Self.onStream) else { return }
        guard let change = CameraStreamChange(json: json) else {
            monitor.report(.wrongFacts(member: "state"), in: Self.onStream)
            return
        }
        deliver(.cameraChanged(change))
    }

    func selected(_ node: CText) {
        guard let node = monitor.text(node, in: Self.onSelect) else { return }
        deliver(.displayed(.selected(node: node)))
    }

    func wentBack() { deliver(.displayed(.back)) }
}

/// The bytes of a picture that a plugin hands over.
enum PhotoBytes {
    /// A copy; empty for a length that the ABI does not allow, which no still has.
    static func copy(_ data: UnsafePointer<UInt8>, _ length: Int) -> [UInt8] {
        guard length <= Int(GLASSES_PHOTO_MAX) else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: length))
    }
}
