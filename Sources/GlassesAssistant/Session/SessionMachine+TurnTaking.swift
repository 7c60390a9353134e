import GlassesDomain

/// A turn that the app opened and the provider has not taken yet.
enum PushedTurn: Sendable, Hashable {
    /// The user may speak.
    case open
    /// It is over; the provider's word about it is awaited under the event id of its commit.
    case committing(eventID: String)
}

extension SessionMachine {
    /// Whether the app says when the user's turn begins and ends.
    var isPushToTalk: Bool { configuration.turnTaking == .pushToTalk }

    /// Whether the microphone's audio may go to the provider now.
    var isUplinkWanted: Bool { !isPushToTalk || pushedTurn == .open }

    mutating func beginTurn(_ id: OperationID) {
        guard isReady(id), isTurnTakingByApp(id) else { return }
        guard pushedTurn != .open else { return finish(id, .succeeded) }
        guard isDeviceHere, isMicrophoneAllowed else {
            let message = "The microphone is switched off or its device is away. Begin the turn when it is back."
            return finish(id, .failed(.providerError(code: "microphone_unavailable", message: message)))
        }
        wasTouched = true
        leavePushedTurn()
        pushedTurn = .open
        isUserSpeaking = true
        schedule(.utterance, after: Limits.utterance)
        act(.microphone(.forgetRecent))
        keepSpeech(from: nil)
        meetSpeech()
        applyGate(.holdBegan(.userSpeaking))
        openMicrophone()
        finish(id, .succeeded)
    }

    mutating func endTurn(_ id: OperationID) {
        guard isReady(id), isTurnTakingByApp(id) else { return }
        guard pushedTurn == .open else { return finish(id, .succeeded) }
        calls[id] = .turn
        schedule(.operation(id), after: Limits.operation)
        commitTurn()
    }

    mutating func cancelTurn(_ id: OperationID) {
        dropPushedTurn()
        finish(id, .succeeded)
    }

    private mutating func isTurnTakingByApp(_ id: OperationID) -> Bool {
        guard !isPushToTalk else { return true }
        let message = "This session finds the user's turns by itself. Set turnTaking to .pushToTalk."
        finish(id, .failed(.providerError(code: "turn_taking_automatic", message: message)))
        return false
    }

    /// The turn is over: the provider makes an item of what it heard, or, without a connection, the replay brings what was kept.
    mutating func commitTurn() {
        guard pushedTurn == .open else { return }
        isUserSpeaking = false
        cancel(.utterance)
        guard state == .active, uplink != nil else { return keepTurnForReplay() }
        stopUplink()
        let eventID = newID("commit")
        pushedTurn = .committing(eventID: eventID)
        send(.commitInput(eventID: eventID))
        applyGate(.holdBegan(.serverAnswerExpected))
        schedule(.serverAnswer, after: Limits.serverAnswer)
        applyGate(.holdEnded(.userSpeaking))
    }

    private mutating func keepTurnForReplay() {
        guard speech.isOpen else { return leavePushedTurn() }
        let itemID = newItemID()
        pushedTurn = nil
        commitSpeech(itemID)
        repeats = 0
        stayInConversation()
        applyLedger(.userTurned)
        history.place(itemID, after: nil, content: .user(text: nil, isKnown: false), timestampMs: timestampMs)
        endTurnCalls(.succeeded)
        applyGate(.holdEnded([.userSpeaking, .serverAnswerExpected]))
        applyGate(.wished(AnswerWish(purpose: .conversation)))
    }

    /// The provider made an item of the turn.
    mutating func pushedTurnTaken() {
        guard isPushToTalk else { return }
        pushedTurn = nil
        cancel(.serverAnswer)
        applyGate(.holdEnded(.serverAnswerExpected))
        endTurnCalls(.succeeded)
    }

    /// The provider heard too little of the turn to make an item of it; true when the event was its commit.
    mutating func pushedTurnRefused(_ code: String?, _ message: String, _ eventID: String?) -> Bool {
        guard case .committing(eventID) = pushedTurn else { return false }
        let failure = SessionFailure.providerError(code: code ?? "provider_error", message: message)
        leavePushedTurn(.failed(failure))
        return true
    }

    /// The app takes the turn back: the provider forgets what it heard of it.
    mutating func dropPushedTurn() {
        guard pushedTurn == .open else { return }
        if uplink != nil {
            stopUplink()
            send(.clearInput(eventID: newID("clear")))
        }
        leavePushedTurn()
    }

    /// The provider does not say that it took the turn.
    mutating func pushedTurnUnanswered() {
        guard case .committing = pushedTurn else { return }
        let closure = ConnectionClosure(
            code: "timeout", message: "The provider did not take the turn in time. Let the user say it again.")
        leavePushedTurn(.failed(.networkError(closure)))
    }

    /// Nothing more comes of the turn.
    mutating func leavePushedTurn(_ outcome: OperationOutcome = .succeeded) {
        guard pushedTurn != nil else { return }
        pushedTurn = nil
        isUserSpeaking = false
        cancel(.utterance)
        cancel(.serverAnswer)
        forgetOpenSpeech()
        endTurnCalls(outcome)
        applyGate(.holdEnded([.userSpeaking, .serverAnswerExpected]))
    }

    private mutating func endTurnCalls(_ outcome: OperationOutcome) {
        for id in calls.filter({ $0.value == .turn }).keys.sorted(by: { $0.number < $1.number }) {
            endCall(id, outcome)
        }
    }

    /// The connection is gone: a turn that is open goes on, one whose commit is not answered is kept as it was spoken.
    mutating func pushedTurnLostConnection() {
        switch pushedTurn {
        case .open:
            isUserSpeaking = true
            schedule(.utterance, after: Limits.utterance)
            applyGate(.holdBegan(.userSpeaking))
        case .committing: keepTurnForReplay()
        case nil: break
        }
    }
}
