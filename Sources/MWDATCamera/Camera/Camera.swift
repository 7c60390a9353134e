import MWDATCore

/// A session's camera. Any thread.
///
/// It is attached when `DeviceSession.addCamera(config:)` returns it; pictures begin with ``Stream/start()`` of its
/// ``stream``. It lives until it has stopped, even when the app drops it. A stream that ends by itself leaves its camera attached: start
/// the stream again, or stop the camera before another one is added.
public final class Camera: Sendable {
    /// The camera's stream, always the same one.
    public let stream: Stream
    private let driver: CameraDriver

    init(_ driver: CameraDriver) {
        self.driver = driver
        stream = Stream(driver.stream)
    }

    /// The state now.
    public var state: CameraState { driver.machine.state }

    /// Tells every change of the state, the last one too.
    public var statePublisher: any Announcer<CameraState> { driver.states }

    /// The state now and each change after it, `stopped` last; an addition to the vendor's interface.
    public func stateStream() -> AsyncStream<CameraState> { driver.states.stream }

    /// Why the camera ended; nil while it has not, and when the app ended it. An addition to the vendor's interface.
    public var endReason: Refusal? { driver.machine.endReason }

    /// Stops the stream, then detaches the camera from its session, and returns at once. Doing it again does nothing. When
    /// ``state`` is `stopped`, within 2 s, the session can take another camera.
    public func stop() { driver.apply(.stopRequested) }

    /// Returns when the camera has stopped, or when the calling task is cancelled; does not stop it. An addition to the vendor's
    /// interface.
    public func waitUntilStopped() async { for await state in stateStream() where state == .stopped { return } }
}

extension DeviceSession {
    /// Adds a camera with a stream of `config`; never nil here.
    ///
    /// - Throws: `sessionIdle` before the session has started, `sessionAlreadyStopped` after it has stopped, and
    ///   `capabilityAlreadyActive` while it has a camera that has not stopped.
    public func addCamera(config: StreamConfiguration) throws(DeviceSessionError) -> Camera? {
        Camera(try CameraDriver(config, in: self))
    }

    /// Adds a stream of `config` without a camera object, as in versions 0.6 to 0.8; never nil here. It leaves the session when it has
    /// stopped, and comes back when it is started again.
    ///
    /// - Throws: as ``addCamera(config:)``.
    @available(*, deprecated, message: "Use addCamera(config:) and the camera's stream.")
    public func addStream(config: StreamConfiguration) throws(DeviceSessionError) -> Stream? {
        let source = SessionStreamSource(self)
        let driver = StreamDriver(config, StreamEnvironment(hub))
        try source.attach(driver)
        driver.use(source)
        return Stream(driver)
    }
}
