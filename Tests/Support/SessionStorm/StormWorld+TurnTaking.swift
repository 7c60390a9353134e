import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// A session that decides itself what interrupts cuts when it says so: from here on only what was heard counts.
    func noteCut(by actions: [SessionAction]) {
        guard plan.followsActions else { return }
        // An answer that is given up plays on as far as it came.
        let givesUp = actions.contains { if case .diagnose(.answerStalled) = $0 { true } else { false } }
        if actions.contains(where: \.cuts), !givesUp { cutTruth() }
    }

    /// A sign of listening never cuts, and a sentence always does.
    func checkInterruption(_ input: SessionInput, _ actions: [SessionAction]) {
        switch input {
        case .speechMeasured(let milliseconds, _):
            let cuts = actions.contains(where: \.cuts)
            if microphone.measured?.isBackchannel == true, cuts {
                checks.fail(.cutAtTheEar, "a sign of listening cuts the answer")
            }
            if milliseconds >= 1_500, ear.isPaused, ear.isPlaying, !cuts, !isProtecting {
                checks.fail(.cutAtTheEar, "\(milliseconds) ms of speech do not cut the answer")
            }
        case .server(_, .userTranscriptCompleted(_, let text)):
            let isBackchannel = plan.turns.contains { $0.utterance.text == text && $0.utterance.isBackchannel }
            if plan.decidesItself, isBackchannel, actions.contains(where: \.cuts) {
                checks.fail(.cutAtTheEar, "\"\(text)\" cuts the answer")
            }
        default: break
        }
    }

    // MARK: - Protected speech

    /// Where the session itself says what interrupts, the app has something spoken that nothing may.
    func sayProtected() {
        guard plan.followsActions else { return }
        counts.count(.protectedSpeech)
        ask(.say(text: "\(AnswerRequest.protectedText) \(newNumber())", isProtected: true))
    }

    /// The answer that is heard now, if it is protected.
    var protectedVoice: String? {
        guard let id = ear.voice?.responseID, protected.contains(id), truth.answers[id]?.isCut == false else {
            return nil
        }
        return id
    }

    /// Whether a protected text is asked for, made or heard, as far as the world can know.
    var isProtecting: Bool {
        guard plan.followsActions, plan.configuration.protectsGreeting || plan.faults.contains(.protectedSpeech) else {
            return false
        }
        let isAskedFor =
            checks.requestInFlight != nil || checks.openRequests.values.contains { $0.operation.isProtected }
        return isAskedFor
            || protected.contains { id in truth.answers[id].map { !$0.isCut && !truth.isOver($0, ear) } ?? true }
    }

    func checkProtection(of voice: String?, _ input: SessionInput, _ actions: [SessionAction]) {
        guard let voice, actions.contains(where: { if case .playback(.flush) = $0 { true } else { false } }) else {
            return
        }
        switch input {
        case .server(_, .speechStarted), .speechMeasured: break
        case .server(_, .userTranscriptCompleted(_, let text)): if text == "good night" { return }
        default: return
        }
        checks.fail(.cutAtTheEar, "\(voice) is protected and cut by the user's voice")
    }

    func pauseVoice() { ear.pause(at: now, latency: ear.isStill ? 0 : number(0...25)) }

    func resumeVoice() {
        guard ear.isPaused else { return }
        ear.resume(at: now)
        planPlayback()
    }

    // MARK: - Measuring

    /// The driver's detector hears the speech under way, every 100 ms, and its end.
    func measure() {
        guard let speaking = microphone.speaking else { return }
        microphone.measured = speaking
        plan(.measured(speaking, milliseconds: 100), in: 20)
    }

    func measured(_ utterance: StormUtterance, _ milliseconds: Int) {
        guard microphone.measured?.number == utterance.number, microphone.isOpen else { return }
        guard microphone.speaking?.number == utterance.number else {
            feed(.speechMeasured(milliseconds: utterance.milliseconds, isOver: true))
            microphone.measured = nil
            return
        }
        feed(.speechMeasured(milliseconds: milliseconds, isOver: false))
        plan(.measured(utterance, milliseconds: milliseconds + 100), in: 100)
    }

    // MARK: - Push to talk

    func pushTurn(_ utterance: StormUtterance) {
        microphone.told = utterance
        counts.count(.pushedTurn)
        ask(.beginTurn)
        microphone.told = nil
        microphone.known.insert(utterance.number)
    }

    func endPushedTurn(_ utterance: StormUtterance) {
        // A sleep phrase is dealt with and no part of the conversation.
        if utterance.isWhole, utterance.text != "good night",
            microphone.kept.contains(where: { $0.number == utterance.number })
        {
            truth.owed.insert(utterance.text)
        }
        ask(.endTurn)
        plan(.nextTurn, in: number(400...1_200))
    }

    /// The provider makes an item of what it heard, if that is anything.
    func commit(_ eventID: String, _ id: ConnectionID) {
        guard let hearing = links[id]?.provider.hearing else {
            return down(
                .errorReported(code: "input_audio_buffer_commit_empty", message: "no", eventID: eventID), on: id)
        }
        links[id]?.provider.hearing = nil
        let previous = links[id]?.provider.add(hearing.itemID, .unheard)
        down(.utteranceCommitted(itemID: hearing.itemID, previousItemID: previous), on: id)
        down(.itemAdded(itemID: hearing.itemID, previousItemID: previous, kind: .userMessage), on: id)
        transcribe(hearing.utterance, hearing.itemID, id)
    }
}

extension SessionAction {
    /// Whether it ends an answer that is heard or made.
    fileprivate var cuts: Bool {
        switch self {
        case .playback(.flush), .send(.cancelAnswer, _): true
        default: false
        }
    }
}

extension AnswerRequest {
    /// How every text of the storm begins that the user's voice may not cut.
    static let protectedText = "protected"

    /// Whether it is one of those.
    var isProtected: Bool {
        input?.contains { if case .userText(_, let text) = $0 { text.hasPrefix(Self.protectedText) } else { false } }
            ?? false
    }
}

extension SessionOperation {
    fileprivate var isProtected: Bool { if case .say(_, true) = self { true } else { false } }
}
