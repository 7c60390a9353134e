import GlassesDomain

extension SessionMachine {
    /// Begins an attempt that has `limit` until the session is accepted and has its history.
    mutating func openConnection(within limit: Duration) {
        let id = ConnectionID(newNumber())
        link = .opening(id)
        beginConnection(ServerSessionFacts())
        act(.connection(.open(id)))
        schedule(.connectionSetup(id), after: limit)
    }

    /// What was known of the connection before does not hold for this one.
    mutating func beginConnection(_ facts: ServerSessionFacts) {
        server = facts
        hasSessionExpired = false
        unacknowledged = []
        video.forget()
        blindness.isModelTold = false
        forgetDeviceNote()
    }

    mutating func connectionOpened(_ id: ConnectionID) {
        if let second, second.id == id { return secondOpened(second) }
        guard case .opening(id) = link else {
            if link.id != id { closeConnection(id) }
            return
        }
        let eventID = newID("update")
        link = .configuring(id, eventID: eventID)
        deviceNotes.told = deviceNotes.current?.fingerprint
        act(.send(.updateSession(eventID: eventID), on: id))
    }

    /// The provider accepted the session: give it the history before anything else.
    mutating func sessionAccepted(_ id: ConnectionID) {
        var items = history.takeReplay(keptAudio: Set(speech.items))
        if let preamble = memory.preamble { items.insert(.systemText(id: newItemID(), text: preamble), at: 0) }
        memory.isUntold = false
        guard !items.isEmpty else {
            connectionReady(id)
            return
        }
        var awaited: [String: String] = [:]
        for item in items {
            let eventID = newID("create")
            awaited[item.id] = eventID
            act(.send(.createItem(eventID: eventID, item), on: id))
        }
        link = .replaying(id, awaited: awaited)
        schedule(.replay(id), after: Limits.replay)
    }

    /// A replayed item was taken or refused.
    mutating func replayProceeded(_ id: ConnectionID, _ awaited: [String: String]) {
        guard awaited.isEmpty else {
            link = .replaying(id, awaited: awaited)
            return
        }
        connectionReady(id)
    }

    private mutating func connectionReady(_ id: ConnectionID) {
        cancel(.replay(id))
        cancel(.connectionSetup(id))
        let wasReconnecting = state == .reconnecting
        guard case .proceed = lifecycle.apply(.connected) else { return }
        link = .open(id)
        schedule(.connectionGood(id), after: Limits.connectionGood)
        act(.enter(.active))
        connectionBegan()
        tellMemory()
        settleDeviceNote()
        if wasReconnecting { resume() } else { begin() }
        runLine()
    }

    /// Only the first activation of a session greets: whoever is woken again knows the user, and the history says so.
    private mutating func begin() {
        let model = server.model ?? configuration.defaultModel
        notify(.sessionStarted(provider: configuration.providerName, model: model, voice: server.voice))
        openMicrophone()
        awaitDevice()
        // A call of the last time awake can have ended while its conversation was replayed.
        sendUnsent()
        endTurn(.succeeded)
        applyGate(.holdEnded(.disconnected))
        greetOnce()
        if configuration.hasWakeHook { act(.hook(.run(.onWake))) }
    }

    private mutating func greetOnce() {
        guard !hasGreeted else { return }
        hasGreeted = true
        switch configuration.greeting {
        case .none: break
        // Outside the conversation, because there no provider cuts it either.
        case .compose(let directive) where configuration.protectsGreeting:
            applyGate(.wished(AnswerWish(purpose: .greetAside(directive: directive), isProtected: true)))
        case .compose(let directive):
            applyGate(.wished(AnswerWish(purpose: .greeting(directive: directive))))
        case .speak(let text):
            applyGate(.wished(AnswerWish(purpose: .say(text: text), isProtected: configuration.protectsGreeting)))
        }
    }

    private mutating func resume() {
        let downtime = lostAt.map { $0.duration(to: now).wholeMilliseconds } ?? 0
        lostAt = nil
        notify(.reconnected(reason: reconnectReason, downtimeMs: downtime))
        openMicrophone()
        awaitResentSpeech()
        allChoicesTaken()
        sendUnsent()
        applyGate(.holdEnded(.disconnected))
    }

    // MARK: - Ends

    mutating func connectionFailed(_ id: ConnectionID, _ closure: ConnectionClosure) {
        if let second, second.id == id { return secondEnded(closure, second) }
        connectionLeft(id)
        switch link {
        case .opening(id): attemptFailed(id, closure, event: .connectFailed)
        case .closing(id): connectionGone()
        case .none, .waiting, .opening, .configuring, .replaying, .open, .closing, .replacing: break
        }
    }

