/// A transport whose app registers with a vendor's companion, and whose wearer allows things there.
///
/// The companion answers by opening a URL of the app, which comes in ``handleURL(_:)``. None of these needs a connection, and none
/// waits: start the work and end the request later.
public protocol RegistrationPlugin: TransportPlugin {
    /// The host listens from now on: report the state by ``TransportHost/reportRegistration(_:reason:)`` within 3 s, and then each
    /// change. Called once, after ``TransportPlugin/activate()``.
    func registrationAttached()
    /// Registers the app: complete `request` when it is registered, at once where it is already, or fail it, within 90 s.
    /// Fail it with `BUSY` while another one is open.
    func registerApp(_ request: PluginRequest) throws(PluginFailure)
    /// Takes the registration back: complete `request` when there is none, or fail it, within 90 s.
    func unregisterApp(_ request: PluginRequest) throws(PluginFailure)
    /// Tells a permission without asking anybody: answer `request` within 8 s.
    func checkPermission(_ request: PermissionRequest) throws(PluginFailure)
    /// Asks the person, unless it is granted already: answer `request` within 90 s. Throw `BUSY` while another one is open.
    func requestPermission(_ request: PermissionRequest) throws(PluginFailure)
    /// Takes a URL that the app was opened with: answer `url` within 8 s whether it was the companion's.
    func handleURL(_ url: OpenedURL) throws(PluginFailure)
}

/// How far the app's registration with the companion is.
public enum PluginRegistration: Sendable, Hashable, CaseIterable {
    /// There is no companion, or no way to it.
    case unavailable
    /// The app can register.
    case available
    /// The person is being asked.
    case registering
    /// The companion trusts the app.
    case registered
}

/// What a wearer can allow.
public enum PluginPermission: Sendable, Hashable, CaseIterable {
    case camera
    case microphone
}
