import GlassesDomain

/// What moves a session between its states.
public enum LifecycleEvent: String, Sendable, Hashable, CaseIterable {
    /// The app calls `start()`.
    case start
    /// The app calls `wake()`.
    case wake
    /// The app, a phrase, silence or a lost device asks for sleep.
    case sleep
    /// The app calls `stop()`.
    case stop
    /// A connection is open, its session accepted and the history replayed.
    case connected
    /// An attempt at a connection failed and may succeed later.
    case connectFailed
    /// The connection ended, or there is none to wait for.
    case connectionLost
    /// A final refusal, or the reconnect policy is exhausted.
    case gaveUp
}

/// Why an operation may not run.
public enum LifecycleRefusal: String, Sendable, Hashable {
    case sessionEnded
    case notReady
}

/// What an event means in a state.
public enum LifecycleVerdict: Sendable, Hashable {
    /// Do it; the session is in this state from now on.
    case proceed(AssistantState)
    /// The operation succeeds without an effect.
    case noOp
    /// The operation stays in line until the state has changed.
    case wait
    /// The operation fails.
    case fail(LifecycleRefusal)
    /// The connection came too late and is closed.
    case closeLateConnection
    /// The fact changes nothing.
    case ignore
}

/// The lifecycle of a session: eight states, eight events, one verdict for each of the 64 pairs.
///
/// An operation's verdict is taken when it is first in line (``OperationLine``), a fact's when it arrives. The machine needs no clock.
public struct SessionStateMachine: Sendable, Hashable {
    /// The current state; `idle` at first.
    public private(set) var state = AssistantState.idle

    /// A machine in `idle`.
    public init() {}

    /// Applies an event and moves to the new state if the verdict says so.
    public mutating func apply(_ event: LifecycleEvent) -> LifecycleVerdict {
        let verdict = Self.verdict(on: event, in: state)
        if case .proceed(let next) = verdict { state = next }
        return verdict
    }

    /// The verdict on an event in a state.
    public static func verdict(on event: LifecycleEvent, in state: AssistantState) -> LifecycleVerdict {
        switch event {
        case .start: onStart(in: state)
        case .wake: onWake(in: state)
        case .sleep: onSleep(in: state)
        case .stop: onStop(in: state)
        case .connected: onConnected(in: state)
        case .connectFailed: onConnectFailed(in: state)
        case .connectionLost: onConnectionLost(in: state)
        case .gaveUp: onGaveUp(in: state)
        }
    }

    private static func onStart(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .idle: .proceed(.dormant)
        case .dormant, .activating, .active, .reconnecting, .sleeping: .noOp
        case .stopping, .stopped: .fail(.sessionEnded)
        }
    }

    private static func onWake(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .idle: .fail(.notReady)
        case .dormant: .proceed(.activating)
        case .activating, .active, .reconnecting: .noOp
        case .sleeping: .wait
        case .stopping, .stopped: .fail(.sessionEnded)
        }
    }

    private static func onSleep(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .idle, .dormant, .sleeping: .noOp
        case .activating, .active, .reconnecting: .proceed(.sleeping)
        case .stopping, .stopped: .fail(.sessionEnded)
        }
    }

    private static func onStop(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .idle, .dormant, .activating, .active, .reconnecting, .sleeping: .proceed(.stopping)
        case .stopping, .stopped: .noOp
        }
    }

    private static func onConnected(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .activating, .reconnecting: .proceed(.active)
        case .idle, .dormant, .active, .sleeping, .stopping, .stopped: .closeLateConnection
        }
    }

    private static func onConnectFailed(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .activating: .proceed(.dormant)
        case .reconnecting: .proceed(.reconnecting)
        case .idle, .dormant, .active, .sleeping, .stopping, .stopped: .ignore
        }
    }

    private static func onConnectionLost(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .active: .proceed(.reconnecting)
        case .activating, .sleeping: .proceed(.dormant)
        case .stopping: .proceed(.stopped)
        case .idle, .dormant, .reconnecting, .stopped: .ignore
        }
    }

    private static func onGaveUp(in state: AssistantState) -> LifecycleVerdict {
        switch state {
        case .active, .reconnecting: .proceed(.stopped)
        case .activating: .proceed(.dormant)
        case .idle, .dormant, .sleeping, .stopping, .stopped: .ignore
        }
    }
}
