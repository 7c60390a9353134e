import GlassesDomain

/// Changing the connection before the provider ends it, without a gap.
extension SessionMachine {
    /// Changes the connection at the next quiet moment, as for a voice that only a new connection takes. The app is told by
    /// `reconnected`. A session without a connection needs none: its next one begins with what is configured then.
    mutating func beginRotation() { applyRotation(.wanted) }

    /// A new connection is in use: its end is known from here on.
    mutating func connectionBegan() { applyRotation(.connected(endsAt: connectionEnd)) }

    /// When the provider will end the connection: by its own word, where that can be true, else by what is known of providers.
    private var connectionEnd: MonotonicTime? {
        if let end = server.expiresAt.flatMap(moment(ofUnixSeconds:)) { return end }
        return configuration.sessionCeiling.map { now.advanced(by: $0) }
    }

    /// A moment of the wall clock; nil for one that is past or further away than any session lasts, since then a clock is wrong.
    private func moment(ofUnixSeconds seconds: Int) -> MonotonicTime? {
        let (milliseconds, hasOverflowed) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
        guard !hasOverflowed else { return nil }
        let left = milliseconds.subtractingReportingOverflow(timestampMs)
        guard !left.overflow, left.partialValue > 0, left.partialValue <= Limits.longestSession.wholeMilliseconds else {
            return nil
        }
        return now.advanced(by: .milliseconds(left.partialValue))
    }

    /// The provider told of its session again.
    mutating func endAnnounced(before: Int?) {
        guard state == .active, server.expiresAt != before, let end = connectionEnd else { return }
        applyRotation(.endAnnounced(end))
    }

    /// After every input: whether the moment is quiet, and whether the second connection still has the whole conversation.
    mutating func watchQuiet() {
        if let second, second.history != nil, second.revision != history.revision { applyRotation(.quietEnded) }
        applyRotation(isQuiet ? .quietBegan : .quietEnded)
    }

    /// Nobody speaks, nothing is heard, answered or wanted.
    var isQuiet: Bool {
        state == .active && !isUserSpeaking && overlap == nil && pushedTurn == nil && !speech.isOpen && !isPlaying
            && flushes.isEmpty && calls.isEmpty
            && !gate.isAnswering && !gate.hasWish && !gate.isHeld(.serverAnswerExpected) && !ledger.isRunning
    }

    mutating func applyRotation(_ input: RotationInput) {
        for action in rotation.apply(input, at: now) {
            switch action {
            case .schedule(let mark, let moment): schedule(.rotation(mark), after: now.duration(to: moment))
            case .cancel(let mark): cancel(.rotation(mark))
            case .openSecond: openSecond()
            case .callOff: callOffSecond()
            case .reconnect(let reason): reconnectNow(reason)
            }
        }
    }

    // MARK: - The second connection

    private mutating func openSecond() {
        let id = ConnectionID(newNumber())
        second = SecondConnection(id: id)
        act(.connection(.open(id)))
        schedule(.connectionSetup(id), after: Limits.connectionSetup)
    }

    mutating func secondOpened(_ second: SecondConnection) {
        let eventID = newID("update")
        self.second?.stage = .configuring(eventID: eventID)
        deviceNotes.toldSecond = deviceNotes.current?.fingerprint
        act(.send(.updateSession(eventID: eventID), on: second.id))
    }

    /// An event of the second connection: until the session has moved, only its set-up counts.
    mutating func secondReported(_ fact: ServerFact, _ second: SecondConnection) {
        switch fact {
        case .sessionCreated(let facts): self.second?.facts.learn(facts)
        case .sessionUpdated(let facts):
            self.second?.facts.learn(facts)
            if case .configuring = second.stage { replayOnSecond(second.id) }
        case .itemAdded(let itemID, _, _): secondSettled(itemID, second)
        case .errorReported(let code, let message, let eventID): secondErred(code, message, eventID, second)
        // Of an utterance that was replayed as sound; with its words the conversation has changed.
        case .userTranscriptCompleted(let itemID, let text):
            if speech.items.contains(itemID) { userSpoke(itemID, text) }
        // It hears nothing yet and is asked for nothing.
        case .speechStarted, .speechStopped, .utteranceCommitted, .userTranscriptFailed,
            .answerCreated, .answerItemAdded, .answerAudioReceived, .answerAudioDone, .answerTranscriptReceived,
            .answerTranscriptDone, .answerTextReceived, .answerTextDone, .functionCallCompleted, .answerDone:
            break
        }
    }

