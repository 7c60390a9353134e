import GlassesDomain
import GlassesServer

/// Why a gateway cannot start.
public struct GatewayError: ExtentosErrorDescription, Sendable, Hashable {
    /// The machine-readable code: `token_required`, `token_invalid`, `file_unreadable`, `file_not_private`,
    /// `upstream_invalid`, or one of `ServerError`, such as `address_in_use`.
    public let code: String
    /// Always the operator's: nothing that a client does keeps a gateway from starting.
    public let blame = Blame.local
    /// One sentence with the next step, without secrets.
    public let message: String

    /// An error with its code and sentence.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    public var description: String { message }
}

extension GatewayError {
    /// The server does not start.
    init(_ error: ServerError) { self.init(code: error.code, message: error.message) }

    static func upstream(_ file: String, _ place: String, _ problem: String) -> GatewayError {
        GatewayError(code: "upstream_invalid", message: "\(file), \(place): \(problem)")
    }
}
