/// What a hub keeps under its lock: machines, and handles by identifier.
struct HubState {
    var link: any WearablesLink
    var companion: (any WearablesCompanion)?
    /// Who answers at the link's other end.
    var peer: LinkPeer?
    /// Why the link carries nothing.
    var linkRefusal: Refusal? = .notOpened
    var registration = RegistrationMachine()
    var permissions = PermissionMachine()
    var roster: DeviceRoster
    var sessions: [LinkSession: SessionEntry] = [:]
    let problems: [ConfigurationProblem]
    var lastRefusals: [WearablesOperation: Refusal] = [:]
    var isInBackground = false
    var visibleDevices: [DeviceIdentifier] = []

    var registrationWaiters: [CheckedContinuation<RegistrationError?, Never>] = []
    var unregistrationWaiters: [CheckedContinuation<UnregistrationError?, Never>] = []
    var permissionWaiters: [LinkRequest: CheckedContinuation<PermissionMachine.Outcome, Never>] = [:]
    var navigationWaiters: [LinkRequest: CheckedContinuation<Refusal?, Never>] = [:]
    /// Offers that the app has not answered, with the link's name for each; nil for one that came by a URL.
    var registrationRequests: [UInt64: LinkRequest?] = [:]
    var timers: [HubTimer: any PendingTimer] = [:]
    /// Listeners of the first eras' session states, by device.
    var sessionStates: [DeviceIdentifier: SessionStateSource] = [:]
    /// What is told to waiting callers once the lock is free.
    var replies: [@Sendable () -> Void] = []

    init(link: any WearablesLink, roster: DeviceRoster, problems: [ConfigurationProblem]) {
        self.link = link
        self.roster = roster
        self.problems = problems
    }

    /// Lets `continuation` go on with `value` once the lock is free.
    mutating func resume<T: Sendable>(_ continuation: CheckedContinuation<T, Never>, _ value: T) {
        replies.append { continuation.resume(returning: value) }
    }

    /// Forgets sessions that an app dropped before starting them: nobody can start them any more.
    mutating func forgetAbandonedSessions() {
        for (identifier, entry) in sessions where entry.keeper == nil {
            if let session = entry.session {
                // The reference that was just made may be the last one by now.
                release(session)
            } else {
                sessions[identifier] = nil
            }
        }
    }

    /// Lets go of `object` once the lock is free: with it objects of the app may go, whose ends may call the toolkit.
    mutating func release(_ object: some Sendable) { replies.append { withExtendedLifetime(object) {} } }
}

/// A limit of time of the hub's.
enum HubTimer: Hashable, Sendable {
    case registration(Int)
    case permission(LinkRequest)
    case navigation(LinkRequest)
    case registrationRequest(UInt64)
    case session(LinkSession, DeviceSessionStateMachine.Timer)
}

/// What an app asks for, to look up its last refusal.
public enum WearablesOperation: String, Sendable, CaseIterable {
    /// Registration, asked for by either side.
    case registration
    /// Unregistration.
    case unregistration
    /// A permission's check or request.
    case permission
    /// A page of the companion.
    case navigation
    /// Making, starting or keeping a session.
    case session
}
