import MWDATCore

/// Where a stream gets its session from. Called under the stream's lock: it never calls the stream back from within.
protocol CameraSource: AnyObject, Sendable {
    /// Numbers for runs and photos; 0 without a toolkit, where neither comes to be.
    func nextIdentifier() -> UInt64
    /// Gets a camera of a started session: it is there, it will be told to the stream later, or there will be none.
    func acquire(for stream: StreamDriver) -> StreamStateMachine.Input
    /// Gives it back; harmless when there is none.
    func release()
    /// Sends what `command` makes for the session; nothing without one.
    func send(_ command: (LinkSession) -> LinkCommand)
}

/// A stream's place in a session, which keeps the stream alive until it is given up.
final class StreamAttachment: SessionCapability {
    let kind = CapabilityKind.camera
    private let stream: StreamDriver
    private let session: DeviceSession
    private let ended: @Sendable (Refusal?) -> Void

    /// A place in `session`; `ended` is called when the session ends, and gives the place up.
    init(of stream: StreamDriver, in session: DeviceSession, ended: @escaping @Sendable (Refusal?) -> Void) {
        self.stream = stream
        self.session = session
        self.ended = ended
    }

    /// What the stream has to know of the session when it begins; later changes are told to it.
    static func ready(in session: DeviceSession) -> StreamStateMachine.Input {
        .cameraReady(
            session.deviceId, isSessionPaused: session.state == .paused, isAppHidden: session.hub.isAppInBackground)
    }

    func attach() throws(DeviceSessionError) { try session.attach(self) }
    func detach() { session.detach(self) }
    func sessionDelivered(_ event: LinkEvent) { stream.deliver(event) }
    func sessionPaused() { stream.apply(.sessionPaused) }
    func sessionResumed() { stream.apply(.sessionResumed) }
    func sessionEnding(_ reason: Refusal?) { ended(reason) }
    func appMoved(inBackground: Bool) { stream.apply(inBackground ? .appHidden : .appShown) }
}

extension Refusal {
    /// Why a session or its camera could not be had.
    init(_ error: DeviceSessionError, of session: DeviceSession? = nil) {
        switch error {
        case .capabilityAlreadyActive, .sessionAlreadyExists:
            self.init(.occupied, error.description, isRetryable: true)
        case .sessionAlreadyStopped:
            self = session?.endReason ?? Refusal(.notFound, error.description, isRetryable: false)
        case .noEligibleDevice, .sessionIdle, .capabilityNotFound, .unexpectedError, .thermalCritical,
            .thermalEmergency, .peakPowerShutdown, .batteryCritical, .datAppOnTheGlassesUpdateRequired,
            .insufficientSDKVersion, .dwaOutOfStuRange:
            self = session?.endReason ?? Refusal(.link, error.description, isRetryable: true)
        }
    }
}
