import Dispatch

/// Sessions, as an app asks for them.
extension WearablesHub {
    package func createSession(
        deviceSelector: any DeviceSelector, takingOver: Bool
    ) throws(DeviceSessionError) -> DeviceSession {
        // An explicit choice is looked at here, with its reason; the selector may be an app's own, and is asked without the lock.
        let chosen = (deviceSelector as? SpecificDeviceSelector)?.device ?? deviceSelector.activeDevice
        let result = change { makeSession(for: chosen, takingOver: takingOver, &$0) }
        return try result.get()
    }

    private func makeSession(
        for chosen: DeviceIdentifier?, takingOver: Bool, _ state: inout HubState
    ) -> Result<DeviceSession, DeviceSessionError> {
        if let refusal = Self.sessionRefusal(chosen, state) {
            state.lastRefusals[.session] = refusal
            return .failure(.noEligibleDevice)
        }
        guard let device = chosen else { return .failure(.noEligibleDevice) }
        state.forgetAbandonedSessions()
        let earlier = state.sessions.filter { $0.value.device == device }.keys.sorted()
        guard takingOver || earlier.isEmpty else {
            state.lastRefusals[.session] = .sessionExists
            return .failure(.sessionAlreadyExists)
        }
        // One of them may still end; another waits for that, as the new one does.
        for session in earlier { apply(.takenOver(.takenOver), to: session, &state) }
        let session = DeviceSession(device: device, linkSession: nextIdentifier(), hub: self)
        state.sessions[session.linkSession] = SessionEntry(device: device, session: session, takesOver: takingOver)
        return .success(session)
    }

    /// Why those glasses cannot carry a session.
    static func sessionRefusal(_ device: DeviceIdentifier?, _ state: HubState) -> Refusal? {
        if let refusal = state.linkRefusal { return refusal }
        guard state.registration.state == .registered else { return .notRegistered }
        guard let device else {
            guard !state.visibleDevices.isEmpty else { return .noSuchDevice }
            // The selector's own rule is not known here; what keeps the first glasses from being chosen says more than nothing.
            let refusals = state.roster.records.lazy.compactMap {
                Eligibility.refusal(ofAutomatic: $0, requiresDonned: true)
            }
            return refusals.first ?? .noSelection
        }
        return Eligibility.refusal(of: state.roster.record(device))
    }

    func start(_ session: DeviceSession) throws(DeviceSessionError) {
        let error = change { state -> DeviceSessionError? in
            guard let entry = state.sessions[session.linkSession] else { return .sessionAlreadyStopped }
            if let refusal = entry.machine.startRefusal { return refusal }
            guard entry.machine.state == .idle else { return nil }
            if let refusal = Self.sessionRefusal(entry.device, state) {
                state.lastRefusals[.session] = refusal
                return .noEligibleDevice
            }
            state.sessions[session.linkSession]?.keeper = session
            apply(.startAsked(isReady: isReady(session.linkSession, state)), to: session.linkSession, &state)
            return nil
        }
        if let error { throw error }
    }

    func stop(_ session: DeviceSession) { change { apply(.stopAsked, to: session.linkSession, &$0) } }

    func attach(_ capability: any SessionCapability, to session: DeviceSession) throws(DeviceSessionError) {
        let error = change { state -> DeviceSessionError? in
            guard let machine = state.sessions[session.linkSession]?.machine else { return .sessionAlreadyStopped }
            if let refusal = machine.attachRefusal(capability.kind) { return refusal }
            state.sessions[session.linkSession]?.capabilities[capability.kind] = capability
            apply(.capabilityAttached(capability.kind), to: session.linkSession, &state)
            return nil
        }
        if let error { throw error }
    }

    func detach(_ capability: any SessionCapability, from session: DeviceSession) {
        change { state in
            let kind = capability.kind
            guard state.sessions[session.linkSession]?.capabilities[kind] === capability else { return }
            state.sessions[session.linkSession]?.capabilities[kind] = nil
            apply(.capabilityDetached(kind), to: session.linkSession, &state)
        }
    }

    func remove(_ capability: (any SessionCapability)?, from session: DeviceSession) throws(DeviceSessionError) {
        let error = change { state -> DeviceSessionError? in
            guard let entry = state.sessions[session.linkSession] else { return .sessionAlreadyStopped }
            guard let capability, entry.capabilities[capability.kind] === capability else { return .capabilityNotFound }
            work.async { capability.sessionEnding(nil) }
            return nil
        }
        if let error { throw error }
    }

    func send(_ command: LinkCommand, for session: LinkSession) {
        change { state in
            // A session that is over has nothing to say to the glasses.
            if state.sessions[session] != nil { send(command, &state) }
        }
    }
}

