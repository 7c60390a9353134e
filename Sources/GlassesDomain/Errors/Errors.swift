/// Why a connect failed.
public enum ConnectError: Error, Sendable, Hashable {
    case noDeviceAvailable
    case permissionDenied
    case pairingFailed
    case registrationRequired
    case transportFailure(code: String, message: String)

    /// Any other error as a transport failure with the code `transport_failure`.
    public static func transportFailure(wrapping error: any Error) -> ConnectError {
        .transportFailure(code: "transport_failure", message: String(describing: error))
    }
}

/// Why a capture failed.
public enum CaptureError: Error, Sendable, Hashable {
    case notConnected
    case permissionDenied
    case thermalCritical
    case hingesClosed
    case coexistenceBlocked
    case streamPaused
    case disabledByUser(toggle: String)
    case platformError(code: String, message: String)

    /// Any other error as a platform error with the code `platform_error`.
    public static func platformError(wrapping error: any Error) -> CaptureError {
        .platformError(code: "platform_error", message: String(describing: error))
    }
}

/// Why an audio operation failed.
public enum AudioError: Error, Sendable, Hashable {
    case notConnected
    case permissionDenied
    case coexistenceBlocked
    case disabledByUser(toggle: String)
    case platformError(code: String, message: String)
}

/// What went wrong with a transport.
public enum TransportError: Error, Sendable, Hashable {
    case websocketClosed(code: Int32, reason: String?)
    case handshakeFailed(reason: String)
    case schemaMismatch(serverVersion: String, clientVersion: String)
    case timeout
    case hardwareUnavailable(reason: String)
    case platformError(code: String, message: String)
}

/// Any error of the runtime.
public enum ExtentosError: Error, Sendable, Hashable {
    case connect(inner: ConnectError)
    case capture(inner: CaptureError)
    case audio(inner: AudioError)
    case transport(inner: TransportError)
    case unexpected(message: String)
}

/// Why an assistant call failed.
public enum AssistantError: Error, Sendable {
    /// The gateway refused the key, or none was configured.
    case noApiKey
    /// Another session of the same glasses is alive; stop it first.
    case alreadyActive
    /// The session was stopped or has ended; start a new one.
    case sessionEnded
    /// The session is not in a state that allows the call; start or wake it first.
    case notReady
    /// The connection failed; wake again later.
    case networkError(cause: any Error & Sendable)
    /// The provider refused the request.
    case providerError(code: String, message: String)
}
