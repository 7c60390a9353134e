import Foundation

/// Why an app could not be registered.
public enum RegistrationError: Int, DatError, CaseIterable {
    /// The glasses trust the app already.
    case alreadyRegistered = 0
    /// A key of the configuration is missing or wrong; ``Wearables/configurationProblems`` names it.
    case configurationInvalid = 1
    /// There is no companion app that could ask the person.
    case metaAINotInstalled
    /// There is no network.
    case networkUnavailable
    /// The person did not answer within a minute; an answer that comes later still counts.
    case timeout
    /// The companion refused; ``WearablesReadiness/lastRefusals`` has its reason.
    case unknown

    /// The name of the versions up to 0.3.
    @available(*, deprecated, renamed: "unknown")
    public static var failedToRegister: RegistrationError { .unknown }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .alreadyRegistered: "The app is registered already."
        case .configurationInvalid:
            "The app's configuration does not allow a registration: Wearables.configurationProblems names the key."
        case .metaAINotInstalled:
            "There is no companion app that could ask for the registration: install or connect it."
        case .networkUnavailable: "There is no network: connect to the internet and try again."
        case .timeout: "The registration was not answered in time: confirm it in the companion app, or try again."
        case .unknown:
            "The companion app refused the registration: check Developer Mode or the release channel, and try again."
        }
    }

    /// Whether the same call may succeed later without a change of the app or its configuration.
    public var isRetryable: Bool {
        switch self {
        case .alreadyRegistered, .configurationInvalid: false
        case .metaAINotInstalled, .networkUnavailable, .timeout, .unknown: true
        }
    }

    /// The error that tells a refusal by the person or the companion.
    init(answer refusal: Refusal) {
        switch refusal.check {
        case .configuration: self = .configurationInvalid
        case .network: self = .networkUnavailable
        case .timeout: self = .timeout
        default: self = .unknown
        }
    }

    /// The error that tells that nobody can be asked.
    init(unreachable refusal: Refusal) {
        switch refusal.check {
        case .configuration: self = .configurationInvalid
        case .network: self = .networkUnavailable
        default: self = .metaAINotInstalled
        }
    }
}

/// Why an app's registration could not be removed.
public enum UnregistrationError: Int, DatError, CaseIterable {
    /// The app is not registered.
    case alreadyUnregistered = 0
    /// A key of the configuration is missing or wrong; ``Wearables/configurationProblems`` names it.
    case configurationInvalid = 1
    /// There is no companion app that could be asked.
    case metaAINotInstalled
    /// There was no answer within a minute; an answer that comes later still counts.
    case timeout
    /// The companion refused; ``WearablesReadiness/lastRefusals`` has its reason.
    case unknown

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .alreadyUnregistered: "The app is not registered."
        case .configurationInvalid:
            "The app's configuration does not allow an unregistration: Wearables.configurationProblems names the key."
        case .metaAINotInstalled: "There is no companion app that could remove the registration: install or connect it."
        case .timeout: "The unregistration was not answered in time: confirm it in the companion app, or try again."
        case .unknown: "The companion app refused the unregistration: try again."
        }
    }

    /// Whether the same call may succeed later without a change of the app or its configuration.
    public var isRetryable: Bool {
        switch self {
        case .alreadyUnregistered, .configurationInvalid: false
        case .metaAINotInstalled, .timeout, .unknown: true
        }
    }

    init(answer refusal: Refusal) {
        switch refusal.check {
        case .configuration: self = .configurationInvalid
        case .timeout: self = .timeout
        default: self = .unknown
        }
    }
}

/// Why a ``RegistrationRequest`` could not be answered.
public enum RegistrationRequestError: Int, DatError, CaseIterable {
    /// It has been answered before.
    case alreadyAnswered
    /// It was not answered within a minute, or the companion took it back.
    case expired
    /// The registration that it began failed; ``WearablesReadiness/lastRefusals`` has the reason.
    case registrationFailed

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .alreadyAnswered: "The registration request has been answered already."
        case .expired:
            "The registration request is no longer open: start the registration from the companion app again."
        case .registrationFailed: "The registration did not succeed: start it again."
        }
    }
}
