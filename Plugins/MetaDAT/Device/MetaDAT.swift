public import GlassesPluginKit
import MWDATBridge
import MWDATCore
import Synchronization

/// The transport `org.extentos.meta-dat`: glasses behind the Wearables Device Access Toolkit, with their camera, their display, the app's
/// registration, and what they and their wearer report.
///
/// Their sound goes through the operating system, so this transport has none.
public final class MetaDAT: CameraPlugin, DisplayPlugin, RegistrationPlugin, PowerPlugin, InputPlugin {
    private let settings: MetaSettings
    private let host: TransportHost
    private let wearables: any WearablesInterface
    private let bridge: DATBridge?
    private let glasses: GlassesDriver
    private let camera: GlassesCamera
    private let display: GlassesDisplay
    private let registration: GlassesRegistration
    private let facts = Mutex<TransportDescription?>(nil)

    /// An instance; a process has one toolkit, so the link of the first instance serves later ones too.
    public init(settings: PluginSettings, host: TransportHost) throws(PluginFailure) {
        self.settings = try MetaSettings(settings)
        self.host = host
        (wearables, bridge) = try Toolkit.open(self.settings, host)
        let glasses = GlassesDriver(wearables, host: host)
        self.glasses = glasses
        let isConnected: @Sendable () -> Bool = { glasses.isConnected }
        camera = GlassesCamera(glasses.sessions, host: host, isConnected: isConnected)
        display = GlassesDisplay(glasses.sessions, host: host, isConnected: isConnected)
        registration = GlassesRegistration(wearables, host: host)
        glasses.whenReleased { [camera, display] in
            camera.release()
            display.release()
        }
    }

    /// Waits a moment for the glasses that the companion knows: only they tell whether there is a display.
    public func activate() throws(PluginFailure) {
        if settings.hasWay { Toolkit.waitForGlasses() }
        let known = glasses.knownDevices
        let device = known.first { $0.linkState == .connected } ?? known.first
        var description = TransportDescription(
            name: "Meta glasses", device: device.map { PluginDevice($0) } ?? .unknownGlasses)
        description.camera = CameraModes.description
        if settings.hasDisplay ?? known.contains(where: { $0.supportsDisplay() }) {
            description.display = GlassesDisplay.description
        }
        facts.withLock { $0 = description }
    }

    /// The facts, found out by ``activate()``.
    public var description: TransportDescription {
        facts.withLock { $0 } ?? TransportDescription(name: "Meta glasses", device: .unknownGlasses)
    }

    /// Connects to glasses that can be used, worn ones first; waits 9 s for some.
    public func connect(_ request: PluginRequest, deviceId: String?) throws(PluginFailure) {
        guard settings.hasWay else { throw .noLink }
        switch wearables.registrationState {
        case .available, .registering: request.fail(.notRegistered)
        // Unavailable: the link may be there in a moment.
        case .registered, .unavailable: try glasses.connect(request, to: deviceId)
        }
    }

    /// Ends the session and disconnects.
    public func disconnect(_ request: PluginRequest) throws(PluginFailure) { try glasses.disconnect(request) }

    /// Ends everything.
    public func shutdown() {
        camera.release()
        display.release()
        registration.shutdown()
        glasses.shutdown()
        bridge?.stop()
    }

    // MARK: Camera

    /// Begins a stream in the session.
    public func startCamera(
        _ request: PluginRequest, configuration: CameraConfiguration, ring: VideoRing
    ) throws(PluginFailure) { try camera.start(request, configuration, ring) }

    /// Ends the stream.
    public func stopCamera(_ request: PluginRequest) throws(PluginFailure) { try camera.stop(request) }

    /// Takes a still from the stream, or from one of its own.
    public func takePhoto(_ request: PhotoRequest) throws(PluginFailure) { try camera.takePhoto(request) }

    // MARK: Display

    /// Shows a tree.
    public func show(_ tree: PluginJSON, request: PluginRequest) throws(PluginFailure) {
        try display.show(tree, request)
    }

    /// Blanks the panel.
    public func clearDisplay(_ request: PluginRequest) throws(PluginFailure) { try display.show(nil, request) }

    // MARK: Registration

    /// Reports the registration's state from now on.
    public func registrationAttached() { registration.report() }

    /// Asks the companion to register the app.
    public func registerApp(_ request: PluginRequest) throws(PluginFailure) { registration.register(request) }

    /// Asks the companion to forget the app.
    public func unregisterApp(_ request: PluginRequest) throws(PluginFailure) { registration.unregister(request) }

    /// Tells what the wearer allows.
    public func checkPermission(_ request: PermissionRequest) throws(PluginFailure) { registration.check(request) }

    /// Asks the wearer.
    public func requestPermission(_ request: PermissionRequest) throws(PluginFailure) {
        try registration.request(request)
    }

    /// Takes a URL of the companion's.
    public func handleURL(_ url: OpenedURL) throws(PluginFailure) { registration.open(url) }
}
