import CGlassesPlugin
import GlassesDomain

extension DeviceInfo {
    /// A device as the ABI tells it; nil without a text for its id.
    init?(facts: JSONValue?) {
        guard let id = facts?["id"]?.stringValue, !id.isEmpty else { return nil }
        self.init(
            id: id, modelName: facts?["modelName"]?.stringValue ?? id,
            firmwareVersion: facts?["firmwareVersion"]?.stringValue ?? "",
            deviceType: facts?["deviceType"]?.stringValue.flatMap(DeviceType.init(rawValue:)) ?? .unknown,
            vendor: facts?["vendor"]?.stringValue ?? "unknown", modelId: facts?["modelId"]?.stringValue)
    }
}

extension DeviceCapabilitySet {
    /// Capabilities as the ABI tells them; what is not told is absent.
    init(facts: JSONValue?) {
        self.init(
            camera: facts?["camera"]?.boolValue ?? false, microphone: facts?["microphone"]?.boolValue ?? false,
            speaker: facts?["speaker"]?.boolValue ?? false, display: facts?["display"]?.boolValue ?? false)
    }
}

extension TransportFacts {
    /// Rates that PCM devices have; anything else is a mistake that would break every computation behind it.
    static let plausibleRates = 4_000...384_000

    /// The facts of a plugin's describe; throws the name of the member that is absent or wrong.
    init(plugin: String, json: JSONValue, extensions: TransportExtensions) throws(WrongFact) {
        guard let name = json["name"]?.stringValue, !name.isEmpty else { throw WrongFact(member: "name") }
        guard let device = DeviceInfo(facts: json["device"]) else { throw WrongFact(member: "device") }
        let microphoneRate = try Self.rate(json, "microphoneRate", isNeeded: extensions.contains(.microphone))
        let speakerRate = try Self.rate(json, "speakerRate", isNeeded: extensions.contains(.speaker))
        var capabilities = DeviceCapabilitySet(facts: json["capabilities"])
        // What the plugin cannot do, it does not have, whatever it says.
        capabilities.microphone = extensions.contains(.microphone)
        capabilities.speaker = extensions.contains(.speaker)
        capabilities.camera = extensions.contains(.camera)
        capabilities.display = extensions.contains(.display)
        self.init(
            id: plugin, name: name, device: device, capabilities: capabilities, microphoneRate: microphoneRate,
            speakerRate: speakerRate,
            camera: extensions.contains(.camera) ? try CameraFacts(json: json["camera"]) : nil,
            panel: extensions.contains(.display) ? try PanelGeometry(json: json["display"]) : nil,
            hasRegistration: extensions.contains(.registration), details: Self.details(json))
    }

    /// The members that have no field of their own.
    private static func details(_ json: JSONValue) -> [String: JSONValue] {
        let known: Set = ["name", "device", "capabilities", "microphoneRate", "speakerRate", "camera", "display"]
        return (json.objectValue ?? [:]).filter { !known.contains($0.key) }
    }

    private static func rate(_ json: JSONValue, _ key: String, isNeeded: Bool) throws(WrongFact) -> Int? {
        guard isNeeded else { return nil }
        guard let rate = json[key]?.intValue.flatMap({ Int(exactly: $0) }), plausibleRates.contains(rate) else {
            throw WrongFact(member: key)
        }
        return rate
    }
}

/// A member of a description that is absent or wrong.
struct WrongFact: Error, Sendable, Hashable {
    var member: String
}

extension GlassesState {
    /// The state that a plugin reports; nil for one that this host does not know. A missing device is `fallback`.
    init?(c state: glasses_device_state, detail: JSONValue?, fallback: DeviceInfo) {
        let device = DeviceInfo(facts: detail) ?? fallback
        switch Int(state) {
        case GLASSES_DEVICE_DISCONNECTED: self = .disconnected(cause: DisconnectCause(detail: detail))
        case GLASSES_DEVICE_DISCOVERED: self = .deviceDiscovered(deviceId: device.id)
        case GLASSES_DEVICE_CONNECTING: self = .connecting(deviceId: device.id)
        case GLASSES_DEVICE_CONNECTED: self = .active(state: .connected(device: device, camera: .ready))
        default: return nil
        }
    }
}

extension DisconnectCause {
    /// The cause that a plugin names; one without a known name counts as a lost device.
    init(detail: JSONValue?) {
        switch detail?["cause"]?.stringValue {
        case "user_requested": self = .userRequested
        case "hinges_closed": self = .hingesClosed
        case "thermal_critical": self = .thermalCritical
        case "failure":
            self = .transportFailure(
                cause: .platformError(
                    code: detail?["code"]?.stringValue ?? "plugin_failed",
                    message: detail?["message"]?.stringValue ?? "The device failed. Connect again."))
        default: self = .deviceDroppedConnection
        }
    }
}

extension ConnectError {
    /// A failed connect, in the plugin's own words where it gave some.
    init(_ failure: PluginFailureReport) {
        switch (failure.result, failure.code) {
        case (.denied, "registration_required"): self = .registrationRequired
        case (.denied, _): self = .permissionDenied
        case (_, "no_device_available"): self = .noDeviceAvailable
        default: self = .transportFailure(code: failure.code, message: failure.message)
        }
    }
}

extension AudioError {
    /// A failed start of a stream, in the plugin's own words where it gave some.
    init(_ failure: PluginFailureReport) {
        switch failure.result {
        case .denied: self = .permissionDenied
        case .wrongState: self = .notConnected
        default: self = .platformError(code: failure.code, message: failure.message)
        }
    }
}
