import GlassesDomain

/// What a transport can be asked for; each ends in one ``TransportReport/completed(_:_:)``.
enum TransportCall: Sendable {
    case connect(DeviceId?)
    case disconnect
    case startMicrophone(RingStream)
    case stopMicrophone
    case startSpeaker(RingStream)
    case stopSpeaker
    case startCamera(VideoStream)
    case stopCamera
    case takePhoto
    /// A tree as JSON in UTF-8.
    case show([UInt8])
    case clearDisplay
    case registerApp
    case unregisterApp
    case checkPermission(DevicePermission)
    case requestPermission(DevicePermission)
    case handleURL(String)

    /// The function of the ABI, for reports.
    var function: String {
        switch self {
        case .connect: "glasses_transport.connect"
        case .disconnect: "glasses_transport.disconnect"
        case .startMicrophone: "glasses_microphone.start"
        case .stopMicrophone: "glasses_microphone.stop"
        case .startSpeaker: "glasses_speaker.start"
        case .stopSpeaker: "glasses_speaker.stop"
        case .startCamera: "glasses_camera.start"
        case .stopCamera: "glasses_camera.stop"
        case .takePhoto: "glasses_camera.take_photo"
        case .show: "glasses_display.show"
        case .clearDisplay: "glasses_display.clear"
        case .registerApp: "glasses_registration.register_app"
        case .unregisterApp: "glasses_registration.unregister_app"
        case .checkPermission: "glasses_registration.check_permission"
        case .requestPermission: "glasses_registration.request_permission"
        case .handleURL: "glasses_registration.handle_url"
        }
    }

    /// How long the whole request may take: the ABI's own bounds, within what the ports promise.
    var limit: Duration {
        switch self {
        case .connect: .seconds(10)
        case .disconnect: .seconds(2)
        case .startMicrophone, .startSpeaker: .seconds(3)
        case .stopMicrophone, .stopSpeaker: .milliseconds(800)
        case .startCamera: .seconds(12)
        case .stopCamera: .seconds(3)
        case .takePhoto: .seconds(10)
        case .show, .clearDisplay: .seconds(2)
        case .registerApp, .unregisterApp, .requestPermission: .seconds(90)
        case .checkPermission, .handleURL: .seconds(8)
        }
    }
}

/// The ring of an open stream, and what its owner does when the plugin behind it dies and is started again.
struct RingStream: Sendable {
    var ring: AudioRingMemory
    /// Called once the plugin cannot touch the ring any more.
    var pluginDied: @Sendable () -> Void
    /// Called before another plugin gets the ring, which starts at position 0 then.
    var pluginRestarts: @Sendable () -> Void
}

/// What a transport tells, in order.
enum TransportReport: Sendable {
    case stateChanged(GlassesState)
    case completed(UInt64, function: String, Result<Void, PluginFailureReport>)
    case told(event: String, details: JSONValue)
    /// The picture of a request, before its completion.
    case still(UInt64, CameraStill)
    case cameraChanged(CameraStreamChange)
    case displayed(DisplayEvent)
    case registration(DeviceRegistration, reason: String?)
    /// The answer to a question about a permission or to a URL, before its completion; the function told it.
    case answered(UInt64, Bool, function: String)
    case power(DevicePower)
    case input(DeviceInput)
    case pairingCode(PairingCode)
}

/// One instance of a transport, wherever its code runs: in this process, or in a child.
///
/// Calls return when they were accepted or refused; nothing waits for a device, and a plugin that hangs delays nobody.
protocol TransportInstance: AnyObject, Sendable {
    /// What the plugin says of itself.
    var facts: TransportFacts { get }
    /// Makes a request after those before it; `answer` tells on a thread of the plugin whether it was accepted.
    func send(
        _ call: TransportCall, id: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void)
    /// Asks the loudspeaker to cut everything before `position`; its ring tells when that was done.
    func flush(_ flush: UInt64, upTo position: Int64)
    /// Ends the instance; no report comes afterwards.
    func destroy() async
}
