import MWDATCore

/// The display of a pair of glasses: a panel of 600 × 600 pixels that shows one view at a time.
///
/// Get one from `DeviceSession.addDisplay()`, call ``start()``, and send views once its state is `started`. The panel
/// dims when nothing happens for 20 s and sleeps after 25 s; that ends nothing. The back gesture on a view ends the session. All
/// members may be used on any thread. The session keeps the display alive until it has stopped.
public final class Display: Sendable {
    private let driver: DisplayDriver

    init(driver: DisplayDriver) {
        self.driver = driver
    }

    /// What the display does now.
    public var state: DisplayState { driver.state }

    /// Tells every change of the state. Its `stream` begins with the current state and ends after the last `stopped`.
    public var statePublisher: any Announcer<DisplayState> { driver.states }

    /// Tells what went wrong without a call that could throw it: a start that the glasses refused or did not answer, or the loss of
    /// the display. The state follows.
    public var errorPublisher: any Announcer<DisplayError> { driver.errors }

    /// Why the display ended: which check failed and what to do next. Nil while it has not ended, and when the app ended it.
    public var endReason: Refusal? { driver.endReason }

    /// Gets what becomes of videos, on the toolkit's own queue; it should return soon.
    public var onPlaybackEvent: (@Sendable (VideoPlaybackEvent) -> Void)? {
        get { driver.onPlaybackEvent }
        set { driver.onPlaybackEvent = newValue }
    }

    /// Asks the glasses to start the display, and returns at once: the state becomes `starting`, and within 5 s `started`, or
    /// `stopped` after an error on ``errorPublisher``. Nothing happens when it has been started already. A display that has stopped
    /// cannot be started again: `addDisplay()` makes another one.
    public func start() {
        driver.take(.startRequested)
    }

    /// Ends the display and detaches it from its session, and returns at once: the state becomes `stopping`, and within 2 s
    /// `stopped`. Calls that wait for the display throw. Nothing happens when it has been stopped already.
    public func stop() {
        driver.take(.stopRequested)
    }

    /// The state now and each change after it, the last `stopped` at the end. Made after the end it has `stopped` alone.
    public func stateStream() -> AsyncStream<DisplayState> { driver.states.stream }

    /// Returns when the display has ended for good, within 2 s of ``stop()``, or when the calling task is cancelled; does not stop it.
    public func waitUntilStopped() async { for await _ in stateStream() {} }

    /// Shows `view` instead of everything that was shown, and returns when the glasses show it. Its handlers take the place of all
    /// earlier ones at the same moment. A cancelled task waits for the answer all the same: a view that was sent cannot be taken back.
    ///
    /// - Throws: ``DisplayError``, after 5 s at the latest; the last view is then still shown.
    public func send(_ view: some DisplayableView) async throws {
        let encoded = try ViewEncoder.encode(view.element)
        let error = await driver.ask(handlers: encoded.handlers) {
            .viewSubmitted($0, tree: encoded.tree, isVideo: encoded.isVideo)
        }
        if let error { throw error }
    }

    /// Shows nothing, and returns when the panel is empty.
    ///
    /// - Throws: ``DisplayError``, after 5 s at the latest.
    public func clearDisplay() async throws {
        if let error = await driver.ask({ .clearRequested($0) }) { throw error }
    }

    /// Stops the video that plays, if one does, and returns when it has stopped, after 2 s at the latest.
    public func sendVideoStop() async {
        // It ends without an error: whatever went wrong, no video plays.
        _ = await driver.ask { .videoStopRequested($0) }
    }
}
