import CGlassesPlugin
import GlassesPluginKit
import MWDATCamera
import MWDATCore
import Synchronization

/// One run of the glasses' camera: from the wish for a stream to its end.
///
/// It opens the stream in the connected glasses' session, tells what becomes of it, and ends once: when it was asked to stop, or with
/// the reason why the glasses ended it.
final class CameraRun: Sendable {
    /// What a run tells, in order; `ended` is last and comes once.
    enum Event: Sendable {
        case began
        case paused(PluginFailure)
        case resumed
        /// Nil when that was asked for.
        case ended(PluginFailure?)
    }

    /// Within the host's 12 s for a start.
    private static let startLimit: Duration = .milliseconds(11_500)
    private static let sessionLimit: Duration = .seconds(8)

    private struct State {
        var task: Task<Void, Never>?
        var stream: MWDATCamera.Stream?
        var hasBegun = false
        var mustStop = false
        /// Why it is over, when the run itself decided that.
        var failure: PluginFailure?
    }

    private let sessions: SessionKeeper
    private let configuration: StreamConfiguration
    private let tell: @Sendable (CameraRun, Event) -> Void
    private let state = Mutex(State())
    private let sink = Mutex<FrameSink?>(nil)

    init(
        _ configuration: StreamConfiguration, sessions: SessionKeeper,
        tell: @escaping @Sendable (CameraRun, Event) -> Void
    ) {
        self.configuration = configuration
        self.sessions = sessions
        self.tell = tell
    }

    /// Begins; pictures go into `ring`, or nowhere.
    func start(_ ring: VideoRing?) {
        let size = configuration.resolution.videoFrameSize
        let sink = FrameSink(ring, size: I420Size(width: Int(size.width), height: Int(size.height))) { [weak self] in
            self?.began()
        }
        self.sink.withLock { $0 = sink }
        let task = Task { await run(sink) }
        state.withLock { $0.task = task }
    }

    /// Asks for the end; the ring is not touched any more when this returned.
    func stop() {
        sink.withLock { $0 }?.close()
        let (stream, task) = state.withLock { state in
            state.mustStop = true
            return (state.stream, state.task)
        }
        if let stream { stream.stop() } else { task?.cancel() }
    }

    /// Takes a still while the stream runs.
    func photo() async throws(PluginFailure) -> PhotoData {
        guard let stream = state.withLock({ $0.hasBegun ? $0.stream : nil }) else { throw .disconnected }
        do throws(Refusal) { return try await stream.photo(format: .jpeg) } catch { throw PluginFailure(error) }
    }

    private func began() {
        let isNews = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && !state.mustStop
        }
        if isNews { tell(self, .began) }
    }

    // MARK: The run

    private func run(_ sink: FrameSink) async {
        var reason: PluginFailure?
        do throws(PluginFailure) { try await stream(sink) } catch { reason = error }
        sink.close()
        let (mustStop, failure) = state.withLock { ($0.mustStop, $0.failure) }
        // A start that was too slow was stopped by the run itself.
        tell(self, .ended(failure ?? (mustStop ? nil : reason)))
    }

    private func stream(_ sink: FrameSink) async throws(PluginFailure) {
        let limit = Task { await giveUp() }
        defer { limit.cancel() }
        let session = try await sessions.started(within: Self.sessionLimit)
        let camera = try added(to: session)
        defer { camera.stop() }
        let isWanted = state.withLock { state in
            if !state.mustStop { state.stream = camera.stream }
            return !state.mustStop
        }
        guard isWanted else { return }
        let token = camera.stream.videoFramePublisher.listen { sink.take($0) }
        // Before the start, so that an end right after it is seen.
        let states = camera.stream.stateStream()
        camera.stream.start()
        // A stop that came before the start has found nothing to stop.
        if state.withLock({ $0.mustStop }) { camera.stream.stop() }
        await follow(states)
        await token.cancel()
        camera.stop()
        await camera.waitUntilStopped()
        throw camera.stream.endReason.map { PluginFailure($0) } ?? .streamEnded
    }

    private func added(to session: DeviceSession) throws(PluginFailure) -> Camera {
        let camera: Camera?
        do throws(DeviceSessionError) { camera = try session.addCamera(config: configuration) } catch {
            throw .busy("camera_in_use", error.description)
        }
        guard let camera else { throw .noSession }
        return camera
    }

    private func follow(_ states: AsyncStream<StreamState>) async {
        var wasStarted = false
        var isPaused = false
        for await now in states {
            switch now {
            case .stopped where wasStarted: return
            case .stopped, .stopping: break
            case .waitingForDevice, .starting: wasStarted = true
            case .paused:
                (wasStarted, isPaused) = (true, true)
                tell(self, .paused(.paused))
            case .streaming:
                wasStarted = true
                if isPaused { tell(self, .resumed) }
                isPaused = false
            }
        }
    }

    private func giveUp() async {
        // Cancelled: the stream has ended.
        do { try await Task.sleep(for: Self.startLimit) } catch { return }
        let isLate = state.withLock { state in
            guard !state.hasBegun, !state.mustStop else { return false }
            state.failure = .noFrame
            return true
        }
        if isLate { stop() }
    }
}

extension PluginFailure {
    fileprivate static let streamEnded = PluginFailure.failed(
        "camera_stopped", "The glasses ended the camera's stream. Start it again.")
    fileprivate static let noFrame = PluginFailure(
        GLASSES_ERROR_TIMEOUT, code: "no_frame", message: "No picture came from the glasses in time. Try again.")
}