    mutating func connectionClosed(_ id: ConnectionID, _ closure: ConnectionClosure) {
        if let second, second.id == id { return secondEnded(closure, second) }
        connectionLeft(id)
        switch link {
        case .opening(id): attemptFailed(id, closure, event: .connectFailed)
        case .configuring(id, _), .replaying(id, _): attemptFailed(id, closure, event: .connectionLost)
        case .open(id): connectionLost(id, closure)
        case .closing(id): connectionGone()
        case .replacing(id): openConnection(within: Limits.connectionSetup)
        // A connection that was given up before it ended.
        case .none, .waiting, .opening, .configuring, .replaying, .open, .closing, .replacing: break
        }
    }

    /// The attempt takes too long, or the provider refused the session.
    mutating func abandonAttempt(
        _ id: ConnectionID, _ closure: ConnectionClosure, event: LifecycleEvent, failure: SessionFailure? = nil
    ) {
        closeConnection(id)
        attemptFailed(id, closure, event: event, failure: failure)
    }

    private mutating func attemptFailed(
        _ id: ConnectionID, _ closure: ConnectionClosure, event: LifecycleEvent, failure: SessionFailure? = nil
    ) {
        var unsettled = unacknowledged
        // Sorted, since equal inputs must give equal actions.
        if case .replaying(_, let awaited) = link { unsettled = awaited.keys.sorted() }
        let left = deadlines[.connectionSetup(id)].map { now.duration(to: $0) } ?? .zero
        link = .none
        cancel(.connectionSetup(id))
        cancel(.replay(id))
        if closure.closeCode == Self.tooBigCode { leaveOutLargest(of: unsettled) }
        guard state == .activating else {
            if event == .gaveUp { giveUp(closure) } else { retry(closure) }
            return
        }
        // A new attempt asks for a new token; the wake goes on with what is left of its time.
        if closure.httpStatus == 401, left > .zero, case .retry = reconnect.decide(on: closure, using: &generator) {
            return openConnection(within: left)
        }
        let isFinal = event == .gaveUp || ReconnectPolicy.isFinal(closure)
        guard case .proceed = lifecycle.apply(isFinal ? .gaveUp : event) else { return }
        activationFailed(failure ?? Self.failure(of: closure))
    }

    static func failure(of closure: ConnectionClosure) -> SessionFailure {
        closure.httpStatus == 401 || closure.httpStatus == 403 ? .noApiKey : .networkError(closure)
    }

    private mutating func connectionLost(_ id: ConnectionID, _ closure: ConnectionClosure) {
        let unsettled = unacknowledged
        guard loseConnection(id, isCeiling(closure) ? .ceilingApproach : .networkDrop) else { return }
        if closure.closeCode == Self.tooBigCode { leaveOutLargest(of: unsettled) }
        retry(closure)
    }

    /// Takes the connection, which is gone or about to be, out of the conversation; false when there was none.
    mutating func loseConnection(_ id: ConnectionID, _ reason: ReconnectReason) -> Bool {
        guard case .proceed = lifecycle.apply(.connectionLost) else { return false }
        applyRotation(.disconnected)
        link = .none
        cancel(.connectionGood(id))
        stopUplink()
        act(.enter(.reconnecting))
        lostAt = now
        reconnectReason = reason
        loseAnswers()
        unacknowledged = []
        return true
    }

    /// Whether a connection ended because the provider's longest session was reached: it said so, or went away when its end was near.
    private func isCeiling(_ closure: ConnectionClosure) -> Bool {
        hasSessionExpired || closure.closeCode == Self.goingAwayCode && rotation.isDue
    }

    private static let goingAwayCode: UInt16 = 1001
    private static let tooBigCode: UInt16 = 1009

    /// The provider closed because of a message that was too big for it: the largest one that it did not take up is not sent again.
    private mutating func leaveOutLargest(of items: [String]) {
        guard let largest = items.max(by: { history.size(of: $0) < history.size(of: $1) }) else { return }
        act(.diagnose(.oversizedItemLeftOut(bytes: history.size(of: largest))))
        let what = history.isPicture(largest) ? "The picture was too large" : "The text was too long"
        history.leaveOut(largest)
        forgetSpeech(largest)
        let message = "\(what) for the provider and was left out. Send a smaller one."
        endCalls(awaiting: largest, .failed(.providerError(code: "message_too_big", message: message)))
    }

    private mutating func retry(_ closure: ConnectionClosure) {
        switch reconnect.decide(on: closure, using: &generator) {
        case .retry(let wait):
            link = .waiting
            schedule(.reconnect, after: wait)
        case .giveUp: giveUp(closure)
        }
    }

