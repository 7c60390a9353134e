import GlassesPluginKit

/// The life of one camera's stream: starting, streaming, stopping, and a source that does not come back. Pure.
struct CameraStreamStateMachine {
    enum Input: Equatable {
        case startRequested
        case stopRequested
        /// The first picture is in the ring.
        case firstPictureStored
        /// The source has let go of its device: because it was asked to, or for the reason given.
        case sourceEnded(PluginFailure?)
        /// No picture came, and no reason why, within ``CameraDriver/startLimit``.
        case startLimitPassed
        /// The source did not end within ``CameraDriver/stopLimit``.
        case stopLimitPassed
    }

    /// What to do, in the order of the list.
    enum Action: Equatable {
        /// Start a thread for the source.
        case beginSource
        /// Take the ring away from it and ask it to end.
        case endSource
        case refuseStart(PluginFailure)
        /// Answer the start; nil for success.
        case endStart(PluginFailure?)
        /// Answer every stop that waits.
        case endStops(PluginFailure?)
        /// Tell the host that the stream stopped by itself.
        case reportStopped(PluginFailure)
    }

    enum State: Equatable {
        case idle
        case starting
        case streaming
        /// The source was asked to end; whether a start still waits for its answer.
        case stopping(hasStart: Bool)
        /// The source does not come back from its device; nothing can be started until it does.
        case hung
    }

    private(set) var state = State.idle

    mutating func apply(_ input: Input) -> [Action] {
        let (next, actions) = transition(input)
        state = next
        return actions
    }

    private func transition(_ input: Input) -> (State, [Action]) {
        switch input {
        case .startRequested: start()
        case .stopRequested: stop()
        case .firstPictureStored: state == .starting ? (.streaming, [.endStart(nil)]) : (state, [])
        case .sourceEnded(let failure): sourceEnded(failure)
        case .startLimitPassed:
            state == .starting ? (.hung, [.endSource, .endStart(.cameraHung)]) : (state, [])
        case .stopLimitPassed: stopLimitPassed()
        }
    }

    private func start() -> (State, [Action]) {
        switch state {
        case .idle: (.starting, [.beginSource])
        case .starting, .streaming, .stopping: (state, [.refuseStart(.cameraStartedAlready)])
        case .hung: (state, [.refuseStart(.cameraHung)])
        }
    }

    private func stop() -> (State, [Action]) {
        switch state {
        case .idle: (.idle, [.endStops(.cameraNotStarted)])
        case .starting: (.stopping(hasStart: true), [.endSource])
        case .streaming: (.stopping(hasStart: false), [.endSource])
        case .stopping: (state, [])
        case .hung: (.hung, [.endStops(.cameraHung)])
        }
    }

    private func sourceEnded(_ failure: PluginFailure?) -> (State, [Action]) {
        switch state {
        case .idle, .hung: (.idle, [])
        case .starting: (.idle, [.endSource, .endStart(failure ?? .cancelled)])
        case .streaming: (.idle, [.endSource, .reportStopped(failure ?? .cancelled)])
        case .stopping(let hasStart): (.idle, (hasStart ? [.endStart(.cancelled)] : []) + [.endStops(nil)])
        }
    }

    private func stopLimitPassed() -> (State, [Action]) {
        switch state {
        case .idle, .starting, .streaming, .hung: (state, [])
        case .stopping(let hasStart):
            (.hung, (hasStart ? [.endStart(.cancelled)] : []) + [.endStops(.cameraHung)])
        }
    }
}

extension PluginFailure {
    static let cameraStartedAlready = PluginFailure.wrongState("The camera is started already; stop it first.")
    static let cameraNotStarted = PluginFailure.wrongState("The camera is not started.")
    static let cameraHung = PluginFailure.failed(
        "camera_hung", "The camera's driver does not answer. Unplug the camera, plug it in and connect again.")
    static let noCameraThread = PluginFailure.failed(
        "no_thread", "The system has no threads left for the camera. Close other programs and try again.")
}
