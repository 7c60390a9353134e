import Foundation
import MWDATCamera
import MWDATCore
import Synchronization

/// A session of a random sequence, and what an app is owed for it.
final class WatchedSession {
    private struct Owed: Sendable {
        var states: [DeviceSessionState] = []
        var streamStates: [Int: StreamState] = [:]
        var frames = 0
        var acceptedPhotos = 0
        var endedPhotos = 0
    }

    private final class Ledger: Sendable {
        let owed = Mutex(Owed())
    }

    let session: DeviceSession
    private let ledger = Ledger()
    private var camera: Camera?
    private var tokens: [any AnyListenerToken] = []
    private var cameras: [Camera] = []
    private var wasStarted = false

    init(_ session: DeviceSession) {
        self.session = session
        tokens.append(
            session.statePublisher.listen { [ledger] state in ledger.owed.withLock { $0.states.append(state) } })
    }

    var frames: Int { ledger.owed.withLock { $0.frames } }

    /// What an app would do next.
    enum Step {
        case start
        case camera
        case stream
        case photo
        case wait
    }

    var next: Step {
        switch session.state {
        case .idle: return .start
        case .starting, .paused, .stopping, .stopped: return .wait
        case .started: break
        }
        guard let camera, camera.state != .stopped else { return .camera }
        return switch camera.stream.state {
        case .stopped: .stream
        case .streaming: .photo
        default: .wait
        }
    }

    /// Whether something is about to happen.
    var isUnderWay: Bool {
        if session.state == .starting { return true }
        guard let state = camera?.stream.state else { return false }
        return state == .starting || state == .waitingForDevice
    }

    // MARK: Calls

    func start() {
        do throws(DeviceSessionError) {
            try session.start()
            wasStarted = true
        } catch {
            // A refusal is an answer.
            return
        }
    }

    func addCamera(_ codec: VideoCodec) {
        do throws(DeviceSessionError) {
            let configuration = StreamConfiguration(videoCodec: codec, resolution: .low, frameRate: 30)
            guard let camera = try session.addCamera(config: configuration) else { return }
            listen(to: camera)
            self.camera = camera
        } catch {
            return
        }
    }

    private func listen(to camera: Camera) {
        let number = cameras.count
        cameras.append(camera)
        let stream = camera.stream
        tokens += [
            stream.statePublisher.listen { [ledger] state in ledger.owed.withLock { $0.streamStates[number] = state } },
            stream.videoFramePublisher.listen { [ledger] _ in ledger.owed.withLock { $0.frames += 1 } },
            stream.photoDataPublisher.listen { [ledger] _ in ledger.owed.withLock { $0.endedPhotos += 1 } },
            stream.errorPublisher.listen { [ledger] error in
                if error == .photoCaptureFailed { ledger.owed.withLock { $0.endedPhotos += 1 } }
            },
        ]
    }

    /// Starts the camera's stream; false without a camera.
    func startStream() -> Bool {
        guard let camera else { return false }
        camera.stream.start()
        return true
    }

    func stopStream() { camera?.stream.stop() }

    func stopCamera() {
        camera?.stop()
        camera = nil
    }

    /// Asks for a photo; whether it was accepted.
    func capturePhoto() -> Bool {
        guard let camera, camera.stream.capturePhoto(format: .jpeg) else { return false }
        ledger.owed.withLock { $0.acceptedPhotos += 1 }
        return true
    }

    // MARK: What is owed

    /// What has not ended although the session was stopped.
    var open: [String] {
        let owed = ledger.owed.withLock { $0 }
        var open: [String] = []
        if session.state != .stopped { open.append("the session is \(session.state)") }
        if wasStarted, owed.states.last != .stopped { open.append("the session's end was not told: \(owed.states)") }
        for (number, camera) in cameras.enumerated() {
            if camera.stream.state != .stopped { open.append("stream \(number) is \(camera.stream.state)") }
            if camera.state != .stopped { open.append("camera \(number) is \(camera.state)") }
            if let told = owed.streamStates[number], told != .stopped {
                open.append("stream \(number) told \(told) last")
            }
        }
        if owed.acceptedPhotos != owed.endedPhotos {
            open.append("\(owed.acceptedPhotos) photos accepted, \(owed.endedPhotos) ended")
        }
        return open
    }
}

/// Asynchronous calls that have to return.
final class OpenRequests: Sendable {
    private struct State {
        var begun = 0
        var open: [Int: String] = [:]
    }

    private let state = Mutex(State())

    var begun: Int { state.withLock { $0.begun } }
    /// Those that have not returned.
    var open: [String] { state.withLock { $0.open.sorted { $0.key < $1.key }.map { "\($0.value) has not returned" } } }

    /// Begins a call; what it throws is an answer.
    func begin(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        let number = state.withLock { state in
            state.begun += 1
            state.open[state.begun] = name
            return state.begun
        }
        Task { [state = self] in
            do { try await body() } catch { state.end(number); return }
            state.end(number)
        }
    }

    private func end(_ number: Int) { state.withLock { $0.open[number] = nil } }
}
