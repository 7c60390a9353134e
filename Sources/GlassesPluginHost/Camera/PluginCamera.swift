import CGlassesPlugin
import GlassesDomain
import Synchronization

/// A plugin's camera: a ring of eight frames and the reader thread that empties it; stills by request.
final class PluginCamera: CameraPort {
    /// With the stop's own limit this keeps the port's four seconds.
    private static let readerLimit: Duration = .milliseconds(500)

    let facts: CameraFacts
    private let monitor: CallMonitor
    private let send: @Sendable (TransportCall) async -> RequestTable.Ending
    private let takePhoto: @Sendable () async -> Result<CameraStill, PluginFailureReport>
    private let state = Mutex(State())

    private struct State {
        var stream = Stream.closed
        var isTakingStill = false
        /// Of the streams before the open one.
        var dropped: Int64 = 0
    }

    private enum Stream {
        case closed
        case changing(OpenCamera?)
        case open(OpenCamera)

        var camera: OpenCamera? {
            switch self {
            case .closed: nil
            case .changing(let camera): camera
            case .open(let camera): camera
            }
        }
    }

    init(
        facts: CameraFacts, monitor: CallMonitor,
        send: @escaping @Sendable (TransportCall) async -> RequestTable.Ending,
        takePhoto: @escaping @Sendable () async -> Result<CameraStill, PluginFailureReport>
    ) {
        self.facts = facts
        self.monitor = monitor
        self.send = send
        self.takePhoto = takePhoto
    }

    var droppedFrames: Int64 { state.withLock { $0.dropped + ($0.stream.camera?.dropped ?? 0) } }

    func open(
        _ mode: CameraMode, onFrame: @escaping @Sendable (CameraFrame) -> Void,
        onChange: @escaping @Sendable (CameraStreamChange) -> Void
    ) async -> ExtentosResult<Void, CaptureError> {
        guard facts.modes.contains(mode) else { return .failure(.unknownMode) }
        guard begin() else { return .failure(.alreadyOpen) }
        guard let camera = OpenCamera(mode: mode, monitor: monitor, onFrame: onFrame, onChange: onChange) else {
            state.withLock { $0.stream = .closed }
            return .failure(.outOfResources)
        }
        state.withLock { $0.stream = .changing(camera) }
        camera.start()
        switch await send(.startCamera(camera.call)) {
        case .success:
            state.withLock { $0.stream = .open(camera) }
            return .success(())
        case .failure(let failure):
            await camera.stop(limit: Self.readerLimit)
            if failure.result == .timeout { camera.abandon() }
            state.withLock { $0.stream = .closed }
            return .failure(CaptureError(failure))
        }
    }

    func close() async {
        guard let camera = takeOpen() else { return }
        let ending: RequestTable.Ending = camera.hasEnded ? .success(()) : await send(.stopCamera)
        await camera.stop(limit: Self.readerLimit)
        if case .failure(let failure) = ending, failure.result != .wrongState { camera.abandon() }
        state.withLock { state in
            state.dropped += camera.dropped
            state.stream = .closed
        }
    }

    func takeStill() async -> ExtentosResult<CameraStill, CaptureError> {
        guard facts.stillFormat != nil else { return .failure(.noStills) }
        let isFree = state.withLock { state in
            defer { state.isTakingStill = true }
            return !state.isTakingStill
        }
        guard isFree else { return .failure(.stillUnderWay) }
        defer { state.withLock { $0.isTakingStill = false } }
        switch await takePhoto() {
        case .success(let still): return .success(still)
        case .failure(let failure): return .failure(CaptureError(failure))
        }
    }

    /// The plugin told that the stream changed.
    func changed(_ change: CameraStreamChange) { state.withLock { $0.stream.camera }?.changed(change) }

    private func begin() -> Bool {
        state.withLock { state in
            switch state.stream {
            case .open(let camera) where camera.hasEnded: state.dropped += camera.dropped
            case .open, .changing: return false
            case .closed: break
            }
            state.stream = .changing(nil)
            return true
        }
    }

    private func takeOpen() -> OpenCamera? {
        state.withLock { state in
            guard case .open(let camera) = state.stream else { return nil }
            state.stream = .changing(camera)
            return camera
        }
    }
}

extension CaptureError {
    fileprivate static let unknownMode = CaptureError.platformError(
        code: "unsupported_mode", message: "The camera has no such mode. Choose one of its modes.")
    fileprivate static let alreadyOpen = CaptureError.platformError(
        code: "already_open", message: "The camera is in use by this app. Close it before opening it again.")
    fileprivate static let outOfResources = CaptureError.platformError(
        code: "out_of_resources", message: "The system has no memory or file descriptors left. Close other apps.")
    fileprivate static let noStills = CaptureError.platformError(
        code: "unsupported", message: "The camera takes no stills of its own. Take one from its stream.")
    fileprivate static let stillUnderWay = CaptureError.platformError(
        code: "busy", message: "The camera is taking a still already. Wait for it.")
}
