import MWDATCore

/// The life of a camera: it is attached when it is made, and it is stopped when its stream has stopped and it is detached.
struct CameraStateMachine: Sendable {
    /// What happened.
    enum Input: Sendable, Equatable {
        case stopRequested
        /// The session ends; nil when the app asked for it.
        case sessionEnded(Refusal?)
        /// The stream has given the camera back, or has nothing to give.
        case streamReleased
    }

    /// What has to be done, in this order.
    enum Action: Sendable, Equatable {
        case publishState(CameraState)
        /// Stops the stream because the app stops the camera.
        case stopStream
        /// Ends the stream because the session ends.
        case endStream(Refusal?)
        case detach
    }

    private(set) var state = CameraState.started
    /// Why the camera ended; nil while it has not, and when the app ended it.
    private(set) var endReason: Refusal?

    mutating func apply(_ input: Input) -> [Action] {
        switch (input, state) {
        case (.stopRequested, .started), (.stopRequested, .starting): return [enter(.stopping), .stopStream]
        case (.sessionEnded(let reason), .started), (.sessionEnded(let reason), .starting):
            endReason = reason
            return [enter(.stopping), .endStream(reason)]
        case (.sessionEnded(let reason), .stopping): return [.endStream(reason)]
        case (.streamReleased, .stopping): return [.detach, enter(.stopped)]
        case (.streamReleased, .starting), (.streamReleased, .started), (.streamReleased, .stopped),
            (.stopRequested, .stopping), (.stopRequested, .stopped), (.sessionEnded, .stopped):
            return []
        }
    }

    private mutating func enter(_ state: CameraState) -> Action {
        self.state = state
        return .publishState(state)
    }
}
