/// How far the app's registration with the glasses' companion is.
public enum RegistrationState: Int, CaseIterable, Sendable, CustomStringConvertible {
    /// Nothing can be registered now: there is no companion or no link to it.
    case unavailable = 0
    /// The app can register.
    case available = 1
    /// The person is being asked.
    case registering = 2
    /// The glasses trust the app.
    case registered = 3

    /// The case's name.
    public var description: String {
        switch self {
        case .unavailable: "unavailable"
        case .available: "available"
        case .registering: "registering"
        case .registered: "registered"
        }
    }
}
