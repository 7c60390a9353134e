/// How far the app's registration with the vendor's companion is.
public enum DeviceRegistration: String, Sendable, Hashable, CaseIterable {
    /// There is no companion, or no way to it.
    case unavailable
    /// The app can register.
    case available
    /// The person is being asked.
    case registering
    /// The companion trusts the app.
    case registered
}

/// What a wearer allows in the vendor's companion.
public enum DevicePermission: String, Sendable, Hashable, CaseIterable {
    case camera
    case microphone
}

/// A transport whose vendor has apps registered and asks the wearer for permissions.
public protocol RegistrationPort: AnyObject, Sendable {
    /// The state that was told last; waits for the first one, 3 s at most, and answers `unavailable` without one.
    func state() async -> DeviceRegistration
    /// Registers the app, which a person confirms; ends within 90 s. Succeeds at once where it is registered.
    func register() async -> ExtentosResult<Void, ConnectError>
    /// Takes the registration back; ends within 90 s.
    func unregister() async -> ExtentosResult<Void, ConnectError>
    /// Whether something is allowed, without asking anybody; ends within 8 s.
    func check(_ permission: DevicePermission) async -> ExtentosResult<Bool, ConnectError>
    /// Asks the person, unless it is allowed already; ends within 90 s. A person who says no is no error.
    func request(_ permission: DevicePermission) async -> ExtentosResult<Bool, ConnectError>
}
