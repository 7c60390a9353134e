/// How far the app's registration is, and what is still open.
struct RegistrationMachine: Sendable {
    /// What happened.
    enum Input: Equatable, Sendable {
        /// The link carries commands, but has not told the registration yet.
        case linkOpened
        case linkLost(Refusal)
        case linkReported(RegistrationState, Refusal?)
        case registrationAsked
        /// The app accepted what the companion offered over the link, which goes on by itself.
        case offerAccepted
        case unregistrationAsked
        /// A URL of the companion says that the person agreed, or why not.
        case registrationAnswered(Refusal?)
        case unregistrationAnswered(Refusal?)
        case timerFired(Int)
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case askToRegister
        case askToUnregister
        case cancelRegistration
        case schedule(Int, Duration)
        case cancel(Int)
        case announce(RegistrationState)
        /// Everybody who waits for a registration is told; nil when it succeeded.
        case endRegistration(Refusal?)
        case endUnregistration(Refusal?)
        /// The glasses do not trust the app any more: whatever it does with them ends.
        case endTrust(Refusal)
        /// The answer belongs to nothing that was asked.
        case refuseAnswer
    }

    /// A person needs that long to find a phone, and the companion's own dialog gives up earlier.
    static let timeout = Duration.seconds(60)
    /// An answer after the time-out still counts that long: the person agreed, and the app would have to ask again.
    static let lateAnswer = Duration.seconds(600)

    private enum Phase: Equatable {
        case idle(RegistrationState)
        case registering(timer: Int)
        case registered
        case unregistering(timer: Int)
    }

    /// Why nothing can be asked; until the link has told the registration, nobody knows whether there is one.
    private var unavailability: Refusal? = .notOpened
    private var isLinkOpen = false
    private var phase = Phase.idle(.unavailable)
    /// Numbers what was asked of the companion, and its limit of time.
    private(set) var attempts = 0
    /// Until when an answer to a registration that timed out counts.
    private var lateUntil: Uptime?
    private var announced = RegistrationState.unavailable

    /// The state that an app sees.
    var state: RegistrationState {
        guard unavailability == nil else { return .unavailable }
        switch phase {
        case .idle(let state): return state
        case .registering: return .registering
        case .registered, .unregistering: return .registered
        }
    }

    /// Why a registration cannot be asked for.
    var registrationRefusal: RegistrationError? {
        if let unavailability { return RegistrationError(unreachable: unavailability) }
        switch phase {
        case .registered, .unregistering: return .alreadyRegistered
        case .idle, .registering: return nil
        }
    }

    /// Why an unregistration cannot be asked for.
    var unregistrationRefusal: UnregistrationError? {
        if let unavailability {
            return unavailability.check == .configuration ? .configurationInvalid : .metaAINotInstalled
        }
        switch phase {
        case .registered, .unregistering: return nil
        case .idle, .registering: return .alreadyUnregistered
        }
    }

    mutating func apply(_ input: Input, at now: Uptime) -> [Action] {
        let actions: [Action]
        switch input {
        case .linkOpened:
            isLinkOpen = true
            actions = []
        case .linkLost(let refusal): actions = loseLink(refusal)
        case .linkReported(let state, let refusal): actions = report(state, refusal)
        case .registrationAsked: actions = askToRegister()
        case .offerAccepted: actions = becomeRegistering()
        case .unregistrationAsked: actions = askToUnregister()
        case .registrationAnswered(let refusal): actions = registrationAnswered(refusal, at: now)
        case .unregistrationAnswered(let refusal): actions = unregistrationAnswered(refusal)
        case .timerFired(let timer): actions = fire(timer, at: now)
        }
        guard state != announced else { return actions }
        announced = state
        return [.announce(state)] + actions
    }

    private mutating func askToRegister() -> [Action] {
        guard registrationRefusal == nil, case .idle = phase else { return [] }
        let timer = nextTimer()
        phase = .registering(timer: timer)
        return [.schedule(timer, Self.timeout), .askToRegister]
    }

