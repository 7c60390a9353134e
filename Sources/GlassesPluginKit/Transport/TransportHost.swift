import CGlassesPlugin

/// Why a device is no longer connected.
public enum DisconnectReason: Sendable, Hashable {
    case userRequested
    case deviceDropped
    case hingesClosed
    case thermalCritical
    case failure(PluginFailure)

    var json: PluginJSON {
        switch self {
        case .userRequested: ["cause": "user_requested"]
        case .deviceDropped: ["cause": "device_dropped"]
        case .hingesClosed: ["cause": "hinges_closed"]
        case .thermalCritical: ["cause": "thermal_critical"]
        case .failure(let failure):
            ["cause": "failure", "code": .string(failure.code), "message": .string(failure.message)]
        }
    }
}

/// The host's side of one transport. Callbacks after the instance ended are dropped. Never use it on an [audio] thread. [any]
public final class TransportHost: Sendable {
    /// The host's log.
    public let log: HostLog
    private let table: glasses_transport_host
    private let context: HostContext
    let gate = CallbackGate()
    let camera = AttachedSide<CameraHost>()
    let display = AttachedSide<DisplayHost>()
    let registration = AttachedSide<RegistrationHost>()
    let power = AttachedSide<PowerHost>()
    let input = AttachedSide<InputHost>()

    init(table: glasses_transport_host, log: HostLog) {
        self.table = table
        self.log = log
        context = HostContext(table.ctx)
    }

    /// Reports that a device was found.
    public func reportDiscovered(_ device: PluginDevice) { report(GLASSES_DEVICE_DISCOVERED, device.json) }

    /// Reports that a connection is being made.
    public func reportConnecting(_ device: PluginDevice) { report(GLASSES_DEVICE_CONNECTING, device.json) }

    /// Reports the connected device.
    public func reportConnected(_ device: PluginDevice) { report(GLASSES_DEVICE_CONNECTED, device.json) }

    /// Reports that the device is gone, and why.
    public func reportDisconnected(_ reason: DisconnectReason) { report(GLASSES_DEVICE_DISCONNECTED, reason.json) }

    /// Reports something worth telling that changes no state, such as `microphone_lost`, `microphone_back`,
    /// `speaker_lost`, `speaker_back`. `message` is one sentence for a person.
    public func reportEvent(_ name: String, message: String, details: [String: PluginJSON] = [:]) {
        var members = details
        members["event"] = .string(name)
        members["message"] = .string(message)
        let text = PluginJSON.object(members).text
        gate.pass { table.on_event(context.pointer, text) }
    }

    /// Reports the code that a person types into the device, or into its companion, to let the app in. The app gets it; no log does.
    /// `code` has 1 to 64 bytes; `message` is the sentence to show with it, without the code.
    public func reportPairingCode(_ code: String, message: String) {
        reportEvent("pairing_code", message: message, details: ["code": .string(code)])
    }

    /// Reports that the camera's stream changed by itself. Nothing before the host has attached its side of the camera.
    public func reportCamera(_ change: CameraStreamChange) { camera.current?.report(change) }

    /// Reports that the wearer selected the node of that id in the tree that is shown.
    public func reportSelection(_ node: String) { display.current?.select(node) }

    /// Reports that the wearer asked to go back.
    public func reportBack() { display.current?.back() }

    /// Reports how far the app's registration is; `reason` tells why one was refused or taken back. Nothing before
    /// ``RegistrationPlugin/registrationAttached()``.
    public func reportRegistration(_ state: PluginRegistration, reason: PluginFailure? = nil) {
        registration.current?.report(state, reason: reason)
    }

    /// Reports everything that is known of the device's condition.
    public func reportPower(_ report: PowerReport) { power.current?.report(report) }

    /// Reports a gesture of the wearer.
    public func reportInput(_ report: InputReport) { input.current?.report(report) }

    func complete(_ request: glasses_request_id, _ failure: PluginFailure?) {
        let detail = failure?.json.text
        gate.pass {
            table.on_completed(context.pointer, request, failure?.result ?? glasses_result(GLASSES_OK), detail)
        }
    }

    private func report(_ state: Int, _ detail: PluginJSON) {
        let text = detail.text
        gate.pass { table.on_state(context.pointer, glasses_device_state(state), text) }
    }
}

/// The host's own pointer.
struct HostContext: @unchecked Sendable {
    // because the kit only passes it back to the host, which owns it and allows [any]
    let pointer: UnsafeMutableRawPointer?
    init(_ pointer: UnsafeMutableRawPointer?) { self.pointer = pointer }
}