    private mutating func secondErred(
        _ code: String?, _ message: String, _ eventID: String?, _ second: SecondConnection
    ) {
        switch second.stage {
        case .opening: break
        case .configuring(let awaited):
            guard awaited == eventID else { return }
            refuseSecond(ConnectionClosure(code: code ?? "session_refused", message: message))
        case .replaying(let awaited):
            guard let itemID = awaited.first(where: { $0.value == eventID })?.key else { return }
            act(.diagnose(.commandRefused(code: code)))
            secondSettled(itemID, second)
        }
    }

    private mutating func replayOnSecond(_ id: ConnectionID) {
        var copy = history
        var items = copy.takeReplay(keptAudio: Set(speech.items))
        if let preamble = memory.preamble { items.insert(.systemText(id: newItemID(), text: preamble), at: 0) }
        second?.history = copy
        second?.preamble = memory.preamble
        second?.revision = history.revision
        var awaited: [String: String] = [:]
        for item in items {
            let eventID = newID("create")
            awaited[item.id] = eventID
            act(.send(.createItem(eventID: eventID, item), on: id))
        }
        second?.stage = .replaying(awaited: awaited)
        if awaited.isEmpty { move() } else { schedule(.replay(id), after: Limits.replay) }
    }

    /// A replayed item was taken, or refused as it would be on any connection.
    private mutating func secondSettled(_ itemID: String, _ second: SecondConnection) {
        guard case .replaying(var awaited) = second.stage, awaited.removeValue(forKey: itemID) != nil else { return }
        self.second?.stage = .replaying(awaited: awaited)
        if awaited.isEmpty { move() }
    }

    /// The second connection has the whole conversation: the microphone's audio goes there from the next frame on.
    private mutating func move() {
        guard case .open(let old) = link, let second, let replayed = second.history,
            second.revision == history.revision
        else { return applyRotation(.quietEnded) }
        forgetSecond(second.id)
        history = replayed
        useConnection(second.id, second.facts)
        moveUplink(to: second.id)
        leaveConnection(old)
        applyGate(.connectionLost)
        applyGate(.holdEnded(.disconnected))
        // What is known of the user may have been loaded meanwhile.
        memory.isUntold = memory.preamble != second.preamble
        tellMemory()
        deviceNotes.told = deviceNotes.toldSecond
        settleDeviceNote()
        notify(.reconnected(reason: .proactiveCadence, downtimeMs: 0))
        connectionBegan()
    }

    /// Begins anew what belongs to one connection.
    private mutating func useConnection(_ id: ConnectionID, _ facts: ServerSessionFacts) {
        if case .open(let old) = link { cancel(.connectionGood(old)) }
        link = .open(id)
        beginConnection(facts)
        outputItems = [:]
        schedule(.connectionGood(id), after: Limits.connectionGood)
    }

    // MARK: - Its ends

    private mutating func forgetSecond(_ id: ConnectionID) {
        second = nil
        cancel(.connectionSetup(id))
        cancel(.replay(id))
    }

    private mutating func callOffSecond() {
        guard let second else { return }
        forgetSecond(second.id)
        leaveConnection(second.id, isOpen: second.stage != .opening)
    }

    /// The second connection ended, or could not be opened.
    mutating func secondEnded(_ closure: ConnectionClosure, _ second: SecondConnection) {
        forgetSecond(second.id)
        act(.diagnose(.secondConnectionFailed(code: closure.code)))
        applyRotation(Self.isRefusal(closure) ? .secondRefused : .secondFailed)
    }

    /// The provider takes too long, or does not want the session.
    private mutating func refuseSecond(_ closure: ConnectionClosure) {
        callOffSecond()
        act(.diagnose(.secondConnectionFailed(code: closure.code)))
        applyRotation(.secondRefused)
    }

    mutating func secondTimedOut(_ second: SecondConnection) {
        let closure = ConnectionClosure(code: "timeout", message: "The second connection was not ready in time.")
        guard second.stage == .opening else { return refuseSecond(closure) }
        callOffSecond()
        act(.diagnose(.secondConnectionFailed(code: closure.code)))
        applyRotation(.secondFailed)
    }

    /// Whether a provider's word, and not the network, ended an attempt. A refused token says nothing of the number of connections.
    private static func isRefusal(_ closure: ConnectionClosure) -> Bool {
        if let status = closure.httpStatus { return status != 401 }
        guard let code = closure.closeCode else { return false }
        return ![1005, 1006, 1015].contains(code)
    }
}
