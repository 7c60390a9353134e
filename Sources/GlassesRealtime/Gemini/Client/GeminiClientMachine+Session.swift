import GlassesDomain

extension GeminiClientMachine {
    mutating func opened() {
        guard case .settingUp = stage else { return deliver(.sessionCreated(session)) }
        setup.resumptionHandle = handle
        send(.setup(setup))
    }

    mutating func take(_ event: Identified<ClientEvent>) {
        switch stage {
        case .ready: perform(event)
        case .settingUp: hold(event)
        case .fresh:
            if case .sessionUpdate(let update) = event.event { return configure(update, event.eventId) }
            beginSetup(answering: [])
            hold(event)
        }
    }

    private mutating func perform(_ event: Identified<ClientEvent>) {
        let id = event.eventId
        switch event.event {
        case .sessionUpdate(let update): configure(update, id)
        case .inputAudioBufferAppend(let audio): append(audio, id)
        case .inputAudioBufferCommit: commit(id)
        case .inputAudioBufferClear: clear()
        case .conversationItemCreate(let creation): create(creation.item, id)
        case .conversationItemRetrieve(let itemId): retrieve(itemId, id)
        case .conversationItemTruncate(let truncation): truncate(truncation, id)
        case .conversationItemDelete(let itemId): delete(itemId, id)
        case .responseCreate(let parameters): ask(parameters ?? ResponseParameters(), id)
        case .responseCancel(let responseId): cancel(responseId, id)
        case .outputAudioBufferClear, .unknown:
            refuse(.invalidValue("type", "Send an event that this provider knows."), id)
        }
    }

    // MARK: - Configuration

    private mutating func configure(_ update: SessionUpdate, _ eventId: String?) {
        let next: RealtimeSession
        switch session.applying(update) {
        case .failure(let error): return refuse(error, eventId)
        case .success(let applied): next = applied
        }
        if let problem = Self.problem(with: next) { return refuse(problem, eventId) }
        if case .fresh = stage {
            session = next
            setup = GeminiSetup(next)
            return beginSetup(answering: [eventId])
        }
        let changed = GeminiSetup(next)
        guard changed != setup.withoutHandle else {
            session = next
            return deliver(.sessionUpdated(session))
        }
        guard isQuiet, handle != nil || ledger.isEmpty && !microphone.hasHeard else {
            return refuse(Self.fixedSession, eventId)
        }
        session = next
        setup = changed
        stage = .settingUp(answering: [eventId])
        actions.append(.reconnect)
    }

    /// What Gemini Live cannot be told.
    private static func problem(with session: RealtimeSession) -> RealtimeErrorInfo? {
        let formats = [("input", session.input.format), ("output", session.output.format)]
        if let (side, _) = formats.first(where: { $0.1 != .standard }) {
            return .invalidValue("session.audio.\(side).format", "This provider takes audio/pcm at 24000 Hz only.")
        }
        if let detection = session.input.turnDetection, !detection.createsResponse {
            return .invalidValue(
                "session.audio.input.turn_detection.create_response",
                "This provider answers each turn by itself. Leave create_response out, or set turn_detection to null.")
        }
        return nil
    }

    private static let fixedSession = RealtimeErrorInfo(
        message: "This provider takes changes only by a new connection, and cannot resume the session at this moment. "
            + "Send the update again when nobody speaks and no call waits.",
        code: "session_update_unavailable", param: "session")

    private mutating func beginSetup(answering eventIds: [String?]) {
        stage = .settingUp(answering: eventIds)
        send(.setup(setup))
    }

    mutating func setupCompleted() {
        guard case .settingUp(let answering) = stage else { return }
        stage = .ready
        hasWorked = false
        microphone.beganConnection()
        for _ in answering { deliver(.sessionUpdated(session)) }
        // One of them may be an update that needs another connection: the rest waits for that.
        while stage == .ready, !waiting.isEmpty {
            let event = waiting.removeFirst()
            count(event.event, as: -1)
            perform(event)
        }
    }

    private mutating func hold(_ event: Identified<ClientEvent>) {
        count(event.event, as: 1)
        guard waiting.count < Self.waitingLimit, waitingAudio <= Self.waitingAudioLimit,
            waitingBytes <= Self.waitingBytesLimit
        else {
            return actions.append(
                .fail(code: "setup_too_slow", message: "The provider did not accept the session in time. Try again."))
        }
        waiting.append(event)
    }

    private mutating func count(_ event: ClientEvent, as sign: Int) {
        switch event {
        case .inputAudioBufferAppend(let audio): waitingAudio += sign * audio.count
        case .sessionUpdate, .inputAudioBufferCommit, .inputAudioBufferClear, .conversationItemCreate,
            .conversationItemRetrieve, .conversationItemTruncate, .conversationItemDelete, .responseCreate,
            .responseCancel, .outputAudioBufferClear, .unknown:
            waitingBytes += sign * RealtimeCodec.encode(event).count
        }
    }

    // MARK: - Going away

    /// Whether nothing would be lost by another connection.
    private var isQuiet: Bool {
        answer == nil && request == nil && utterance == nil && !isTurnOpen && !isSwallowing && !hasUserTurn
            && !calls.isWaiting && !microphone.isHolding
    }

    /// A server that goes, or has gone, is left in a quiet moment, so that nobody notices. One that has been of no use yet is not:
    /// it might go on like that for ever.
    mutating func leaveWhenQuiet() {
        guard isGoingAway, stage == .ready, handle != nil, isQuiet, hasWorked || microphone.hasHeardForLong else {
            return
        }
        isGoingAway = false
        stage = .settingUp(answering: [])
        actions.append(.reconnect)
    }
}

extension GeminiSetup {
    /// The setup without the handle, which is of one connection only.
    var withoutHandle: GeminiSetup {
        var setup = self
        setup.resumptionHandle = nil
        return setup
    }
}
