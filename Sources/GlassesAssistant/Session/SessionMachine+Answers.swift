import GlassesDomain

extension SessionMachine {
    func answer(_ responseID: String) -> AnswerLife? { answers.first { $0.responseID == responseID } }

    /// Applies a fact to an answer and follows its effect; false when the answer is over or unknown, and the fact is dropped.
    @discardableResult
    mutating func changeAnswer(_ responseID: String, _ input: AnswerInput) -> Bool {
        guard let index = answers.firstIndex(where: { $0.responseID == responseID && !$0.isOver }) else {
            act(.diagnose(.lateAnswerEvent(responseID: responseID)))
            return false
        }
        lastAnswerSign = now
        switch answers[index].apply(input) {
        case .none: recordWords(of: answers[index], after: input)
        case .play(let segment):
            isPlaying = true
            placeParts(of: answers[index])
            act(.playback(.playReceivedAudio(segment)))
        case .finish: retire(index)
        case .drop: return false
        }
        return true
    }

    // MARK: - The gate

    /// Applies a fact to the gate. A wish that is dropped fails its call with `failure`; `tellsApp` reports one without a call.
    mutating func applyGate(
        _ input: GateInput, failure: SessionFailure = .notReady, tellsApp: Bool = false
    ) {
        for action in gate.apply(input) {
            switch action {
            case .request(let requestID, let wish): requestAnswer(wish, requestID)
            case .grant(let wish): endCall(wish.operation, .succeeded)
            case .drop(let wish):
                endCall(wish.operation, .failed(failure))
                if tellsApp, wish.operation == nil, case .providerError(let code, let message) = failure {
                    notify(.error(kind: code, message: message))
                }
            case .retryLater: schedule(.answerRetry, after: Limits.answerRetry)
            }
        }
    }

    private mutating func requestAnswer(_ wish: AnswerWish, _ requestID: String) {
        guard case .open(let id) = link else { return }
        var request = AnswerRequest(isOutOfBand: wish.purpose.isOutOfBand)
        request.metadata[AnswerRequest.requestKey] = requestID
        switch wish.purpose {
        case .conversation: break
        case .greeting(let directive), .greetAside(let directive): request.instructions = directive
        case .say(let text):
            request.input = [.userText(id: newItemID(), text: text)]
            request.instructions = Self.sayInstructions
            request.metadata[AnswerRequest.sayKey] = "1"
        }
        answers.append(
            AnswerLife(
                isOutOfBand: request.isOutOfBand, isProtected: wish.isProtected, connection: id,
                rate: configuration.outputRate))
        act(.send(.requestAnswer(eventID: requestID, request), on: id))
        watchAnswers()
    }

    /// A provider that composes has to be told; the embedded one reads the text whatever stands here.
    static let sayInstructions =
        "Speak the text of the message word for word, in its language. Add nothing, answer nothing, leave nothing out."

    mutating func removeRequestedAnswer() { answers.removeAll { $0.responseID == nil } }

    // MARK: - Beginning and end

    mutating func answerCreated(
        _ responseID: String, metadata: [String: String], isOutOfBand: Bool, on id: ConnectionID
    ) {
        guard !dead.contains(responseID), answer(responseID) == nil else { return }
        guard answers.count < Limits.answers else {
            dead.insert(responseID)
            return
        }
        reconnect.succeed()
        hasLeftSilence = false
        let hadRequest = gate.requestInFlight != nil
        let requestID = metadata[AnswerRequest.requestKey]
        applyGate(.created(responseID: responseID, requestID: requestID, isOutOfBand: isOutOfBand))
        if !gate.isHeld(.serverAnswerExpected) { cancel(.serverAnswer) }
        if hadRequest, gate.requestInFlight == nil, let index = answers.firstIndex(where: { $0.responseID == nil }) {
            beginRequested(index, responseID)
        } else {
            var life = AnswerLife(isOutOfBand: isOutOfBand, connection: id, rate: configuration.outputRate)
            _ = life.apply(.created(responseID: responseID))
            answers.append(life)
        }
        watchAnswers()
        if !isDeviceHere { cutAnswers(.deviceLost) }
    }

    /// What was cut before it began is cancelled by its id as soon as that is known.
    private mutating func beginRequested(_ index: Int, _ responseID: String) {
        guard answers[index].isOver else {
            _ = answers[index].apply(.created(responseID: responseID))
            return
        }
        if !answers.remove(at: index).isOutOfBand { cut.insert(responseID) }
        dead.insert(responseID)
        send(.cancelAnswer(eventID: newID("cancel"), responseID: responseID))
    }

    mutating func answerDone(_ responseID: String, _ status: AnswerStatus) {
        if case .failed(let code, let message) = status {
            let sentence = message ?? "The provider could not answer. Ask again."
            notify(.error(kind: code ?? "response_failed", message: sentence))
        }
        if status == .completed { repeats = 0 }
        if let life = answer(responseID) {
            deleteOpenCalls(of: life)
            changeAnswer(responseID, .generationEnded)
        }
        applyLedger(.answerEnded(responseID: responseID))
        applyGate(.ended(responseID: responseID))
        if !gate.isAnswering { cancel(.answerStall) }
    }

    /// A call that was not completed is never run, and one without a result would stay open in the conversation for ever.
    mutating func deleteOpenCalls(of life: AnswerLife) {
        for itemID in life.openCalls { send(.deleteItem(eventID: newID("delete"), itemID: itemID)) }
    }

    /// Takes an answer that was heard to its end out of the living.
    private mutating func retire(_ index: Int) {
        let life = answers.remove(at: index)
        recordHeard(life)
        if life.isLost { correctItems(of: life) }
        if let id = life.responseID { dead.insert(id) }
    }

