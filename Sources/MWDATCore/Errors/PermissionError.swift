import Foundation

/// Why a permission could not be told or asked for. That the person denied it is an answer, not an error.
public enum PermissionError: Int, DatError, CaseIterable {
    /// No glasses are known, or the app is not registered.
    case noDevice
    /// Glasses are known, but none can be reached.
    case noDeviceWithConnection
    /// The connection failed before the answer came.
    case connectionError
    /// There is no companion app that could ask the person.
    case metaAINotInstalled
    /// Another request is open: wait for its answer.
    case requestInProgress
    /// There was no answer in time; one that comes later is remembered for the next request.
    case requestTimeout
    /// The companion refused; ``WearablesReadiness/lastRefusals`` has its reason.
    case internalError

    /// The name of the first versions.
    @available(*, deprecated, renamed: "metaAINotInstalled")
    public static var companionAppNotInstalled: PermissionError { .metaAINotInstalled }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .noDevice: "No glasses are known to the app: register it, and pair glasses in the companion app."
        case .noDeviceWithConnection: "No glasses can be reached: switch them on, unfold them and bring them near."
        case .connectionError: "The connection failed before the permission was answered: try again."
        case .metaAINotInstalled: "There is no companion app that could ask for the permission: install or connect it."
        case .requestInProgress: "Another permission request is open: answer it in the companion app first."
        case .requestTimeout:
            "The permission request was not answered in time: answer it in the companion app, or try again."
        case .internalError: "The companion app could not answer: try again."
        }
    }

    init(_ refusal: Refusal) {
        switch refusal.check {
        case .notFound, .trust: self = .noDevice
        case .link, .power, .hinges: self = .noDeviceWithConnection
        case .transport, .network: self = .connectionError
        case .companion: self = .metaAINotInstalled
        case .occupied: self = .requestInProgress
        case .timeout: self = .requestTimeout
        default: self = .internalError
        }
    }
}
