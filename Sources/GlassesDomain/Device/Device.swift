/// The stable name of a device within its transport.
public typealias DeviceId = String

/// What a connected device says of itself.
public struct DeviceInfo: Identifiable, Sendable, Hashable {
    /// The stable name.
    public var id: DeviceId
    /// The model's name for people.
    public var modelName: String
    /// The firmware's version; empty when the device does not tell.
    public var firmwareVersion: String
    /// The kind of device.
    public var deviceType: DeviceType
    /// The vendor's token, such as `meta` or `system_audio`.
    public var vendor: String
    /// The model's id on the wire, such as `rayban_meta`.
    public var modelId: String?

    /// A device with the given facts.
    public init(
        id: DeviceId, modelName: String, firmwareVersion: String, deviceType: DeviceType, vendor: String,
        modelId: String? = nil
    ) {
        self.id = id
        self.modelName = modelName
        self.firmwareVersion = firmwareVersion
        self.deviceType = deviceType
        self.vendor = vendor
        self.modelId = modelId
    }
}

/// The kinds of device that apps tell apart.
public enum DeviceType: String, Sendable, Hashable, CaseIterable {
    case metaRayban
    case metaRaybanDisplay
    case oakleyMetaHstn
    case oakleyMetaVanguard
    case raybanMetaOptics
    case metaGlasses
    case metaOrion
    case androidXrAudioGlasses
    case androidXrDisplayGlasses
    case unknown
}

/// What a device has.
public struct DeviceCapabilitySet: Sendable, Hashable {
    /// Whether a camera call can succeed.
    public var camera: Bool
    /// Whether there is a microphone.
    public var microphone: Bool
    /// Whether there is a loudspeaker.
    public var speaker: Bool
    /// Whether there is a display.
    public var display: Bool

    /// A set of capabilities.
    public init(camera: Bool, microphone: Bool, speaker: Bool, display: Bool) {
        self.camera = camera
        self.microphone = microphone
        self.speaker = speaker
        self.display = display
    }
}

/// What an app says that it uses.
public enum DeclaredCapability: Sendable, Hashable {
    case camera
    case microphone
    case speaker
    case location
    case notifications
    case display
    case custom(name: String)

    /// The id on the wire: the case's name, or the custom name.
    public var wireId: String {
        switch self {
        case .camera: "camera"
        case .microphone: "microphone"
        case .speaker: "speaker"
        case .location: "location"
        case .notifications: "notifications"
        case .display: "display"
        case .custom(let name): name
        }
    }
}
