import Foundation

/// What a companion is asked, and the URLs with which it comes back.
extension WearablesHub {
    package func handleUrl(_ url: URL) async throws(WearablesHandleURLError) -> Bool {
        try open(url) { [requestListeners] in requestListeners.announce($0) }
    }

    package func handleUrl(
        _ url: URL, onRegistrationRequest: @escaping @Sendable (RegistrationRequest) -> Void
    ) async throws(WearablesHandleURLError) -> Bool { try open(url, onRegistrationRequest) }

    package func addRegistrationRequestListener(
        _ listener: @escaping @Sendable (RegistrationRequest) -> Void
    ) -> any AnyListenerToken { requestListeners.listen(listener) }

    /// What became of a URL.
    private enum Use {
        case foreign
        case used
        case failed(WearablesHandleURLError)
    }

    private func open(
        _ url: URL, _ onRequest: @Sendable (RegistrationRequest) -> Void
    ) throws(WearablesHandleURLError) -> Bool {
        switch use(url, onRequest) {
        case .foreign: return false
        case .used: return true
        case .failed(let error): throw error
        }
    }

    private func use(_ url: URL, _ onRequest: @Sendable (RegistrationRequest) -> Void) -> Use {
        guard let callback = CallbackURL(url, scheme: configuration.appLinkURLScheme) else { return .foreign }
        switch callback {
        case .registration(let refusal):
            return accept(.registrationAnswered(refusal), url) && refusal == nil ? .used : .failed(.registrationError)
        case .unregistration(let refusal):
            return accept(.unregistrationAnswered(refusal), url) && refusal == nil
                ? .used : .failed(.unregistrationError)
        case .permission(let permission, let status):
            pass(.callbackArrived(permission, status), url)
            return .used
        case .permissionFailed(let permission, let refusal):
            pass(.callbackFailed(permission, refusal), url)
            return .used
        case .registrationRequest:
            let identifier = change { state -> UInt64? in
                guard state.registrationRequests.count < Self.maximumRegistrationRequests else { return nil }
                send(.openedURL(url.absoluteString), &state)
                return beginRegistrationRequest(link: nil, &state)
            }
            guard let identifier else { return .failed(.registrationError) }
            onRequest(RegistrationRequest(hub: self, identifier: identifier))
            return .used
        }
    }

    /// Applies an answer to a permission, of which the link is told.
    private func pass(_ input: PermissionMachine.Input, _ url: URL) {
        change { state in
            apply(input, to: &state)
            send(.openedURL(url.absoluteString), &state)
        }
    }

    /// Applies an answer of the companion, which the link is told of when it belonged to something.
    private func accept(_ input: RegistrationMachine.Input, _ url: URL) -> Bool {
        change { state in
            let isAccepted = apply(input, to: &state)
            if isAccepted { send(.openedURL(url.absoluteString), &state) }
            return isAccepted
        }
    }

    /// Lets a companion ask a person. It answers by a URL, now or later, or by the refusal that `fail` is given.
    func ask(
        _ companion: any WearablesCompanion, _ question: CompanionRequest.Question,
        orElse fail: @escaping @Sendable (Refusal) -> Void
    ) {
        let request = CompanionRequest(
            question: question, appName: configuration.appName, callbackScheme: configuration.appLinkURLScheme)
        Task { [self] in
            do throws(Refusal) {
                guard let url = try await companion.open(request) else { return }
                // An answer that says no, or that comes too late, has told whoever waited.
                guard case .foreign = use(url, { [requestListeners] in requestListeners.announce($0) }) else { return }
                fail(
                    Refusal(
                        .companion, "The companion came back with a URL that is none of this app's.", isRetryable: true)
                )
            } catch { fail(error) }
        }
    }
}

/// Registrations that the companion begins.
extension WearablesHub {
    /// A companion waits that long; so does the offer.
    static let registrationRequestTimeout = Duration.seconds(60)
    /// Offers that may be open at once; a companion has one, and each holds a place until it is answered.
    static let maximumRegistrationRequests = 8

    func offerRegistration(link: LinkRequest, _ state: inout HubState) {
        guard state.registrationRequests.count < Self.maximumRegistrationRequests else {
            return send(.answerRegistrationRequest(link, accepted: false), &state)
        }
        requestListeners.announce(
            RegistrationRequest(hub: self, identifier: beginRegistrationRequest(link: link, &state)))
    }

    func beginRegistrationRequest(link: LinkRequest?, _ state: inout HubState) -> UInt64 {
        let identifier = nextIdentifier()
        state.registrationRequests[identifier] = .some(link)
        schedule(.registrationRequest(identifier), after: Self.registrationRequestTimeout, &state)
        return identifier
    }

    func expireRegistrationRequest(_ identifier: UInt64, _ state: inout HubState) {
        guard let request = state.registrationRequests.removeValue(forKey: identifier) else { return }
        if let link = request { send(.answerRegistrationRequest(link, accepted: false), &state) }
    }

    func forgetRegistrationRequest(_ identifier: UInt64, _ state: inout HubState) {
        state.registrationRequests[identifier] = nil
        cancel(.registrationRequest(identifier), &state)
    }

    func declineRegistrationRequest(_ identifier: UInt64) throws(RegistrationRequestError) {
        let isOpen = change { state in
            guard let request = state.registrationRequests[identifier] else { return false }
            forgetRegistrationRequest(identifier, &state)
            if let link = request { send(.answerRegistrationRequest(link, accepted: false), &state) }
            return true
        }
        if !isOpen { throw .expired }
    }

    func acceptRegistrationRequest(_ identifier: UInt64) async throws(RegistrationRequestError) {
        let error = await withCheckedContinuation { waiter in
            change { beginAccepted(identifier, waiter, &$0) }
        }
        switch error {
        case nil, .alreadyRegistered: return
        case .timeout: throw .expired
        case .configurationInvalid, .metaAINotInstalled, .networkUnavailable, .unknown: throw .registrationFailed
        }
    }

    private func beginAccepted(
        _ identifier: UInt64, _ waiter: CheckedContinuation<RegistrationError?, Never>, _ state: inout HubState
    ) {
        guard let request = state.registrationRequests[identifier] else { return state.resume(waiter, .timeout) }
        forgetRegistrationRequest(identifier, &state)
        guard let link = request else {
            _ = beginRegistration(waiter, &state)
            return
        }
        send(.answerRegistrationRequest(link, accepted: true), &state)
        guard state.registration.state != .registered else { return state.resume(waiter, nil) }
        state.registrationWaiters.append(waiter)
        apply(.offerAccepted, to: &state)
    }
}
