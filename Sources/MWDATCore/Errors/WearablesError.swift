import Foundation

/// Why ``Wearables/configure()`` refused.
public enum WearablesError: Int, DatError, CaseIterable {
    /// The configuration could not be read.
    case internalError
    /// The toolkit is configured already; the earlier configuration stays.
    case alreadyConfigured
    /// A key is missing or wrong: ``Wearables/configurationProblems`` names each.
    case configurationError

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .internalError: "The configuration could not be read: check the file's permissions and format."
        case .alreadyConfigured: "The toolkit is configured already: call configure() once, when the app starts."
        case .configurationError:
            "A key of the configuration is missing or wrong: Wearables.configurationProblems names each of them."
        }
    }
}

/// Why a URL of the companion could not be used.
public enum WearablesHandleURLError: Int, DatError, CaseIterable {
    /// It answers a registration that nobody asked for, or says that it failed.
    case registrationError
    /// It answers an unregistration that nobody asked for, or says that it failed.
    case unregistrationError

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .registrationError:
            "The companion's answer does not complete a registration: start the registration again."
        case .unregistrationError: "The companion's answer does not complete an unregistration: start it again."
        }
    }
}
