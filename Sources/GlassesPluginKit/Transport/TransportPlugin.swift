/// A device transport. The kit makes one instance for each `create` of the host and calls it on [host] unless a member
/// says otherwise; no call may wait for the device: start the work and complete the request later.
///
/// What the transport can do follows from its conformances: ``MicrophonePlugin``, ``SpeakerPlugin``, ``CameraPlugin``,
/// ``DisplayPlugin``, ``RegistrationPlugin``, ``PowerPlugin``, ``InputPlugin``.
public protocol TransportPlugin: AnyObject, Sendable {
    /// An instance with the app's settings; throw `INVALID` for a setting of the wrong kind. Open no device here.
    init(settings: PluginSettings, host: TransportHost) throws(PluginFailure)

    /// Finds out the facts; open no device for streaming. Called once. Default: nothing.
    func activate() throws(PluginFailure)

    /// The facts, constant after ``activate()``; asked for once.
    var description: TransportDescription { get }

    /// Connects to `deviceId`, or to the default device for nil; complete `request` within 10 s.
    /// Default: completes at once and reports `connected`.
    func connect(_ request: PluginRequest, deviceId: String?) throws(PluginFailure)

    /// Ends the streams and disconnects; complete `request` within 2 s. Default: completes at once and reports `disconnected`.
    func disconnect(_ request: PluginRequest) throws(PluginFailure)

    /// Ends everything within 2 s: join or abandon threads. Open requests are completed with `CANCELLED` by the kit.
    /// Default: nothing.
    func shutdown()
}

/// A transport with a microphone. Its [audio] thread writes mono PCM at ``TransportDescription/microphoneRate`` into the
/// ring in blocks of 10 to 40 ms and signals each.
public protocol MicrophonePlugin: TransportPlugin {
    /// Begins capture into `ring`; complete `request` when samples flow or cannot, within 2 s.
    func startMicrophone(_ request: PluginRequest, ring: AudioRing) throws(PluginFailure)
    /// Ends capture and releases the device; the ring must not be touched after the completion. Within 2 s.
    func stopMicrophone(_ request: PluginRequest) throws(PluginFailure)
}

/// A transport with a loudspeaker. Its [audio] thread reads the ring, plays silence while it is empty, publishes the
/// frame that is leaving the loudspeaker each period and signals.
public protocol SpeakerPlugin: TransportPlugin {
    /// Opens the output on `ring`; complete `request` when it plays or cannot, within 2 s.
    func startSpeaker(_ request: PluginRequest, ring: AudioRing) throws(PluginFailure)
    /// Cuts every frame before `position`: the [audio] thread notices within a period, reads the device's delay, drops its
    /// buffer, skips the ring and publishes `flush` with the position before the cut. Later flushes replace earlier ones. [any]
    func flushSpeaker(_ flush: UInt64, upTo position: Int64) throws(PluginFailure)
    /// Closes the output; the ring must not be touched after the completion. Within 2 s.
    func stopSpeaker(_ request: PluginRequest) throws(PluginFailure)
}

/// The facts of a transport.
public struct TransportDescription: Sendable, Hashable {
    /// The name that a person reads.
    public var name: String
    /// The device.
    public var device: PluginDevice
    /// The camera; nil without one.
    public var camera: CameraDescription?
    /// The display; nil without one.
    public var display: DisplayDescription?
    /// Frames per second that the microphone writes; nil without one.
    public var microphoneRate: Int?
    /// Frames per second that the loudspeaker takes; nil without one.
    public var speakerRate: Int?
    /// More facts for people and tools, beside the ABI's own keys. Default none.
    public var details: [String: PluginJSON] = [:]

    /// Facts with the given values.
    public init(name: String, device: PluginDevice, microphoneRate: Int? = nil, speakerRate: Int? = nil) {
        self.name = name
        self.device = device
        self.microphoneRate = microphoneRate
        self.speakerRate = speakerRate
    }

    /// The ABI's object, with `more` capabilities beside those that this value tells.
    func json(more: [String: PluginJSON]) -> PluginJSON {
        let capabilities: [String: PluginJSON] = [
            "camera": .bool(camera != nil), "microphone": .bool(microphoneRate != nil),
            "speaker": .bool(speakerRate != nil), "display": .bool(display != nil),
        ]
        var members: [String: PluginJSON] = [
            "name": .string(name), "device": device.json,
            "capabilities": .object(capabilities.merging(more) { own, _ in own }),
        ]
        if let microphoneRate { members["microphoneRate"] = .number(Double(microphoneRate)) }
        if let camera { members["camera"] = camera.json }
        if let display { members["display"] = display.json }
        if let speakerRate { members["speakerRate"] = .number(Double(speakerRate)) }
        return .object(members.merging(details) { own, _ in own })
    }
}

/// A device as the ABI tells it.
public struct PluginDevice: Sendable, Hashable {
    /// The stable name within the transport.
    public var id: String
    /// The model's name for people.
    public var modelName: String
    /// The firmware's version; empty when the device does not tell.
    public var firmwareVersion: String
    /// The kind of device as a token of the host, such as `unknown` or `metaRayban`.
    public var deviceType: String
    /// The vendor's token, such as `system_audio`.
    public var vendor: String
    /// The model's id on the wire.
    public var modelId: String?

    /// A device with the given facts.
    public init(
        id: String, modelName: String, firmwareVersion: String = "", deviceType: String = "unknown", vendor: String,
        modelId: String? = nil
    ) {
        self.id = id
        self.modelName = modelName
        self.firmwareVersion = firmwareVersion
        self.deviceType = deviceType
        self.vendor = vendor
        self.modelId = modelId
    }

    var json: PluginJSON {
        var members: [String: PluginJSON] = [
            "id": .string(id), "modelName": .string(modelName), "firmwareVersion": .string(firmwareVersion),
            "deviceType": .string(deviceType), "vendor": .string(vendor),
        ]
        if let modelId { members["modelId"] = .string(modelId) }
        return .object(members)
    }
}
