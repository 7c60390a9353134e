import GlassesDomain

extension SessionMachine {
    mutating func request(_ operation: SessionOperation, _ id: OperationID) {
        switch operation {
        case .start: enqueue(.start(id))
        case .wake: wake(id)
        case .sleep: enqueue(.sleep(id, .requested))
        case .stop: stop(id)
        case .say(let text, let isProtected): ask(.say(text: text), id, isProtected: isProtected)
        case .greet(let directive): greet(directive, id)
        case .sendText(let text): sendText(text, id)
        case .includePicture(let prompt): includePicture(prompt, id)
        case .sendFrame: sendFrame(id)
        case .cancelSpeak: cancelSpeak(id)
        case .applyChoices(let needsConnection): applyChoices(needsConnection, id)
        case .beginTurn: beginTurn(id)
        case .endTurn: endTurn(id)
        case .cancelTurn: cancelTurn(id)
        }
    }

    // MARK: - The line

    private mutating func enqueue(_ entry: OperationLine.Entry) {
        if case .fail(let refusal) = SessionStateMachine.verdict(on: entry.event, in: state), refusal == .sessionEnded {
            finish(entry.id, .failed(.sessionEnded))
            return
        }
        guard line.enqueue(entry) else {
            finish(entry.id, .failed(.notReady))
            return
        }
        runLine()
    }

    /// A wake that has to wait for its turn gets what is then left of its time.
    private mutating func wake(_ id: OperationID) {
        enqueue(.wake(id))
        if line.isWaiting(id) { schedule(.wake(id), after: Limits.wake) }
    }

    mutating func wakeTimedOut(_ id: OperationID) {
        guard line.withdraw(id) else { return }
        let closure = ConnectionClosure(
            code: "timeout", message: "The calls before this one took too long. Wake the session again.")
        finish(id, .failed(.networkError(closure)))
    }

    /// Puts the session to sleep by itself, unless it is about to sleep anyway.
    mutating func sleepByItself(_ cause: OperationLine.SleepCause) {
        guard !line.holdsSleep else { return }
        enqueue(.sleep(nil, cause))
    }

    mutating func runLine() {
        while let entry = line.takeNext() {
            switch lifecycle.apply(entry.event) {
            case .proceed: perform(entry)
            case .fail(let refusal): endTurn(.failed(refusal == .notReady ? .notReady : .sessionEnded))
            case .wait:
                line.putBack()
                return
            // An operation is never answered by the last two; it would then have nothing to do.
            case .noOp, .closeLateConnection, .ignore: endTurn(.succeeded)
            }
        }
    }

    /// Ends the operation that has the turn.
    mutating func endTurn(_ outcome: OperationOutcome) {
        guard let entry = line.endTurn() else { return }
        if let id = entry.id { cancel(.wake(id)) }
        finish(entry.id, outcome)
    }

    private mutating func perform(_ entry: OperationLine.Entry) {
        switch entry {
        case .start:
            wasStarted = true
            if memory.isOn { act(.memory(.load)) }
            act(.enter(.dormant))
            guard configuration.startsActive, case .proceed = lifecycle.apply(.wake) else {
                endTurn(.succeeded)
                return
            }
            activate(within: Limits.wake)
        case .wake(let id):
            let limit = deadlines[.wake(id)].map { now.duration(to: $0) } ?? Limits.wake
            cancel(.wake(id))
            activate(within: limit)
        case .sleep: fallAsleep()
        }
    }

    private mutating func activate(within limit: Duration) {
        act(.enter(.activating))
        reconnect.succeed()
        openConnection(within: limit)
    }

    /// The connection of a wake failed: the session is dormant and can be woken again. A failed `start` gives the slot back.
    mutating func activationFailed(_ failure: SessionFailure) {
        act(.enter(.dormant))
        if case .taken(.start) = line.turn { act(.releaseSlot) }
        endTurn(.failed(failure))
        runLine()
    }

    // MARK: - Sleep and stop

    private mutating func fallAsleep() {
        closeMicrophone()
        act(.enter(.sleeping))
        leaveConversation(.notReady)
        remember()
        closeLink()
    }

    private mutating func stop(_ id: OperationID) {
        guard case .proceed = lifecycle.apply(.stop) else {
            if state == .stopping { line.joinStop(id) } else { finish(id, .succeeded) }
            return
        }
        closeMicrophone()
        act(.enter(.stopping))
        endInLine(line.overtake(with: id))
        leaveConversation(.sessionEnded)
        endTools()
        leaveMemory()
        closeLink()
    }