    private mutating func watchAnswers() {
        lastAnswerSign = now
        if deadlines[.answerStall] == nil { schedule(.answerStall, after: Limits.answerStall) }
    }

    /// The timer looks back instead of being set anew with each delta.
    mutating func answersStalled() {
        guard gate.isAnswering else { return }
        let quiet = lastAnswerSign.duration(to: now)
        guard quiet >= Limits.answerStall else {
            schedule(.answerStall, after: Limits.answerStall - quiet)
            return
        }
        if replaceSilentConnection() { return }
        if let request = gate.requestInFlight {
            removeRequestedAnswer()
            let closure = ConnectionClosure(
                code: "timeout", message: "The provider did not begin to answer. Try it again")
            applyGate(.refused(requestID: request, isActiveResponse: false), failure: .networkError(closure))
        }
        for id in gate.activeAnswers {
            act(.diagnose(.answerStalled(responseID: id)))
            giveUpAnswer(id)
        }
    }

    /// A provider that owes the conversation an answer and says nothing whatever is dead, however long it takes a ping to find out: what
    /// it owes is asked for on another connection, once. True when there is one to leave.
    private mutating func replaceSilentConnection() -> Bool {
        let owed = answers.filter { life in life.responseID.map(gate.activeAnswers.contains) ?? true }
        let isOwed = owed.contains { !$0.isOutOfBand }
        guard isOwed, !hasLeftSilence, lastWord <= lastAnswerSign else { return false }
        guard case .open(let id) = link, loseConnection(id, .networkDrop) else { return false }
        hasLeftSilence = true
        act(.diagnose(.silentConnectionLeft))
        act(.connection(.abandon(id)))
        openConnection(within: Limits.connectionSetup)
        return true
    }

    /// What was received of it plays on; the provider is told to stop, and its item is cut to that when it has been heard.
    private mutating func giveUpAnswer(_ id: String) {
        send(.cancelAnswer(eventID: newID("cancel"), responseID: id))
        if let life = answer(id) {
            if !life.isOutOfBand { cut.insert(id) }
            deleteOpenCalls(of: life)
            recordReceived(life)
            changeAnswer(id, .generationLost)
        }
        dead.insert(id)
        answerDone(id, .incomplete(reason: "stalled"))
    }

    /// The connection is gone: what was received plays on, and an answer that was not complete is asked for once more.
    mutating func loseAnswers() {
        // A provider that has not put an utterance into words yet has not answered it, however long that takes.
        let isRecognising = !speech.items.isEmpty && server.createsResponse != false
        let wasOwed =
            (gate.isHeld(.serverAnswerExpected) || isRecognising)
            && history.endsWithUser(keptAudio: Set(speech.items))
        let unfinished = gate.activeAnswers
        leaveOverlap()
        isUserSpeaking = false
        cancel(.utterance)
        cancel(.serverAnswer)
        cancel(.answerRetry)
        cancel(.answerStall)
        removeRequestedAnswer()
        applyGate(.connectionLost)
        let cut = answers.filter(\.isGenerating)
        for life in cut {
            guard let id = life.responseID else { continue }
            recordReceived(life)
            changeAnswer(id, .generationLost)
            dead.insert(id)
        }
        // An answer that has called tools is followed up when they have ended; asked for anew, it would call them again.
        let hasLost = cut.contains { !$0.isOutOfBand && !ledger.hasCalls(of: $0.responseID) }
        for id in unfinished { applyLedger(.answerEnded(responseID: id)) }
        if hasLost { repeatAnswer() } else if wasOwed { applyGate(.wished(AnswerWish(purpose: .conversation))) }
        outputItems = [:]
        pushedTurnLostConnection()
    }

    private mutating func repeatAnswer() {
        guard repeats < Limits.repeats else { return act(.diagnose(.lostAnswerGivenUp)) }
        repeats += 1
        applyGate(.wished(AnswerWish(purpose: .conversation)))
    }

    // MARK: - What is audible

    mutating func playbackStarted(_ segment: SegmentID) {
        guard let index = answers.firstIndex(where: { $0.responseID == segment.responseID && !$0.isOver }) else {
            return
        }
        _ = answers[index].apply(.playbackStarted(segment))
        if !answers[index].isOutOfBand { applyLedger(.answerHeard(responseID: segment.responseID)) }
        guard !isAudible else { return }
        isAudible = true
        audibleSince = now
        notify(.assistantAudioStarted)
    }

    mutating func playbackProgressed(_ position: HeardPosition) {
        let id = position.segment.responseID
        guard let index = answers.firstIndex(where: { $0.responseID == id && !$0.isOver }) else { return }
        _ = answers[index].apply(.heard(position))
        // Of a lost answer the history holds all that was received: it plays on, and the replay has told of it.
        if !answers[index].isLost { recordHeard(answers[index]) }
    }

    mutating func playbackDrained() {
        isPlaying = false
        for index in answers.indices.reversed() {
            if answers[index].apply(.drained) == .finish { retire(index) } else { recordHeard(answers[index]) }
        }
    }

    /// The turn is over when nothing plays, no answer is under way or wanted and no call of it runs.
    mutating func finishTurnIfOver() {
        guard isAudible, !isPlaying, !gate.isAnswering, !gate.hasWish, !ledger.holdsAudibleTurn,
            !answers.contains(where: { !$0.isOver })
        else { return }
        finishAudible()
    }

    mutating func finishAudible() {
        guard isAudible else { return }
        isAudible = false
        notify(.assistantAudioFinished)
    }

    mutating func assistantSpoke(_ text: String) {
        let words = Self.trimmed(text)
        if !words.isEmpty { notify(.assistantSpoke(transcript: words)) }
    }
}
