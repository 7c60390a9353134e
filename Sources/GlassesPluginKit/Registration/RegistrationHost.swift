import CGlassesPlugin

/// The host's side of a registration.
struct RegistrationHost: Sendable {
    private let table: glasses_registration_host
    private let context: HostContext
    private let gate: CallbackGate

    init(table: glasses_registration_host, gate: CallbackGate) {
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    func report(_ state: PluginRegistration, reason: PluginFailure?) {
        let detail = reason?.json.text
        gate.pass { table.on_registration(context.pointer, state.c, detail) }
    }

    func answer(_ request: glasses_request_id, isGranted: Bool) {
        gate.pass { table.on_permission(context.pointer, request, isGranted ? 1 : 0) }
    }

    func answer(_ request: glasses_request_id, isHandled: Bool) {
        gate.pass { table.on_url(context.pointer, request, isHandled ? 1 : 0) }
    }
}

extension PluginRegistration {
    var c: glasses_registration_state {
        let value =
            switch self {
            case .unavailable: GLASSES_REGISTRATION_UNAVAILABLE
            case .available: GLASSES_REGISTRATION_AVAILABLE
            case .registering: GLASSES_REGISTRATION_REGISTERING
            case .registered: GLASSES_REGISTRATION_REGISTERED
            }
        return glasses_registration_state(value)
    }
}

extension PluginPermission {
    /// The ABI's number; throws `INVALID` for one that this kit does not know.
    init(c number: glasses_permission) throws(PluginFailure) {
        switch Int(number) {
        case GLASSES_PERMISSION_CAMERA: self = .camera
        case GLASSES_PERMISSION_MICROPHONE: self = .microphone
        default: throw .invalid("unknown_permission", "The plugin knows no such permission; update it.")
        }
    }
}