/// What happens to sessions.
extension WearablesHub {
    func receive(
        _ event: LinkEvent, for session: LinkSession, _ kind: CapabilityKind?, _ state: inout HubState
    ) {
        guard let entry = state.sessions[session] else {
            // The glasses opened what we had given up: nobody else would close it.
            if case .sessionStarted = event { send(.closeSession(session), &state) }
            return
        }
        if let kind {
            deliver(event, to: entry.capabilities[kind], through: entry.gate)
        } else if let input = DeviceSessionStateMachine.Input(event) {
            noteRefusal(event, of: entry.device, &state)
            apply(input, to: session, &state)
        }
    }

    private func deliver(_ event: LinkEvent, to capability: (any SessionCapability)?, through gate: FrameGate) {
        guard let capability else { return }
        guard case .frame(_, _, let frame) = event else {
            return work.async { capability.sessionDelivered(event) }
        }
        guard gate.admits(frame) else { return }
        work.async {
            gate.passed()
            capability.sessionDelivered(event)
        }
    }

    /// What a start enforces is what a device's `compatibility()` says.
    private func noteRefusal(_ event: LinkEvent, of device: DeviceIdentifier, _ state: inout HubState) {
        guard case .sessionEnded(_, let refusal?) = event, refusal.check == .compatibility else { return }
        state.roster.refusedForCompatibility(device)
    }

    func apply(_ input: DeviceSessionStateMachine.Input, to session: LinkSession, _ state: inout HubState) {
        guard let actions = state.sessions[session]?.machine.apply(input, at: timekeeper.now) else { return }
        for action in actions { perform(action, of: session, &state) }
    }

    private func perform(
        _ action: DeviceSessionStateMachine.Action, of session: LinkSession, _ state: inout HubState
    ) {
        guard let entry = state.sessions[session] else { return }
        let object = entry.keeper ?? entry.session
        switch action {
        case .open: send(.openSession(session, device: entry.device, takesOver: entry.takesOver), &state)
        case .close: send(.closeSession(session), &state)
        case .enter(let entered):
            object?.enter(entered)
            if entered == .started { state.lastRefusals[.session] = nil }
            state.sessionStates[entry.device]?.tell(SessionState(entered))
        case .explain(let reason):
            object?.explain(reason)
            state.lastRefusals[.session] = reason
        case .report(let error): object?.report(error)
        case .pauseCapabilities: tell(entry) { $0.sessionPaused() }
        case .resumeCapabilities: tell(entry) { $0.sessionResumed() }
        case .endCapabilities(let reason): tell(entry) { $0.sessionEnding(reason) }
        case .schedule(let timer): schedule(.session(session, timer), after: timer.delay, &state)
        case .cancel(let timer): cancel(.session(session, timer), &state)
        case .end: end(session, object, &state)
        }
        if let object { state.release(object) }
    }

    private func tell(_ entry: SessionEntry, _ body: @escaping @Sendable (any SessionCapability) -> Void) {
        for capability in entry.capabilities.values { work.async { body(capability) } }
    }

    private func end(_ session: LinkSession, _ object: DeviceSession?, _ state: inout HubState) {
        object?.finish()
        guard let entry = state.sessions.removeValue(forKey: session) else { return }
        for capability in entry.capabilities.values { state.release(capability) }
        for (identifier, waiting) in state.sessions where waiting.device == entry.device {
            deviceChanged(waiting.device, session: identifier, &state)
        }
    }

    /// Whether the glasses can be asked for the session: they are connected, and no earlier session holds them.
    private func isReady(_ session: LinkSession, _ state: HubState) -> Bool {
        guard let device = state.sessions[session]?.device else { return false }
        let isHeld = state.sessions.contains { $0.value.device == device && $0.key < session }
        return !isHeld && state.roster.record(device)?.state.linkState == .connected
    }

    func deviceChanged(_ device: DeviceIdentifier, session: LinkSession, _ state: inout HubState) {
        guard let machine = state.sessions[session]?.machine else { return }
        let record = state.roster.record(device)
        if machine.isWaiting {
            if isReady(session, state) { apply(.becameReady, to: session, &state) }
        } else if let record, record.state.linkState != .disconnected {
            apply(.deviceFound, to: session, &state)
        } else {
            apply(.deviceLost(record?.state.hingeState == .closed ? .deviceFolded : .deviceGone), to: session, &state)
        }
    }
}

extension DeviceSessionStateMachine.Input {
    /// What an event of the session itself is to the machine.
    init?(_ event: LinkEvent) {
        switch event {
        case .sessionStarted: self = .linkStarted
        case .sessionPaused: self = .linkPaused
        case .sessionResumed: self = .linkResumed
        case .sessionWarned(_, let refusal): self = .linkWarned(refusal)
        case .sessionEnded(_, let refusal): self = .linkEnded(refusal)
        case .available, .unavailable, .registration, .registrationRequested, .devices, .device, .permission,
            .permissionFailed, .navigation, .streamStarted, .streamPaused, .streamResumed, .streamEnded, .frame, .audio,
            .photo, .photoFailed, .displayStarted, .displayEnded, .viewShown, .viewFailed, .viewTapped, .playback:
            return nil
        }
    }
}