    private mutating func askToUnregister() -> [Action] {
        guard unregistrationRefusal == nil, case .registered = phase else { return [] }
        let timer = nextTimer()
        phase = .unregistering(timer: timer)
        return [.schedule(timer, Self.timeout), .askToUnregister]
    }

    private mutating func report(_ state: RegistrationState, _ refusal: Refusal?) -> [Action] {
        guard isLinkOpen else { return [] }
        unavailability = nil
        switch state {
        case .unavailable, .available: return becomeIdle(state, refusal)
        case .registering: return becomeRegistering()
        case .registered: return becomeRegistered(refusal)
        }
    }

    private mutating func becomeIdle(_ state: RegistrationState, _ refusal: Refusal?) -> [Action] {
        defer { phase = .idle(state) }
        switch phase {
        case .idle: return []
        case .registering(let timer):
            return [.cancel(timer), .endRegistration(refusal ?? .registrationRefused)]
        case .registered: return [.endTrust(refusal ?? .unregistered)]
        case .unregistering(let timer):
            return [.cancel(timer), .endTrust(refusal ?? .unregistered), .endUnregistration(nil)]
        }
    }

    /// The companion registers the app by itself; that is bounded like a registration of ours.
    private mutating func becomeRegistering() -> [Action] {
        guard case .idle = phase else { return [] }
        let timer = nextTimer()
        phase = .registering(timer: timer)
        return [.schedule(timer, Self.timeout)]
    }

    private mutating func becomeRegistered(_ refusal: Refusal?) -> [Action] {
        lateUntil = nil
        switch phase {
        case .idle:
            phase = .registered
            return []
        case .registering(let timer):
            phase = .registered
            return [.cancel(timer), .endRegistration(nil)]
        case .registered: return []
        case .unregistering(let timer):
            phase = .registered
            return [.cancel(timer), .endUnregistration(refusal ?? .unregistrationRefused)]
        }
    }

    private mutating func registrationAnswered(_ refusal: Refusal?, at now: Uptime) -> [Action] {
        guard unavailability == nil else { return [.refuseAnswer] }
        switch phase {
        case .registering:
            guard let refusal else { return becomeRegistered(nil) }
            return becomeIdle(.available, refusal)
        case .idle:
            guard refusal == nil, let lateUntil, now <= lateUntil else { return [.refuseAnswer] }
            return becomeRegistered(nil)
        case .registered: return refusal == nil ? [] : [.refuseAnswer]
        case .unregistering: return [.refuseAnswer]
        }
    }

    private mutating func unregistrationAnswered(_ refusal: Refusal?) -> [Action] {
        guard unavailability == nil, case .unregistering = phase else { return [.refuseAnswer] }
        guard let refusal else { return becomeIdle(.available, nil) }
        return becomeRegistered(refusal)
    }

    private mutating func fire(_ timer: Int, at now: Uptime) -> [Action] {
        switch phase {
        case .registering(timer):
            phase = .idle(.available)
            lateUntil = now + Self.lateAnswer
            return [.cancelRegistration, .endRegistration(.registrationTimeout)]
        case .unregistering(timer):
            phase = .registered
            return [.endUnregistration(.unregistrationTimeout)]
        case .idle, .registering, .registered, .unregistering: return []
        }
    }

    private mutating func loseLink(_ refusal: Refusal) -> [Action] {
        unavailability = refusal
        isLinkOpen = false
        defer { phase = .idle(.unavailable) }
        switch phase {
        case .idle, .registered: return []
        case .registering(let timer): return [.cancel(timer), .endRegistration(refusal)]
        case .unregistering(let timer): return [.cancel(timer), .endUnregistration(refusal)]
        }
    }

    private mutating func nextTimer() -> Int {
        attempts += 1
        return attempts
    }
}
