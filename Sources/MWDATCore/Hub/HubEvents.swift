/// What the link tells.
extension WearablesHub {
    func receive(_ event: LinkEvent, from link: any WearablesLink) {
        change { state in
            guard state.link === link else { return }
            if let destination = event.destination {
                receive(event, for: destination.session, destination.kind, &state)
            } else {
                receive(event, &state)
            }
        }
    }

    private func receive(_ event: LinkEvent, _ state: inout HubState) {
        switch event {
        case .available(let peer):
            state.peer = peer
            guard state.linkRefusal != nil else { return }
            state.linkRefusal = nil
            apply(RegistrationMachine.Input.linkOpened, to: &state)
        case .unavailable(let refusal): loseLink(refusal, &state)
        case .registration(let registration, let refusal): apply(.linkReported(registration, refusal), to: &state)
        case .registrationRequested(let request, _): offerRegistration(link: request, &state)
        case .devices(let devices):
            state.release(state.roster.replace(devices))
            devicesChanged(&state)
        case .device(let device):
            state.roster.update(device)
            devicesChanged(&state)
        case .permission(let request, let status): apply(.answered(request, status), to: &state)
        case .permissionFailed(let request, let refusal): apply(.failed(request, refusal), to: &state)
        case .navigation(let request, let refusal): finishNavigation(request, refusal, &state)
        case .sessionStarted, .sessionPaused, .sessionResumed, .sessionWarned, .sessionEnded, .streamStarted,
            .streamPaused, .streamResumed, .streamEnded, .frame, .audio, .photo, .photoFailed, .displayStarted,
            .displayEnded, .viewShown, .viewFailed, .viewTapped, .playback:
            // These have a session, and went there.
            return
        }
    }

    /// Everything that the link carried ends.
    func loseLink(_ refusal: Refusal, _ state: inout HubState) {
        state.linkRefusal = refusal
        state.peer = nil
        for session in Array(state.sessions.keys) { apply(.linkLost(refusal), to: session, &state) }
        apply(RegistrationMachine.Input.linkLost(refusal), to: &state)
        apply(PermissionMachine.Input.linkLost(refusal), to: &state)
        for request in Array(state.navigationWaiters.keys) { finishNavigation(request, refusal, &state) }
        for identifier in Array(state.registrationRequests.keys) { forgetRegistrationRequest(identifier, &state) }
        state.release(state.roster.replace([]))
        devicesChanged(&state)
    }

    /// Apps see glasses only while they are registered.
    func devicesChanged(_ state: inout HubState) {
        let visible = state.registration.state == .registered ? state.roster.identifiers : []
        if visible != state.visibleDevices {
            state.visibleDevices = visible
            deviceStreams.send(visible)
            deviceListeners.announce(visible)
        }
        for (identifier, entry) in state.sessions { deviceChanged(entry.device, session: identifier, &state) }
    }

    func schedule(_ timer: HubTimer, after delay: Duration, _ state: inout HubState) {
        state.timers[timer] = timekeeper.after(delay) { [weak self] in self?.fire(timer) }
    }

    func cancel(_ timer: HubTimer, _ state: inout HubState) { state.timers.removeValue(forKey: timer)?.cancel() }

    private func fire(_ timer: HubTimer) {
        change { state in
            guard state.timers.removeValue(forKey: timer) != nil else { return }
            switch timer {
            case .registration(let number): apply(.timerFired(number), to: &state)
            case .permission(let request): apply(PermissionMachine.Input.timerFired(request), to: &state)
            case .navigation(let request): finishNavigation(request, .navigationTimeout, &state)
            case .registrationRequest(let identifier): expireRegistrationRequest(identifier, &state)
            case .session(let session, let timer): apply(.timerFired(timer), to: session, &state)
            }
        }
    }
}
