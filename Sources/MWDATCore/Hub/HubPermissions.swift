/// Permissions and the companion's pages, as an app asks for them.
extension WearablesHub {
    /// The companion shows a page at once, or not at all.
    static let navigationTimeout = Duration.seconds(5)

    package func checkPermissionStatus(_ permission: Permission) async throws(PermissionError) -> PermissionStatus {
        try await ask(isRequest: false) { [self] waiter, state in
            let request = nextIdentifier()
            state.permissionWaiters[request] = waiter
            apply(PermissionMachine.Input.checkAsked(permission, request), to: &state)
        }
    }

    package func requestPermission(_ permission: Permission) async throws(PermissionError) -> PermissionStatus {
        try await ask(isRequest: true) { [self] waiter, state in
            let (check, request) = (nextIdentifier(), nextIdentifier())
            state.permissionWaiters[request] = waiter
            apply(PermissionMachine.Input.requestAsked(permission, check: check, ask: request), to: &state)
        }
    }

    private func ask(
        isRequest: Bool,
        _ begin: @Sendable (CheckedContinuation<PermissionMachine.Outcome, Never>, inout HubState) -> Void
    ) async throws(PermissionError) -> PermissionStatus {
        let outcome: PermissionMachine.Outcome = await withCheckedContinuation { waiter in
            change { state in
                if let refusal = Self.permissionRefusal(isRequest: isRequest, state) {
                    state.lastRefusals[.permission] = refusal.1
                    state.resume(waiter, .refused(refusal.0, refusal.1))
                } else {
                    begin(waiter, &state)
                }
            }
        }
        switch outcome {
        case .status(let status): return status
        case .refused(let error, _): throw error
        }
    }

    private static func permissionRefusal(isRequest: Bool, _ state: HubState) -> (PermissionError, Refusal)? {
        if let refusal = state.linkRefusal { return (PermissionError(refusal), refusal) }
        return PermissionMachine.refusal(
            isRegistered: state.registration.state == .registered, devices: state.roster.records, isRequest: isRequest)
    }

    func apply(_ input: PermissionMachine.Input, to state: inout HubState) {
        for action in state.permissions.apply(input, at: timekeeper.now) {
            switch action {
            case .sendCheck(let permission, let request): send(.checkPermission(permission, request), &state)
            case .askPerson(let permission, let request): askPerson(permission, request, &state)
            case .schedule(let request, let delay): schedule(.permission(request), after: delay, &state)
            case .cancel(let request): cancel(.permission(request), &state)
            case .finish(let request, let outcome):
                if case .refused(_, let refusal) = outcome {
                    state.lastRefusals[.permission] = refusal
                } else {
                    state.lastRefusals[.permission] = nil
                }
                if let waiter = state.permissionWaiters.removeValue(forKey: request) { state.resume(waiter, outcome) }
            }
        }
    }

    private func askPerson(_ permission: Permission, _ request: LinkRequest, _ state: inout HubState) {
        guard let companion = state.companion else { return send(.requestPermission(permission, request), &state) }
        ask(companion, .permission(permission)) { [self] refusal in
            change { apply(PermissionMachine.Input.failed(request, refusal), to: &$0) }
        }
    }
}

extension WearablesHub {
    package func openFirmwareUpdate() async throws(NavigationError) { try await navigate(.firmware) }

    package func openDATGlassesAppUpdate() async throws(NavigationError) { try await navigate(.glassesApp) }

    private func navigate(_ update: LinkUpdate) async throws(NavigationError) {
        let refusal = await withCheckedContinuation { waiter in
            change { begin(update, waiter, &$0) }
        }
        if let refusal { throw NavigationError(refusal) }
    }

    private func begin(
        _ update: LinkUpdate, _ waiter: CheckedContinuation<Refusal?, Never>, _ state: inout HubState
    ) {
        let request = nextIdentifier()
        state.navigationWaiters[request] = waiter
        if let refusal = state.linkRefusal ?? (state.registration.state == .registered ? nil : .notRegistered) {
            return finishNavigation(request, refusal, &state)
        }
        schedule(.navigation(request), after: Self.navigationTimeout, &state)
        guard let companion = state.companion else { return send(.openUpdate(update, request), &state) }
        let question: CompanionRequest.Question = update == .firmware ? .firmwareUpdate : .glassesAppUpdate
        show(companion, question, request)
    }

    /// A page has no answer: it was shown once the companion returns.
    private func show(
        _ companion: any WearablesCompanion, _ question: CompanionRequest.Question, _ request: LinkRequest
    ) {
        let asked = CompanionRequest(
            question: question, appName: configuration.appName, callbackScheme: configuration.appLinkURLScheme)
        Task { [self] in
            var refusal: Refusal?
            do throws(Refusal) { _ = try await companion.open(asked) } catch { refusal = error }
            change { [refusal] in finishNavigation(request, refusal, &$0) }
        }
    }

    func finishNavigation(_ request: LinkRequest, _ refusal: Refusal?, _ state: inout HubState) {
        cancel(.navigation(request), &state)
        guard let waiter = state.navigationWaiters.removeValue(forKey: request) else { return }
        state.lastRefusals[.navigation] = refusal
        state.resume(waiter, refusal)
    }
}
