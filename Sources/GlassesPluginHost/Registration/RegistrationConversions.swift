import CGlassesPlugin
import GlassesDomain

extension DeviceRegistration {
    /// A state of the ABI; nil for one that this host does not know.
    init?(c state: glasses_registration_state) {
        switch Int(state) {
        case GLASSES_REGISTRATION_UNAVAILABLE: self = .unavailable
        case GLASSES_REGISTRATION_AVAILABLE: self = .available
        case GLASSES_REGISTRATION_REGISTERING: self = .registering
        case GLASSES_REGISTRATION_REGISTERED: self = .registered
        default: return nil
        }
    }
}

extension DevicePermission {
    /// The ABI's number.
    var c: glasses_permission {
        switch self {
        case .camera: glasses_permission(GLASSES_PERMISSION_CAMERA)
        case .microphone: glasses_permission(GLASSES_PERMISSION_MICROPHONE)
        }
    }
}

extension DevicePower {
    /// What a plugin tells; throws the name of a member that is not what the ABI says.
    init(json: JSONValue) throws(WrongFact) {
        self.init(
            battery: try Self.member(json, "battery") { value in
                value.intValue.flatMap { Int(exactly: $0) }.flatMap { (0...100).contains($0) ? $0 : nil }
            },
            charging: try Self.member(json, "charging") { $0.stringValue.flatMap(Charging.init(rawValue:)) },
            thermal: try Self.member(json, "thermal") { $0.stringValue.flatMap(Thermal.init(rawValue:)) },
            hinges: try Self.member(json, "hinges") { $0.stringValue.flatMap(Hinges.init(rawValue:)) },
            isWorn: try Self.member(json, "worn") { $0.boolValue })
    }

    private static func member<T>(
        _ json: JSONValue, _ key: String, _ read: (JSONValue) -> T?
    ) throws(WrongFact) -> T? {
        guard let value = json[key], !value.isNull else { return nil }
        guard let read = read(value) else { throw WrongFact(member: key) }
        return read
    }
}

extension DeviceInput.Gesture {
    /// A gesture of the ABI; nil for one that this host does not know.
    init?(c gesture: glasses_gesture) {
        switch Int(gesture) {
        case GLASSES_GESTURE_TAP: self = .tap
        case GLASSES_GESTURE_DOUBLE_TAP: self = .doubleTap
        case GLASSES_GESTURE_HOLD: self = .hold
        case GLASSES_GESTURE_SWIPE_FORWARD: self = .swipeForward
        case GLASSES_GESTURE_SWIPE_BACK: self = .swipeBack
        default: return nil
        }
    }
}
