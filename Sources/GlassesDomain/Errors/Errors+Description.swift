extension ConnectError: ExtentosErrorDescription {
    /// The code: the case's name in snake case, or the transport's own.
    public var code: String {
        switch self {
        case .noDeviceAvailable: "no_device_available"
        case .permissionDenied: "permission_denied"
        case .pairingFailed: "pairing_failed"
        case .registrationRequired: "registration_required"
        case .transportFailure(let code, _): code
        }
    }
    /// Permission and registration are the caller's to give; the rest is the device's.
    public var blame: Blame {
        switch self {
        case .permissionDenied, .registrationRequired: .local
        case .transportFailure(let code, _): code == "plugin_not_installed" ? .local : .remote
        case .noDeviceAvailable, .pairingFailed: .remote
        }
    }
    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .noDeviceAvailable: "No device was found. Switch it on, bring it near and connect again."
        case .permissionDenied: "Permission to use the device was denied. Grant it and connect again."
        case .pairingFailed: "Pairing failed. Put the device into pairing mode and connect again."
        case .registrationRequired: "The app is not registered with the device. Register it, then connect again."
        case .transportFailure(_, let message): message
        }
    }
}

extension CaptureError: ExtentosErrorDescription {
    /// The code: the case's name in snake case, or the platform's own.
    public var code: String {
        switch self {
        case .notConnected: "not_connected"
        case .permissionDenied: "permission_denied"
        case .thermalCritical: "thermal_critical"
        case .hingesClosed: "hinges_closed"
        case .coexistenceBlocked: "coexistence_blocked"
        case .streamPaused: "stream_paused"
        case .disabledByUser: "disabled_by_user"
        case .platformError(let code, _): code
        }
    }
    /// The caller's, unless the device is at fault.
    public var blame: Blame {
        switch self {
        case .notConnected, .permissionDenied, .disabledByUser: .local
        case .platformError(let code, _): Self.localCodes.contains(code) ? .local : .remote
        case .thermalCritical, .hingesClosed, .coexistenceBlocked, .streamPaused: .remote
        }
    }
    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .notConnected: "The glasses are not connected. Connect them and try again."
        case .permissionDenied: "Permission to use the camera was denied. Grant it and try again."
        case .thermalCritical: "The glasses are too hot. Let them cool down and try again."
        case .hingesClosed: "The glasses are folded. Open them and try again."
        case .coexistenceBlocked: "Another app is using the camera. Close it and try again."
        case .streamPaused: "The camera is paused. Tap the right temple to resume it."
        case .disabledByUser(let toggle): "The setting \(toggle) forbids this. Change it and try again."
        case .platformError(_, let message): message
        }
    }
}

extension CaptureError {
    /// Codes of the camera client that the caller or the machine's disk has to answer for.
    fileprivate static let localCodes: Set<String> = [
        "capture_cancelled", "video_in_flight", "no_frames", "invalid_duration", "pictures_unavailable",
        "clips_unavailable", "disk_full", "not_writable", "write_failed",
    ]
}

/// The sentence that tells a person what to do about `error`.
public func captureErrorMessage(error: CaptureError) -> String { error.description }

extension AudioError: ExtentosErrorDescription {
    /// The code: the case's name in snake case, or the platform's own.
    public var code: String {
        switch self {
        case .notConnected: "not_connected"
        case .permissionDenied: "permission_denied"
        case .coexistenceBlocked: "coexistence_blocked"
        case .disabledByUser: "disabled_by_user"
        case .platformError(let code, _): code
        }
    }
    /// The caller's, unless the device is at fault.
    public var blame: Blame {
        switch self {
        case .notConnected, .permissionDenied, .disabledByUser: .local
        case .coexistenceBlocked, .platformError: .remote
        }
    }
    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .notConnected: "The glasses are not connected. Connect them and try again."
        case .permissionDenied: "Permission to use the microphone was denied. Grant it and try again."
        case .coexistenceBlocked: "Another app is using the audio device. Close it and try again."
        case .disabledByUser(let toggle): "The setting \(toggle) forbids this. Change it and try again."
        case .platformError(_, let message): message
        }
    }
}

extension TransportError: ExtentosErrorDescription {
    /// The code: the case's name in snake case, or the platform's own.
    public var code: String {
        switch self {
        case .websocketClosed: "websocket_closed"
        case .handshakeFailed: "handshake_failed"
        case .schemaMismatch: "schema_mismatch"
        case .timeout: "timeout"
        case .hardwareUnavailable: "hardware_unavailable"
        case .platformError(let code, _): code
        }
    }
    /// Always the device's or the peer's.
    public var blame: Blame { .remote }
    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .websocketClosed(let code, let reason):
            "The connection was closed with code \(code)\(reason.map { " (\($0))" } ?? ""). Connect again."
        case .handshakeFailed(let reason): "The connection was refused: \(reason). Check the address and the key."
        case .schemaMismatch(let server, let client):
            "The peer speaks version \(server) and this runtime \(client). Update the older of the two."
        case .timeout: "The device did not answer in time. Check that it is on and try again."
        case .hardwareUnavailable(let reason): "The device is not available: \(reason)."
        case .platformError(_, let message): message
        }
    }
}

extension ExtentosError: ExtentosErrorDescription {
    /// The inner error's code, or `unexpected`.
    public var code: String {
        switch self {
        case .connect(let inner): inner.code
        case .capture(let inner): inner.code
        case .audio(let inner): inner.code
        case .transport(let inner): inner.code
        case .unexpected: "unexpected"
        }
    }
    /// The inner error's blame; an unexpected error is ours.
    public var blame: Blame {
        switch self {
        case .connect(let inner): inner.blame
        case .capture(let inner): inner.blame
        case .audio(let inner): inner.blame
        case .transport(let inner): inner.blame
        case .unexpected: .local
        }
    }
    /// The inner error's sentence.
    public var description: String {
        switch self {
        case .connect(let inner): inner.description
        case .capture(let inner): inner.description
        case .audio(let inner): inner.description
        case .transport(let inner): inner.description
        case .unexpected(let message): message
        }
    }
}

extension AssistantError: ExtentosErrorDescription {
    /// The code: the case's name in snake case, or the provider's own.
    public var code: String {
        switch self {
        case .noApiKey: "no_api_key"
        case .alreadyActive: "already_active"
        case .sessionEnded: "session_ended"
        case .notReady: "not_ready"
        case .networkError: "network_error"
        case .providerError(let code, _): code
        }
    }
    /// The caller's for an order of calls that cannot work, else the network's or the provider's.
    public var blame: Blame {
        switch self {
        case .noApiKey, .alreadyActive, .sessionEnded, .notReady: .local
        case .networkError, .providerError: .remote
        }
    }
    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .noApiKey: "The gateway did not accept the key. Check the configured token."
        case .alreadyActive: "Another assistant session is active. Stop it before starting a new one."
        case .sessionEnded: "The session has ended. Start a new one."
        case .notReady: "The session is not ready for this. Start and wake it first."
        case .networkError(let cause as ConnectionClosure):
            cause.message.hasSuffix(".") ? cause.message : cause.message + "."
        case .networkError(let cause): "The connection failed: \(cause). Wake the session again later."
        case .providerError(_, let message): message
        }
    }
}
