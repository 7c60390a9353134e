import GlassesDomain

/// Why a connection or an HTTP request failed, without secrets.
public struct NetworkError: ExtentosErrorDescription, Sendable, Hashable {
    /// The causes.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The URL cannot be used; final.
        case invalidURL = "invalid_url"
        /// A token would have been sent in clear text over a network; final.
        case insecureURL = "insecure_url"
        /// The request cannot be sent as it is.
        case invalidRequest = "invalid_request"
        /// The name has no address, or no name server answers.
        case nameNotResolved = "name_not_resolved"
        /// Nobody listens there.
        case connectionRefused = "connection_refused"
        /// There is no way to the address.
        case unreachable
        /// The peer did not answer in time.
        case timeout
        /// The TLS certificate was not accepted; final.
        case certificateRefused = "certificate_refused"
        /// The file of certificate authorities cannot be used; final.
        case authorityFileUnusable = "ca_file_unusable"
        /// TLS could not be agreed on.
        case tlsFailed = "tls_failed"
        /// The proxy cannot be reached or refused.
        case proxyFailed = "proxy_failed"
        /// The connection ended before the answer was complete.
        case connectionLost = "connection_lost"
        /// The peer's answer is not HTTP, or not what was asked for.
        case malformedResponse = "malformed_response"
        /// More came than was allowed for.
        case tooLarge = "too_large"
        /// The caller has ended it.
        case cancelled
        /// This process or machine has nothing left to give.
        case noResources = "no_resources"
    }

    /// The cause.
    public let cause: Cause
    /// One sentence for a person, with the next step.
    public let message: String
    /// The status of a proxy that refused; nil otherwise.
    public let proxyStatus: Int?

    /// An error with its sentence.
    init(_ cause: Cause, _ message: String, proxyStatus: Int? = nil) {
        self.cause = cause
        self.message = message
        self.proxyStatus = proxyStatus
    }

    /// The cause in snake case.
    public var code: String { cause.rawValue }

    /// Local for what the caller or this machine has to mend.
    public var blame: Blame {
        switch cause {
        case .invalidURL, .insecureURL, .invalidRequest, .authorityFileUnusable, .cancelled, .noResources: .local
        case .nameNotResolved, .connectionRefused, .unreachable, .timeout, .certificateRefused, .tlsFailed,
            .proxyFailed, .connectionLost, .malformedResponse, .tooLarge:
            .remote
        }
    }

    /// The sentence.
    public var description: String { message }

    static let cancelled = NetworkError(.cancelled, "The request was cancelled.")
    static let noResources = NetworkError(
        .noResources, "The network could not be started: this process has no descriptors or memory left. Close some.")
}

extension ConnectionClosure {
    /// The same failure as a closed or refused connection. A proxy's status counts as the handshake's.
    public init(_ error: NetworkError) {
        self.init(code: error.code, message: error.message, httpStatus: error.proxyStatus)
    }
}