    /// Closes what is open or being opened and goes on when it has ended.
    mutating func closeLink() {
        switch link {
        case .none, .waiting: connectionGone()
        case .opening(let id):
            // Nothing of an attempt is worth waiting for: if it opens all the same, it is closed as too late.
            closeConnection(id)
            connectionGone()
        case .configuring(let id, _), .replaying(let id, _), .open(let id):
            closeConnection(id)
            link = .closing(id)
        // Stop during sleep: the end that sleep waits for is enough.
        case .closing: break
        case .replacing(let id): link = .closing(id)
        }
    }

    /// Leaves the connection and opens the next one when it has ended, since some providers allow only one.
    mutating func reconnectNow(_ reason: ReconnectReason) {
        guard case .open(let id) = link, loseConnection(id, reason) else { return }
        closeConnection(id)
        link = .replacing(id)
    }

    /// Closes a connection besides the one in use. The session is not asleep before it has ended too.
    mutating func leaveConnection(_ id: ConnectionID, isOpen: Bool = true) {
        closeConnection(id)
        if isOpen { leaving.append(id) }
    }

    private mutating func connectionLeft(_ id: ConnectionID) {
        cancel(.teardown(id))
        leaving.removeAll { $0 == id }
    }

    /// Closes a connection, or abandons an attempt, whose end is awaited for a while only.
    private mutating func closeConnection(_ id: ConnectionID) {
        act(.connection(.close(id)))
        schedule(.teardown(id), after: Limits.teardown)
    }

    private mutating func teardownTimedOut(_ id: ConnectionID) {
        act(.connection(.abandon(id)))
        leaving.removeAll { $0 == id }
        if case .closing(id) = link { connectionGone() }
        if case .replacing(id) = link { openConnection(within: Limits.connectionSetup) }
    }

    // MARK: - Timers

    mutating func timerFired(_ timer: SessionTimer) {
        guard let due = deadlines[timer], due <= now else { return }
        deadlines[timer] = nil
        switch timer {
        case .silence: sleepByItself(.requested)
        case .reconnect: if case .waiting = link { openConnection(within: Limits.connectionSetup) }
        case .connectionSetup(let id): setupTimedOut(id)
        case .replay(let id): replayTimedOut(id)
        case .connectionGood: reconnect.succeed()
        case .teardown(let id): teardownTimedOut(id)
        case .toolTimeout(let callID): applyLedger(.timedOut(callID: callID))
        case .toolOverrun(let callID): applyLedger(.overran(callID: callID))
        case .operation(let id): operationTimedOut(id)
        case .utterance: utteranceTimedOut()
        case .interruption: interruptionTimedOut()
        case .serverAnswer: serverAnswerTimedOut()
        case .answerRetry: applyGate(.holdEnded(.refused))
        case .answerStall: answersStalled()
        case .deviceReturn: sleepByItself(.deviceLost)
        case .microphoneRetry: openMicrophone()
        case .deviceNote: deviceNoteDue()
        case .wake(let id): wakeTimedOut(id)
        case .rotation(let mark): applyRotation(.reached(mark))
        }
    }

    /// A provider that accepted the session and is only slow to acknowledge the history is as good as ready.
    private mutating func setupTimedOut(_ id: ConnectionID) {
        if let second, second.id == id { return secondTimedOut(second) }
        if case .replaying(id, _) = link { return replayTimedOut(id) }
        abandonAttempt(id, Self.setupTimeout, event: .connectFailed)
    }

    private static let setupTimeout = ConnectionClosure(
        code: "timeout", message: "The provider did not accept the session in time. Wake it again later.")

    private mutating func replayTimedOut(_ id: ConnectionID) {
        if let second, second.id == id { return secondTimedOut(second) }
        guard case .replaying(id, let awaited) = link else { return }
        act(.diagnose(.replayUnacknowledged(items: awaited.count)))
        connectionReady(id)
    }

    /// The provider does not answer the utterance; one that it has not made an item of by now it never will.
    private mutating func serverAnswerTimedOut() {
        pushedTurnUnanswered()
        if !isUserSpeaking { forgetOpenSpeech() }
        applyGate(.holdEnded(.serverAnswerExpected))
    }

    private mutating func operationTimedOut(_ id: OperationID) {
        applyGate(.withdrawn(id))
        let closure = ConnectionClosure(
            code: "timeout", message: "The provider did not take up the request in time. Try it again")
        endCall(id, .failed(.networkError(closure)))
    }
}
