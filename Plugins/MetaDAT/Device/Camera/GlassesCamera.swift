import GlassesPluginKit
import MWDATCamera
import Synchronization

/// The host's camera on the glasses: one stream at a time, and stills from it or from one of their own.
final class GlassesCamera: Sendable {
    /// A photo that is asked for right after the first picture is refused or lost.
    private static let settling: Duration = .milliseconds(700)

    private struct State {
        var run: CameraRun?
        var start: PluginRequest?
        var stop: PluginRequest?
        /// The run that serves one still alone.
        var stillRun: CameraRun?
        var isTakingStill = false
    }

    private let sessions: SessionKeeper
    private let host: TransportHost
    private let isConnected: @Sendable () -> Bool
    private let state = Mutex(State())

    init(_ sessions: SessionKeeper, host: TransportHost, isConnected: @escaping @Sendable () -> Bool) {
        self.sessions = sessions
        self.host = host
        self.isConnected = isConnected
    }

    func start(
        _ request: PluginRequest, _ configuration: CameraConfiguration, _ ring: VideoRing
    ) throws(PluginFailure) {
        guard isConnected() else { throw .disconnected }
        let run = CameraRun(CameraModes.configuration(configuration), sessions: sessions) { [weak self] run, event in
            self?.happened(event, run)
        }
        let isFree = state.withLock { state in
            guard state.run == nil, state.stillRun == nil else { return false }
            (state.run, state.start, state.stop) = (run, request, nil)
            return true
        }
        guard isFree else { throw .wrongState("The camera streams already, or takes a still.") }
        run.start(ring)
    }

    func stop(_ request: PluginRequest) throws(PluginFailure) {
        let run = state.withLock { state -> CameraRun? in
            guard let run = state.run, state.stop == nil else { return nil }
            state.stop = request
            return run
        }
        guard let run else {
            // A stream that ended by itself is stopped already.
            guard state.withLock({ $0.run == nil }) else { throw .wrongState("The camera is being stopped.") }
            return request.complete()
        }
        run.stop()
    }

    /// Ends everything; the ring is not touched any more when this returned.
    func release() {
        let runs = state.withLock { [$0.run, $0.stillRun] }
        for run in runs { run?.stop() }
    }

    private func happened(_ event: CameraRun.Event, _ run: CameraRun) {
        switch event {
        case .began: taken(\.start)?.complete()
        case .paused(let reason): host.reportCamera(.paused(reason))
        case .resumed: host.reportCamera(.streaming)
        case .ended(let reason): ended(reason, run)
        }
    }

    private func ended(_ reason: PluginFailure?, _ run: CameraRun) {
        let (start, stop) = state.withLock { state in
            guard state.run === run else { return (nil as PluginRequest?, nil as PluginRequest?) }
            defer { (state.run, state.start, state.stop) = (nil, nil, nil) }
            return (state.start, state.stop)
        }
        if let start {
            start.fail(reason ?? .cancelled)
        } else if stop == nil {
            host.reportCamera(.stopped(reason ?? .disconnected))
        }
        stop?.complete()
    }

    private func taken(_ key: any WritableKeyPath<State, PluginRequest?> & Sendable) -> PluginRequest? {
        state.withLock { state in
            defer { state[keyPath: key] = nil }
            return state[keyPath: key]
        }
    }

    // MARK: Stills

    func takePhoto(_ request: PhotoRequest) throws(PluginFailure) {
        guard isConnected() else { throw .disconnected }
        let isFree = state.withLock { state in
            defer { state.isTakingStill = true }
            return !state.isTakingStill
        }
        guard isFree else { throw .busy("still_under_way", "The glasses are taking a still already. Wait for it.") }
        Task {
            do throws(PluginFailure) { request.deliver(try await still()) } catch { request.fail(error) }
            state.withLock { $0.isTakingStill = false }
        }
    }

    /// From the stream that runs, or else from one of its own.
    private func still() async throws(PluginFailure) -> PhotoData {
        if let run = state.withLock({ $0.run }) { return try await run.photo() }
        let (events, event) = AsyncStream<CameraRun.Event>.makeStream(bufferingPolicy: .bufferingNewest(4))
        let run = CameraRun(CameraModes.forStills, sessions: sessions) {
            event.yield($1)
            // Whoever waits below may have seen the end already.
            if case .ended = $1 { event.finish() }
        }
        let isFree = state.withLock { state in
            guard state.run == nil else { return false }
            state.stillRun = run
            return true
        }
        guard isFree else { throw .busy("camera_in_use", "The camera is being started. Try again.") }
        run.start(nil)
        let photo = await photo(of: run, events)
        run.stop()
        for await _ in events {}
        state.withLock { $0.stillRun = nil }
        return try photo.get()
    }

    private func photo(
        of run: CameraRun, _ events: AsyncStream<CameraRun.Event>
    ) async -> Result<PhotoData, PluginFailure> {
        for await event in events {
            switch event {
            case .began:
                // Nothing cancels this task.
                do { try await Task.sleep(for: Self.settling) } catch { return .failure(.cancelled) }
                do throws(PluginFailure) { return .success(try await run.photo()) } catch { return .failure(error) }
            case .paused(let reason): return .failure(reason)
            case .resumed: continue
            case .ended(let reason): return .failure(reason ?? .disconnected)
            }
        }
        return .failure(.disconnected)
    }
}
