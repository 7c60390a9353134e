import Foundation

/// Registration, permissions, glasses and sessions. ``Wearables/shared`` is the process's; any thread.
public protocol WearablesInterface: Sendable {
    /// How far the app's registration is. For a moment after ``Wearables/configure()`` it may be `unavailable`.
    var registrationState: RegistrationState { get }

    /// Adds a listener of the registration's state; the current one is not told.
    func addRegistrationStateListener(
        _ listener: @escaping @Sendable (RegistrationState) -> Void
    ) -> any AnyListenerToken

    /// The registration's state now and each change after it.
    func registrationStateStream() -> AsyncStream<RegistrationState>

    /// Asks the companion to register the app, and returns at once; the state tells how it goes on, within a minute. While one is
    /// open this does nothing.
    ///
    /// - Throws: why it cannot be asked.
    func startRegistration() throws(RegistrationError)

    /// Asks the companion to register the app, or joins a registration that is open, and returns when the app is registered.
    ///
    /// - Throws: why it is not; after a minute at the latest.
    func startRegistration() async throws(RegistrationError)

    /// Asks the companion to remove the app, and returns at once; the state tells when that is done. Sessions end then.
    ///
    /// - Throws: why it cannot be asked.
    func startUnregistration() throws(UnregistrationError)

    /// Asks the companion to remove the app, and returns when it is removed.
    ///
    /// - Throws: why it is not; after a minute at the latest.
    func startUnregistration() async throws(UnregistrationError)

    /// Takes a URL that the app was opened with. True when it was one of the companion's for this app, false when it is the app's own
    /// business. A ``RegistrationRequest`` in it goes to the listeners of
    /// ``addRegistrationRequestListener(_:)``.
    ///
    /// - Throws: that it says no, or answers nothing that was asked.
    func handleUrl(_ url: URL) async throws(WearablesHandleURLError) -> Bool

    /// The same as ``handleUrl(_:)``; a registration that the companion began is given to `onRegistrationRequest`.
    func handleUrl(
        _ url: URL, onRegistrationRequest: @escaping @Sendable (RegistrationRequest) -> Void
    ) async throws(WearablesHandleURLError) -> Bool

    /// Adds a listener of registrations that the companion begins and that came by no URL, or by ``handleUrl(_:)``. Without one they
    /// are declined after a minute.
    func addRegistrationRequestListener(
        _ listener: @escaping @Sendable (RegistrationRequest) -> Void
    ) -> any AnyListenerToken

    /// The paired glasses, in the companion's order; empty while the app is not registered. Their link may be down.
    var devices: [DeviceIdentifier] { get }

    /// Adds a listener of the set of glasses; the current one is not told.
    func addDevicesListener(_ listener: @escaping @Sendable ([DeviceIdentifier]) -> Void) -> any AnyListenerToken

    /// The set of glasses now and each change after it.
    func devicesStream() -> AsyncStream<[DeviceIdentifier]>

    /// The handle of paired glasses; nil when there are none with that identifier.
    func deviceForIdentifier(_ identifier: DeviceIdentifier) -> Device?

    /// Tells whether something is allowed, without asking the person; within five seconds.
    func checkPermissionStatus(_ permission: Permission) async throws(PermissionError) -> PermissionStatus

    /// Asks the person to allow something, unless that is allowed already; within a minute. `denied` is an answer, not an error.
    func requestPermission(_ permission: Permission) async throws(PermissionError) -> PermissionStatus

    /// Makes a session with the glasses that `deviceSelector` chooses now.
    ///
    /// - Throws: `noEligibleDevice`, with the failed check in ``Wearables/readiness()``; `sessionAlreadyExists` while the glasses have one.
    func createSession(deviceSelector: any DeviceSelector) throws(DeviceSessionError) -> DeviceSession

    /// The same as ``createSession(deviceSelector:)``. With `takingOver` a session that holds the glasses is ended first: one of
    /// this process that was lost track of, and one that a process left on the glasses when it died.
    func createSession(
        deviceSelector: any DeviceSelector, takingOver: Bool
    ) throws(DeviceSessionError) -> DeviceSession

    /// Everything that those glasses report, now and each change after it; it ends at once when there are none.
    func deviceStateStream(for identifier: DeviceIdentifier) -> AsyncStream<DeviceState>

    /// Adds a listener of the state of the session with those glasses, in the words of the first versions.
    func addDeviceSessionStateListener(
        forDeviceId identifier: DeviceIdentifier, listener: @escaping @Sendable (SessionState) -> Void
    ) async -> any AnyListenerToken

    /// The state of the session with those glasses now and each change after it, in the words of the first versions.
    func deviceSessionStateStream(for identifier: DeviceIdentifier) -> AsyncStream<SessionState>

    /// Shows the companion's page that updates the glasses' firmware.
    func openFirmwareUpdate() async throws(NavigationError)

    /// Shows the companion's page that updates the app on the glasses.
    func openDATGlassesAppUpdate() async throws(NavigationError)
}

extension WearablesInterface {
    /// Makes a session with the glasses that `deviceSelector` chooses now, if they have none.
    public func createSession(deviceSelector: any DeviceSelector) throws(DeviceSessionError) -> DeviceSession {
        try createSession(deviceSelector: deviceSelector, takingOver: false)
    }

    /// Tells whether something is allowed.
    @available(*, deprecated, renamed: "checkPermissionStatus(_:)")
    public func isPermissionGranted(_ permission: Permission) async throws(PermissionError) -> Bool {
        try await checkPermissionStatus(permission) == .granted
    }
}
