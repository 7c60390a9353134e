import GlassesDomain
import Testing

@Suite struct ErrorDescriptionTests {
    static let errors: [any ExtentosErrorDescription] = [
        ConnectError.noDeviceAvailable, ConnectError.permissionDenied, ConnectError.pairingFailed,
        ConnectError.registrationRequired, ConnectError.transportFailure(code: "x_y", message: "It failed. Try again."),
        CaptureError.notConnected, CaptureError.permissionDenied, CaptureError.thermalCritical,
        CaptureError.hingesClosed,
        CaptureError.coexistenceBlocked, CaptureError.streamPaused, CaptureError.disabledByUser(toggle: "privacy_mode"),
        AudioError.notConnected, AudioError.permissionDenied, AudioError.coexistenceBlocked,
        AudioError.disabledByUser(toggle: "privacy_mode"), TransportError.websocketClosed(code: 1006, reason: nil),
        TransportError.handshakeFailed(reason: "401"),
        TransportError.schemaMismatch(serverVersion: "1", clientVersion: "2"),
        TransportError.timeout, TransportError.hardwareUnavailable(reason: "no microphone"),
        ExtentosError.connect(inner: .pairingFailed), ExtentosError.unexpected(message: "It broke. Report this."),
        AssistantError.noApiKey, AssistantError.alreadyActive, AssistantError.sessionEnded, AssistantError.notReady,
        AssistantError.networkError(cause: ConnectionClosure(code: "closed", message: "The link dropped")),
        AssistantError.providerError(code: "rate_limit_exceeded", message: "Too many requests. Wait."),
        AssistantConfigError(field: "historyCap", requirement: "at least 1"),
    ]

    @Test(arguments: errors.indices)
    func everyErrorHasACodeInSnakeCaseAndAWholeSentence(index: Int) {
        let error = Self.errors[index]
        #expect(error.code.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(error.code)")
        #expect(error.description.hasSuffix("."), "\(error.description)")
        #expect(error.description.count > 10)
    }

    @Test func aLostConnectionSaysItsOwnSentence() {
        let closure = ConnectionClosure(code: "timeout", message: "It did not answer in time. Wake it again later.")
        #expect(AssistantError.networkError(cause: closure).description == closure.message)
    }

    @Test func aCallerIsBlamedForWhatOnlyTheCallerCanMend() {
        #expect(AssistantError.notReady.blame == .local)
        #expect(ConnectError.transportFailure(code: "plugin_not_installed", message: "").blame == .local)
        #expect(ConnectError.noDeviceAvailable.blame == .remote)
        #expect(TransportError.timeout.blame == .remote)
    }
}
