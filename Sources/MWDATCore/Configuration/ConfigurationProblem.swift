/// A key of the configuration that is missing or wrong.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// What it prevents.
    public enum Severity: String, CaseIterable, Sendable {
        /// `configure()` refuses.
        case preventsUse
        /// `startRegistration()` refuses.
        case preventsRegistration
        /// It works here, but not with the vendor's SDK on a phone.
        case onPhonesOnly
    }

    /// The key's path, such as `MWDAT.AppLinkURLScheme`.
    public let key: String
    /// What it prevents.
    public let severity: Severity
    /// A sentence for a person: what is wrong and what to write. It does not hold the key's value.
    public let message: String

    /// A problem with the given values.
    public init(key: String, severity: Severity, message: String) {
        self.key = key
        self.severity = severity
        self.message = message
    }

    /// The key and the sentence.
    public var description: String { "\(key): \(message)" }
}
