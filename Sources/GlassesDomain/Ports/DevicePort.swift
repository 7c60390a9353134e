/// What a transport is and can do; read once after it was loaded.
public struct TransportFacts: Sendable, Hashable {
    /// The plugin id, such as `org.extentos.system-device`.
    public var id: String
    /// The name that a person reads.
    public var name: String
    /// The device behind the transport.
    public var device: DeviceInfo
    /// What the device has.
    public var capabilities: DeviceCapabilitySet
    /// Frames per second of ``MicrophonePort`` blocks; nil without a microphone.
    public var microphoneRate: Int?
    /// Frames per second that ``SpeakerPort`` takes; nil without a loudspeaker.
    public var speakerRate: Int?
    /// What the camera can do; nil without one.
    public var camera: CameraFacts?
    /// The display's panel; nil without one.
    public var panel: PanelGeometry?
    /// Whether the vendor has apps registered.
    public var hasRegistration: Bool
    /// Everything else that the plugin says of itself, such as the microphones and loudspeakers that can be chosen.
    public var details: [String: JSONValue]

    /// Facts with the given values.
    public init(
        id: String, name: String, device: DeviceInfo, capabilities: DeviceCapabilitySet,
        microphoneRate: Int?, speakerRate: Int?, camera: CameraFacts? = nil, panel: PanelGeometry? = nil,
        hasRegistration: Bool = false, details: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.name = name
        self.device = device
        self.capabilities = capabilities
        self.microphoneRate = microphoneRate
        self.speakerRate = speakerRate
        self.camera = camera
        self.panel = panel
        self.hasRegistration = hasRegistration
        self.details = details
    }
}

/// What a transport reports by itself, in order.
public enum TransportEvent: Sendable {
    /// The connection to the device changed.
    case stateChanged(GlassesState)
    /// Something failed that did not change the state; the transport goes on or recovers by itself.
    case errorEvent(TransportError)
    /// The app's registration changed, with the sentence that tells why it was refused or taken back.
    case registrationChanged(DeviceRegistration, reason: String?)
    /// Everything that is known of the device's condition now.
    case powerChanged(DevicePower)
    /// The wearer made a gesture.
    case inputReceived(DeviceInput)
    /// The device, or its companion, lets the app in once a person has typed this code into it.
    case pairingCodeShown(PairingCode)
}

/// A loaded device transport. Everything returns at once or has a bound; no call traps.
public protocol GlassesTransport: AnyObject, Sendable {
    /// What the transport is and can do.
    var facts: TransportFacts { get }
    /// Events since the transport was loaded; one consumer, newest 256 kept. It finishes with ``shutdown()``.
    var events: AsyncStream<TransportEvent> { get }
    /// The microphone; nil when the device has none.
    var microphone: (any MicrophonePort)? { get }
    /// The loudspeaker; nil when the device has none.
    var speaker: (any SpeakerPort)? { get }
    /// The camera; nil when the device has none.
    var camera: (any CameraPort)? { get }
    /// The display; nil when the device has none.
    var display: (any DisplayPort)? { get }
    /// The app's registration with the vendor; nil where there is none.
    var registration: (any RegistrationPort)? { get }
    /// Connects within 10 s; `deviceId` nil means the default device.
    func connect(deviceId: DeviceId?) async -> ExtentosResult<DeviceInfo, ConnectError>
    /// Disconnects within 2 s.
    func disconnect() async
    /// Answers a URL that the host app received; false when it was not for this transport.
    func handleUrl(_ url: String) async -> Bool
    /// Ends the transport within 2 s; nothing may be called afterwards.
    func shutdown() async
}

extension GlassesTransport {
    /// No camera.
    public var camera: (any CameraPort)? { nil }
    /// No display.
    public var display: (any DisplayPort)? { nil }
    /// No registration.
    public var registration: (any RegistrationPort)? { nil }
}

/// A device's microphone.
public protocol MicrophonePort: AnyObject, Sendable {
    /// Frames per second of the delivered blocks.
    var sampleRate: Int { get }
    /// Begins capture within 3 s. `sink` is called with blocks of 10–40 ms on the host's reader thread, in time order, until ``close()`` returns.
    func open(_ sink: @escaping @Sendable (PCMBlock) -> Void) async -> ExtentosResult<Void, AudioError>
    /// Ends capture within 1 s; afterwards the device is released and the sink is not called again.
    func close() async
}

/// How much of the written audio has been played.
public struct PlaybackPosition: Sendable, Hashable {
    /// The index in the written stream of the frame that is leaving the loudspeaker; flushed frames count as passed.
    public var frame: Int64
    /// When that was.
    public var time: MonotonicTime
    /// Whether the device is playing, so that the position advances at the nominal rate.
    public var isAdvancing: Bool

    /// A position at a time.
    public init(frame: Int64, time: MonotonicTime, isAdvancing: Bool) {
        self.frame = frame
        self.time = time
        self.isAdvancing = isAdvancing
    }
}

/// A device's loudspeaker: a bounded queue that never drops, and a clock that says what was heard.
public protocol SpeakerPort: AnyObject, Sendable {
    /// Frames per second that ``write(_:)`` takes.
    var sampleRate: Int { get }
    /// Opens the output within 3 s. `onPosition` is called on the host's reader thread about once a device period while audio plays, and once when it stops.
    func open(_ onPosition: @escaping @Sendable (PlaybackPosition) -> Void) async -> ExtentosResult<Void, AudioError>
    /// Takes as many of the samples as fit and returns how many; never blocks. One writer at a time.
    func write(_ samples: ArraySlice<Int16>) -> Int
    /// Frames that ``write(_:)`` would take now.
    var writableFrames: Int { get }
    /// Total frames written since ``open(_:)``.
    var writtenFrames: Int64 { get }
    /// Cuts everything written so far and answers the position at the cut, read from the device before it was cut, or the extrapolated one when the device does not answer in 100 ms. Audio written after this call begins is kept.
    func flush() async -> PlaybackPosition
    /// Closes the output within 1 s.
    func close() async
}
