import Foundation

/// Registration, as an app asks for it.
extension WearablesHub {
    package var registrationState: RegistrationState { change { $0.registration.state } }

    package func addRegistrationStateListener(
        _ listener: @escaping @Sendable (RegistrationState) -> Void
    ) -> any AnyListenerToken { registrationListeners.listen(listener) }

    package func registrationStateStream() -> AsyncStream<RegistrationState> { registrationStreams.stream() }

    package func startRegistration() throws(RegistrationError) {
        if let error = change({ beginRegistration(nil, &$0) }) { throw error }
    }

    package func startRegistration() async throws(RegistrationError) {
        let error = await withCheckedContinuation { waiter in change { _ = beginRegistration(waiter, &$0) } }
        if let error { throw error }
    }

    package func startUnregistration() throws(UnregistrationError) {
        if let error = change({ beginUnregistration(nil, &$0) }) { throw error }
    }

    package func startUnregistration() async throws(UnregistrationError) {
        let error = await withCheckedContinuation { waiter in change { _ = beginUnregistration(waiter, &$0) } }
        if let error { throw error }
    }

    /// Asks, or joins who asked before. `waiter` is told how it ended, at once when it cannot be asked.
    func beginRegistration(
        _ waiter: CheckedContinuation<RegistrationError?, Never>?, _ state: inout HubState
    ) -> RegistrationError? {
        let isConfigured = !state.problems.contains { $0.severity != .onPhonesOnly }
        if let error = state.registration.registrationRefusal ?? (isConfigured ? nil : .configurationInvalid) {
            state.lastRefusals[.registration] =
                switch error {
                case .alreadyRegistered: .alreadyRegistered
                case .configurationInvalid: .configurationInvalid
                case .metaAINotInstalled, .networkUnavailable, .timeout, .unknown: state.linkRefusal ?? .notOpened
                }
            if let waiter { state.resume(waiter, error) }
            return error
        }
        if let waiter { state.registrationWaiters.append(waiter) }
        apply(.registrationAsked, to: &state)
        return nil
    }

    private func beginUnregistration(
        _ waiter: CheckedContinuation<UnregistrationError?, Never>?, _ state: inout HubState
    ) -> UnregistrationError? {
        if let error = state.registration.unregistrationRefusal {
            state.lastRefusals[.unregistration] =
                error == .alreadyUnregistered ? .notRegistered : state.linkRefusal ?? .notOpened
            if let waiter { state.resume(waiter, error) }
            return error
        }
        if let waiter { state.unregistrationWaiters.append(waiter) }
        apply(.unregistrationAsked, to: &state)
        return nil
    }

    /// Applies an input of the registration, and does what follows; false when an answer belonged to nothing.
    @discardableResult
    func apply(_ input: RegistrationMachine.Input, to state: inout HubState) -> Bool {
        var isAccepted = true
        for action in state.registration.apply(input, at: timekeeper.now) {
            switch action {
            case .askToRegister: askToRegister(&state)
            case .askToUnregister: askToUnregister(&state)
            case .cancelRegistration: send(.cancelRegistration, &state)
            case .schedule(let timer, let delay): schedule(.registration(timer), after: delay, &state)
            case .cancel(let timer): cancel(.registration(timer), &state)
            case .announce(let registration):
                registrationStreams.send(registration)
                registrationListeners.announce(registration)
            case .endRegistration(let refusal): endRegistration(refusal, &state)
            case .endUnregistration(let refusal): endUnregistration(refusal, &state)
            case .endTrust(let refusal):
                for session in Array(state.sessions.keys) { apply(.trustLost(refusal), to: session, &state) }
            case .refuseAnswer: isAccepted = false
            }
        }
        devicesChanged(&state)
        return isAccepted
    }

    private func endRegistration(_ refusal: Refusal?, _ state: inout HubState) {
        state.lastRefusals[.registration] = refusal
        let isUnreachable = state.linkRefusal != nil
        let error = refusal.map {
            isUnreachable ? RegistrationError(unreachable: $0) : RegistrationError(answer: $0)
        }
        for waiter in state.registrationWaiters { state.resume(waiter, error) }
        state.registrationWaiters = []
    }

    private func endUnregistration(_ refusal: Refusal?, _ state: inout HubState) {
        state.lastRefusals[.unregistration] = refusal
        let error = refusal.map(UnregistrationError.init(answer:))
        for waiter in state.unregistrationWaiters { state.resume(waiter, error) }
        state.unregistrationWaiters = []
    }

    private func askToRegister(_ state: inout HubState) {
        guard let companion = state.companion else {
            return send(.register(configuration.linkApp), &state)
        }
        ask(companion, .register, orElse: refusing(state) { .registrationAnswered($0) })
    }

    private func askToUnregister(_ state: inout HubState) {
        guard let companion = state.companion else { return send(.unregister, &state) }
        ask(companion, .unregister, orElse: refusing(state) { .unregistrationAnswered($0) })
    }

    /// Takes a companion's refusal of what is asked now. One that comes when something else is asked is nobody's.
    private func refusing(
        _ state: HubState, _ input: @escaping @Sendable (Refusal) -> RegistrationMachine.Input
    ) -> @Sendable (Refusal) -> Void {
        let attempt = state.registration.attempts
        return { [self] refusal in
            change { state in
                if state.registration.attempts == attempt { apply(input(refusal), to: &state) }
            }
        }
    }
}

extension Configuration {
    /// What the companion is told of the app.
    package var linkApp: LinkApp {
        LinkApp(
            identifier: bundleIdentifier, name: appName, version: appVersion, callbackScheme: appLinkURLScheme)
    }
}
