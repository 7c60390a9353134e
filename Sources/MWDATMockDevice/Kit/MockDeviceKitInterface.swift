import MWDATCore

/// What a mock device kit offers. Any thread; every call returns at once, but for those that wait for an end.
public protocol MockDeviceKitInterface: Sendable {
    /// Whether the kit is enabled.
    var isEnabled: Bool { get }
    /// The paired glasses in the order of pairing; empty while the kit is disabled.
    var pairedDevices: [any MockDevice] { get }
    /// What the simulated person allows.
    var permissions: any MockPermissions { get }

    /// Replaces the link to glasses by a simulated one, and configures the toolkit when that has not happened.
    ///
    /// A kit that is enabled already is disabled first: its glasses are unpaired, its sessions end, faults and behavior are those of the
    /// beginning.
    func enable(config: MockDeviceKitConfig)
    /// Unpairs all glasses, ends their sessions and the test server, and takes the simulated link away; returns at once, the rest follows.
    func disable()
    /// As the `disable()` that does not wait; returns when all of it has ended.
    func disable() async

    /// Pairs new glasses: off, folded and not worn. Any number may be paired; the vendor's tools show three.
    ///
    /// - Throws: `notEnabled`.
    func pairGlasses(model: GlassesModel) throws(MockDeviceKitError) -> any MockGlasses
    /// Unpairs glasses and ends their session; does nothing for glasses that are not paired.
    func unpairDevice(_ device: any MockDevice)
    /// As ``unpairDevice(_:)-(MockDevice)``; returns when the session has ended.
    func unpairDevice(_ device: any MockDevice) async

    /// Starts the test server on a free port, and writes the port to a file (mode 0600), where `MockDeviceTestClient` and
    /// `glasses mock` find it. A server that runs is stopped first. Returns the port.
    ///
    /// The file is `portFilePath`, or with nil the one that `MWDAT_TEST_SERVER_PORT_FILE` names, or `mwdat-test-server.port` in
    /// `$XDG_RUNTIME_DIR` or the folder for temporary files. Beside it, with `.token` appended, is the secret that requests need.
    /// - Throws: `testServerUnavailable`.
    func startTestServer(portFilePath: String?) async throws -> UInt16
    /// As ``startTestServer(portFilePath:)``, on the given port; 0 is a free one.
    func startTestServer(port: UInt16, portFilePath: String?) async throws -> UInt16
    /// Stops the test server and removes its files; does nothing without one.
    func stopTestServer()

    /// What goes wrong. An addition to the vendor's API; without any until it is set.
    var faults: MockFaults { get nonmutating set }
    /// Which version's behaviour is simulated. An addition to the vendor's API; the newest until it is set.
    var behavior: MockBehavior { get nonmutating set }
    /// The glasses forget the app, as after another app has registered: its session ends, and it has to register again. An addition to
    /// the vendor's API.
    func dropTrust()
    /// The socket at which a plugin in another process reaches the kit; nil while it is disabled. An addition to the vendor's API.
    var mockLinkPath: String? { get }
}

extension MockDeviceKitInterface {
    /// Enables the kit: registered, with all permissions.
    public func enable() { enable(config: MockDeviceKitConfig()) }

    /// Pairs new Ray-Ban Meta glasses, and enables the kit when it is not.
    @available(*, deprecated, renamed: "pairGlasses(model:)")
    public func pairRaybanMeta() -> any MockGlasses {
        while true {
            if !isEnabled { enable() }
            // Another thread may disable the kit between the two calls.
            do throws(MockDeviceKitError) { return try pairGlasses(model: .rayBanMeta) } catch { continue }
        }
    }
}
