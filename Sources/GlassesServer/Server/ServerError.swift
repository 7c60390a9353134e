import GlassesDomain
import Glibc

/// Why a server did not start.
public struct ServerError: ExtentosErrorDescription, Sendable, Hashable {
    /// The machine-readable cause, such as `address_in_use` or `tls_key_exposed`.
    public let code: String
    /// One sentence with the next step.
    public let message: String

    /// The caller has to act: every cause is in the configuration or on this machine.
    public var blame: Blame { .local }
    /// The sentence.
    public var description: String { message }

    init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ServerError {
    /// A refusal of the operating system, with its reason.
    static func system(_ code: String, _ what: String) -> ServerError {
        ServerError(
            code,
            "The system has \(what): \(String(cString: strerror(errno))). Check the limits of open files and memory.")
    }
}