    /// Everything that belongs to an awake session ends; the connection is closed afterwards.
    private mutating func leaveConversation(_ failure: SessionFailure) {
        let unfinished = gate.activeAnswers
        stayInConversation()
        applyRotation(.disconnected)
        cutAnswers(.teardown)
        forgetOverlap()
        leavePushedTurn()
        // What was asked for on this connection will not begin on the next one.
        removeRequestedAnswer()
        applyGate(.closed, failure: failure)
        for id in unfinished { applyLedger(.answerEnded(responseID: id)) }
        failCalls(failure)
        isUserSpeaking = false
        for timer in deadlines.keys.sorted(by: { "\($0)" < "\($1)" }) {
            switch timer {
            case .toolTimeout, .toolOverrun, .teardown, .silence, .wake: continue
            case .reconnect, .connectionSetup, .replay, .connectionGood, .operation, .utterance, .interruption,
                .serverAnswer, .answerRetry, .answerStall, .deviceReturn, .microphoneRetry, .deviceNote, .rotation:
                cancel(timer)
            }
        }
    }

    private mutating func leaveMemory() {
        remember()
        callOffCompaction()
    }

    private mutating func endTools() {
        act(.hook(.cancelAll))
        applyLedger(.sessionEnded)
        outputItems = [:]
    }

    /// The connection that was closed has ended, or there was none.
    mutating func connectionGone() {
        if let id = leaving.first {
            link = .closing(id)
            return
        }
        link = .none
        guard case .proceed(let next) = lifecycle.apply(.connectionLost) else { return }
        if next == .stopped { finishStop() } else { finishSleep() }
    }

    private mutating func finishSleep() {
        act(.enter(.dormant))
        notify(.wentDormant)
        if case .taken(.sleep(_, .deviceLost)) = line.turn {
            let sentence = "The device did not come back. Reconnect it and wake the session."
            notify(.error(kind: "device_lost", message: sentence))
        }
        endTurn(.succeeded)
        if configuration.hasSleepHook { act(.hook(.run(.onSleep))) }
        runLine()
    }

    private mutating func finishStop() {
        let stops = line.takeAll()
        enterStopped(.user, message: nil)
        for id in stops { finish(id, .succeeded) }
    }

    private mutating func enterStopped(_ reason: EndReason, message: String?) {
        history.removeAll()
        flushes = [:]
        act(.enter(.stopped))
        act(.releaseSlot)
        if wasStarted { notify(.sessionEnded(reason: reason, message: message)) }
    }

    /// The connection cannot be restored: the session ends by itself.
    mutating func giveUp(_ closure: ConnectionClosure) {
        let wasCeiling = state == .reconnecting && reconnectReason == .ceilingApproach
        guard case .proceed = lifecycle.apply(.gaveUp) else { return }
        link = .none
        closeMicrophone()
        leaveConversation(.sessionEnded)
        endTools()
        leaveMemory()
        let left = line.takeAll()
        enterStopped(wasCeiling ? .ceiling : .error, message: closure.message)
        endInLine(left)
    }

    /// The session ended before these had or finished their turn.
    private mutating func endInLine(_ ids: [OperationID]) {
        for id in ids {
            cancel(.wake(id))
            finish(id, .failed(.sessionEnded))
        }
    }

    // MARK: - Speech on request

    /// Whether `say` and its like are possible now; otherwise the call is failed.
    mutating func isReady(_ id: OperationID) -> Bool {
        switch state {
        case .active, .reconnecting: break
        case .stopping, .stopped:
            finish(id, .failed(.sessionEnded))
            return false
        case .idle, .dormant, .activating, .sleeping:
            finish(id, .failed(.notReady))
            return false
        }
        guard calls.count < Limits.calls else {
            let message = "\(Limits.calls) calls are waiting already. Wait for some of them to end."
            finish(id, .failed(.providerError(code: "too_many_calls", message: message)))
            return false
        }
        return true
    }

    /// Whether a text fits into one message; otherwise the call is failed.
    private mutating func isSendable(_ text: String, _ id: OperationID) -> Bool {
        guard text.utf8.count > Limits.textBytes else { return true }
        let message = "The text has \(text.utf8.count) bytes; send at most \(Limits.textBytes) at once."
        finish(id, .failed(.providerError(code: "text_too_long", message: message)))
        return false
    }

