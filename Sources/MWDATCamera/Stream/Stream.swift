import MWDATCore

/// A camera's moving pictures, and its photos. Any thread.
///
/// Every start ends in ``StreamState/stopped``, an error that ends it is told before, and it can be started again. A stream that runs
/// lives until it has stopped, even when the app drops it.
public final class Stream: Sendable {
    private let driver: StreamDriver

    init(_ driver: StreamDriver) { self.driver = driver }

    /// What was asked for; the pictures may be smaller and fewer.
    public var streamConfiguration: StreamConfiguration { driver.configuration }

    /// The state now.
    public var state: StreamState { driver.machine.state }

    /// Tells every change of the state, the last one too.
    public var statePublisher: any Announcer<StreamState> { driver.outlets.states }

    /// Tells every picture. Each listener has a thread's turn of its own; one that is slow misses pictures, the oldest first, and holds
    /// up nobody else.
    public var videoFramePublisher: any Announcer<VideoFrame> { driver.outlets.frames }

    /// Tells every photo that was asked for by ``capturePhoto(format:)`` or ``photo(format:)``.
    public var photoDataPublisher: any Announcer<PhotoData> { driver.outlets.photos }

    /// Tells every error. Those that end the stream come before the state changes; see ``StreamError/isFatal``.
    public var errorPublisher: any Announcer<StreamError> { driver.outlets.errors }

    /// Tells sound, when the configuration has an ``StreamConfiguration/audioCodec``. Experimental.
    public var audioFramePublisher: any Announcer<AudioFrame> { driver.outlets.sounds }

    /// Starts and returns at once. ``StreamState/streaming`` comes with the first picture, or an error within 10 s of the moment when
    /// glasses are there; until then the stream waits, and ``waitReason`` tells what for. A stream that runs already is left
    /// alone; one that is stopping starts again when it has stopped.
    public func start() { driver.start() }

    /// Stops and returns at once; `stopped` comes within 2 s. A photo that is being taken fails. Doing it again does nothing.
    public func stop() { driver.apply(.stopRequested) }

    /// Takes a photo. True when it was accepted: then, within 8 s, either the photo comes or
    /// ``StreamError/photoCaptureFailed``. False, and nothing else, when the stream is not streaming or a photo is being taken.
    /// While the glasses take it no pictures may come.
    @discardableResult
    public func capturePhoto(format: PhotoCaptureFormat) -> Bool { driver.capturePhoto(format) }
}

// MARK: - Additions to the vendor's interface

extension Stream {
    /// The state now and each change after it. It ends when the stream cannot be started any more.
    public func stateStream() -> AsyncStream<StreamState> { driver.outlets.states.stream }

    /// Whether pictures come as they should, now.
    public var delivery: StreamDelivery { driver.machine.delivery }

    /// Tells every change of ``delivery``: `stalled` when pictures stay away for 2 s, `flowing` when they come again.
    public var deliveryPublisher: any Announcer<StreamDelivery> { driver.outlets.deliveries }

    /// Tells every error with its reason, just before ``errorPublisher`` tells the error.
    public var failurePublisher: any Announcer<StreamFailure> { driver.outlets.failures }

    /// Why the stream waits for glasses; nil when it does not.
    public var waitReason: Refusal? { driver.machine.waitReason }

    /// Why the stream ended; nil before its first end, while it runs, and when the app ended it.
    public var endReason: Refusal? { driver.machine.endReason }

    /// What became of the pictures since the stream was made.
    public var statistics: StreamStatistics { driver.statistics }

    /// Takes a photo and waits for it, at most 8 s. It is told to ``photoDataPublisher``, too.
    ///
    /// - Throws: why there is none: the stream is not streaming, another photo is being taken, or this one failed.
    public func photo(format: PhotoCaptureFormat = .jpeg) async throws(Refusal) -> PhotoData {
        let outcome = await withCheckedContinuation { _ = driver.capturePhoto(format, waiter: $0) }
        return try outcome.get()
    }

    /// Returns when the stream is stopped, or when the calling task is cancelled; does not stop it.
    public func waitUntilStopped() async { for await state in stateStream() where state == .stopped { return } }
}

// MARK: - Names of earlier versions

/// The name of versions 0.1 to 0.6.
@available(*, deprecated, renamed: "Stream")
public typealias StreamSession = Stream

extension Stream {
    /// A stream with a selector of its own, as in versions 0.1 to 0.6: each start opens a session with the glasses that are chosen,
    /// each stop ends it. Without glasses it waits for some.
    @available(*, deprecated, message: "Add a camera to a DeviceSession.")
    public convenience init(streamSessionConfig: StreamConfiguration, deviceSelector: any DeviceSelector) {
        self.init(streamSessionConfig, deviceSelector, hub: nil)
    }

    /// A stream of the default configuration with a selector of its own.
    @available(*, deprecated, message: "Add a camera to a DeviceSession.")
    public convenience init(deviceSelector: any DeviceSelector) {
        self.init(StreamConfiguration(), deviceSelector, hub: nil)
    }

    /// The name of versions 0.1 to 0.6.
    @available(*, deprecated, renamed: "streamConfiguration")
    public var streamSessionConfig: StreamConfiguration { streamConfiguration }

    /// A stream whose sessions are those of `hub`; nil for that of the process.
    package convenience init(_ config: StreamConfiguration, _ selector: any DeviceSelector, hub: WearablesHub?) {
        let environment = (hub ?? Wearables.sharedIfConfigured as? WearablesHub).map(StreamEnvironment.init)
        let driver = StreamDriver(config, environment ?? StreamEnvironment())
        driver.use(SelectorCameraSource(selector, hub: hub))
        self.init(driver)
    }
}
