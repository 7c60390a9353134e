import Glibc

/// Why the promises could not be tried at all.
public enum ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The program that tries a case is missing.
    case validatorMissing
    /// A process or a pipe could not be made; the number is the system's `errno`.
    case notStarted(Int32)
    /// There is no case of this name.
    case unknownCase(String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .validatorMissing: "validator_missing"
        case .notStarted: "validator_not_started"
        case .unknownCase: "unknown_case"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .validatorMissing:
            "The program \(ValidatorMain.programName) was not found beside this one. Build or install it there."
        case .notStarted(let number):
            "A process for the plugin could not be started: \(String(cString: strerror(number))). Try again."
        case .unknownCase(let name):
            "There is no promise \"\(name)\"; `glasses plugins validate --help` says how to list them."
        }
    }
}