    private mutating func ask(_ purpose: AnswerPurpose, _ id: OperationID, isProtected: Bool = false) {
        guard isReady(id) else { return }
        if case .say(let text) = purpose, !isSendable(text, id) { return }
        if case .say(let text) = purpose, text.allSatisfy(\.isWhitespace) {
            finish(id, .succeeded)
            return
        }
        wasTouched = true
        calls[id] = .answer
        schedule(.operation(id), after: Limits.operation)
        let message = "Too many texts are waiting to be spoken. Wait for some of them to end."
        applyGate(
            .wished(AnswerWish(purpose: purpose, operation: id, isProtected: isProtected)),
            failure: .providerError(code: "too_many_calls", message: message))
    }

    private mutating func greet(_ directive: String?, _ id: OperationID) {
        if let directive {
            ask(.greetAside(directive: directive), id)
            return
        }
        let isProtected = configuration.protectsGreeting
        switch configuration.greeting {
        case .none: if isReady(id) { finish(id, .succeeded) }
        case .compose(let directive): ask(.greetAside(directive: directive), id, isProtected: isProtected)
        case .speak(let text): ask(.say(text: text), id, isProtected: isProtected)
        }
    }

    private mutating func sendText(_ text: String, _ id: OperationID) {
        guard isReady(id), isSendable(text, id) else { return }
        guard !text.allSatisfy(\.isWhitespace) else {
            finish(id, .succeeded)
            return
        }
        wasTouched = true
        guard !verdicts.flag(.sleepPhrase, phrases.matches(text)) else {
            // As a spoken one, it is dealt with: kept, it would be answered at the next wake.
            notify(.userSpoke(transcript: text))
            finish(id, .succeeded)
            sleepByItself(.requested)
            return
        }
        repeats = 0
        stayInConversation()
        applyLedger(.userTurned)
        callOffTools(by: text)
        let itemID = newItemID()
        history.place(itemID, after: nil, content: .user(text: text, isKnown: false), timestampMs: timestampMs)
        calls[id] = .item(itemID: itemID, eventID: nil)
        schedule(.operation(id), after: Limits.operation)
        sendUnsent()
        notify(.userSpoke(transcript: text))
        applyGate(.wished(AnswerWish(purpose: .conversation, unacknowledgedItems: [itemID])))
    }

    /// Sends what the conversation lacks; while there is no connection it waits for the replay.
    mutating func sendUnsent() {
        guard state == .active else { return }
        for item in history.takeUnsent(keptAudio: Set(speech.items)) {
            let eventID = newID("create")
            expectAcknowledgement(of: item.id)
            for (id, call) in calls where call == .item(itemID: item.id, eventID: nil) {
                calls[id] = .item(itemID: item.id, eventID: eventID)
            }
            send(.createItem(eventID: eventID, item))
        }
    }

    private mutating func expectAcknowledgement(of itemID: String) {
        unacknowledged.append(itemID)
        if unacknowledged.count > Limits.unacknowledged { unacknowledged.removeFirst() }
    }

    private mutating func cancelSpeak(_ id: OperationID) {
        cutAnswers(.cancelled)
        leaveOverlap()
        applyGate(
            .silenced,
            failure: .providerError(code: "cancelled", message: "cancelSpeak() came before the text was spoken."))
        finish(id, .succeeded)
    }

    /// Ends a waiting call.
    mutating func endCall(_ id: OperationID?, _ outcome: OperationOutcome) {
        guard let id, let call = calls.removeValue(forKey: id) else { return }
        cancel(.operation(id))
        switch call {
        case .picture, .frame: act(.picture(.abandon(id)))
        case .answer, .item, .turn, .choices: break
        }
        finish(id, outcome)
    }

    private mutating func failCalls(_ failure: SessionFailure) {
        for id in calls.keys.sorted(by: { $0.number < $1.number }) { endCall(id, .failed(failure)) }
    }

    // MARK: - History edits

    mutating func appendHistory(_ turn: Turn) {
        guard state != .idle, state != .stopped else { return }
        history.append(turn, id: newItemID())
    }

    mutating func replaceHistory(_ turns: [Turn]) {
        guard state != .idle, state != .stopped else { return }
        // A cleared history is to be forgotten; one that is edited was said all the same.
        if !turns.isEmpty { remember() }
        history.removeAll()
        callOffCompaction()
        for turn in turns.suffix(configuration.historyCap) {
            let id = newItemID()
            history.append(turn, id: id)
            memory.skip([id])
        }
    }
}
