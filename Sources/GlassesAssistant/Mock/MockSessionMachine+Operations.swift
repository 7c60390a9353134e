import GlassesDomain

/// What the app asks for.
extension MockSessionMachine {
    mutating func request(_ operation: SessionOperation, _ id: OperationID) {
        switch operation {
        case .start: start(id)
        case .wake: wake(id)
        case .sleep: sleep(id)
        case .stop: stop(id)
        case .sendText(let text): sendText(text, id)
        case .say, .greet, .applyChoices, .beginTurn, .endTurn: if isReady(id) { finish(id, .succeeded) }
        case .includePicture: includePicture(id)
        case .sendFrame: sendFrame(id)
        case .cancelSpeak, .cancelTurn: finish(id, .succeeded)
        }
    }

    // MARK: - Life

    private mutating func start(_ id: OperationID) {
        guard proceeds(.start, id) else { return }
        act(.enter(.dormant))
        notify(.sessionStarted(provider: configuration.providerName, model: nil, voice: nil))
        if configuration.startsActive { wakeUp() }
        finish(id, .succeeded)
    }

    private mutating func wake(_ id: OperationID) {
        guard proceeds(.wake, id) else { return }
        finishWaking()
        finish(id, .succeeded)
    }

    private mutating func sleep(_ id: OperationID) {
        guard proceeds(.sleep, id) else { return }
        finishSleeping()
        finish(id, .succeeded)
    }

    private mutating func stop(_ id: OperationID) {
        let wasStarted = state != .idle
        guard proceeds(.stop, id) else { return }
        act(.enter(.stopping))
        act(.hook(.cancelAll))
        applyLedger(.sessionEnded)
        _ = lifecycle.apply(.connectionLost)
        (turns, outcomes, askedFor) = ([], [:], nil)
        act(.enter(.stopped))
        act(.releaseSlot)
        if wasStarted { notify(.sessionEnded(reason: .user, message: nil)) }
        finish(id, .succeeded)
    }

    /// Moves the state if the event does that; otherwise ends the call.
    private mutating func proceeds(_ event: LifecycleEvent, _ id: OperationID) -> Bool {
        switch lifecycle.apply(event) {
        case .proceed: return true
        case .fail(let refusal): finish(id, .failed(refusal == .notReady ? .notReady : .sessionEnded))
        // Every change is over within its step, so that nothing has to wait.
        case .noOp, .wait, .closeLateConnection, .ignore: finish(id, .succeeded)
        }
        return false
    }

    private mutating func wakeUp() {
        guard case .proceed = lifecycle.apply(.wake) else { return }
        finishWaking()
    }

    private mutating func finishWaking() {
        act(.enter(.activating))
        _ = lifecycle.apply(.connected)
        act(.enter(.active))
        if configuration.hasWakeHook { act(.hook(.run(.onWake))) }
    }

    /// Puts an awake session to sleep.
    mutating func sleepByItself() {
        guard case .proceed = lifecycle.apply(.sleep) else { return }
        finishSleeping()
    }

    private mutating func finishSleeping() {
        act(.enter(.sleeping))
        _ = lifecycle.apply(.connectionLost)
        act(.enter(.dormant))
        notify(.wentDormant)
        if configuration.hasSleepHook { act(.hook(.run(.onSleep))) }
    }

    // MARK: - Nothing to see or hear

    /// Whether `say` and its like are possible now; otherwise the call is failed.
    private mutating func isReady(_ id: OperationID) -> Bool {
        switch state {
        case .active, .reconnecting: return true
        case .stopping, .stopped: finish(id, .failed(.sessionEnded))
        case .idle, .dormant, .activating, .sleeping: finish(id, .failed(.notReady))
        }
        return false
    }

    private mutating func includePicture(_ id: OperationID) {
        guard isReady(id) else { return }
        if !isVisionTold {
            isVisionTold = true
            notify(.error(kind: "vision_unsupported", message: "The mock provider looks at no pictures."))
        }
        finish(id, .succeeded)
    }

    private mutating func sendFrame(_ id: OperationID) {
        guard state == .active else { return finish(id, .failed(.notReady)) }
        if !isVideoTold {
            isVideoTold = true
            notify(.error(kind: "video_input_unsupported", message: "The mock provider looks at no video."))
        }
        finish(id, .succeeded)
    }
}
