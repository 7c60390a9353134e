import GlassesDomain
import GlassesRealtime

extension PipelineMachine {
    mutating func appendAudio(_ bytes: [UInt8], eventId: String?) {
        guard bytes.count <= PipelineLimits.appendBytes else {
            return refuse(.refusal("audio", "Send at most 15 MiB of audio in one append."), eventId: eventId)
        }
        let samples = buffer.samples(of: bytes)
        for fact in buffer.append(samples, at: now, isOverAnswer: isAnswerHeard) { heard(fact, eventId: eventId) }
        if buffer.isJudgedElsewhere, !samples.isEmpty { actions.work.append(.judge(samples)) }
    }

    /// Whether the client plays an answer, as far as can be known here.
    private var isAnswerHeard: Bool { now < playsUntil }

    /// Makes the buffered audio a user item; its response is the client's to ask for.
    mutating func commitAudio(eventId: String?) {
        let (facts, collected) = buffer.commit()
        if !collected.isEmpty {
            commit(itemId: makeId("item_"), samples: collected)
        } else if facts.isEmpty {
            let error = RealtimeErrorInfo(
                message: "The buffer holds less than 100 ms of audio. Append more before a commit.",
                code: "input_audio_buffer_commit_empty")
            refuse(error, eventId: eventId)
        }
        for fact in facts { heard(fact, eventId: eventId, isClientCommit: true) }
    }

    mutating func clearAudio() {
        buffer.clear()
        dropUtterance()
        send(.inputAudioBufferCleared)
    }

    /// Forgets the speech in progress.
    mutating func dropUtterance() {
        guard let dropped = utterance else { return }
        utterance = nil
        transcripts[dropped.itemId] = nil
        if dropped.isRecognized { actions.work.append(.cancelRecognition(itemId: dropped.itemId)) }
    }

    mutating func heard(_ fact: InputAudioBuffer.Fact, eventId: String? = nil, isClientCommit: Bool = false) {
        switch fact {
        case .speechStarted(let startMs, let audio): speechStarted(startMs: startMs, audio: audio)
        case .speechContinued(let audio): speechContinued(audio)
        case .speechPaused: speechPaused()
        case .speechResumed: speechResumed()
        case .speechStopped(let endMs, let silenceMs):
            speechStopped(endMs: endMs, silenceMs: silenceMs, isClientCommit: isClientCommit)
        case .judgeLost(let loss): judgeLost(loss)
        case .overflowed:
            let error = RealtimeErrorInfo(
                message: "The buffer is full at 30 s; later audio was dropped. Commit or clear it.",
                code: "input_audio_buffer_full", param: "audio")
            refuse(error, eventId: eventId)
        }
    }

    private mutating func speechStarted(startMs: Int, audio: [Int16]) {
        let itemId = makeId("item_")
        let isRecognized = profile.canRecognize && recognitions.count < PipelineLimits.openRecognitions
        utterance = Utterance(itemId: itemId, samples: audio, isRecognized: isRecognized)
        actions.work.append(.cancelTimer(.idle))
        send(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: itemId, audioStartMs: startMs)))
        if session.input.turnDetection?.interruptsResponse ?? false { interrupt() }
        if isRecognized {
            actions.work.append(.startRecognition(itemId: itemId))
            actions.work.append(.pushAudio(itemId: itemId, audio))
        }
    }

    /// Cuts the response of the conversation; what it had not dealt with is answered together with the new turn.
    private mutating func interrupt() {
        guard let inBandId, let response = responses[inBandId] else { return }
        switch response.phase {
        case .awaitingTranscripts, .thinking: isAnswerOwed = session.input.turnDetection?.createsResponse ?? false
        case .speaking, .quiet: break
        }
        playsUntil = now
        end(inBandId, .cancelled, ResponseStatusDetails(type: .cancelled, reason: .turnDetected))
    }

    private mutating func speechContinued(_ audio: [Int16]) {
        guard let current = utterance else { return }
        utterance?.samples.append(contentsOf: audio)
        if current.isRecognized, current.decoding == .listening {
            actions.work.append(.pushAudio(itemId: current.itemId, audio))
        }
    }

    private mutating func speechStopped(endMs: Int, silenceMs: Int, isClientCommit: Bool) {
        guard let finished = utterance else { return }
        utterance = nil
        let wantsAnswer = !isClientCommit && (session.input.turnDetection?.createsResponse ?? false)
        if wantsAnswer { turnClock = TurnClock(silenceMs: silenceMs, stoppedAt: now) }
        send(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: finished.itemId, audioEndMs: endMs)))
        commit(finished, wantsAnswer: wantsAnswer)
    }

    private mutating func commit(_ finished: Utterance, wantsAnswer: Bool) {
        addUtterance(itemId: finished.itemId, samples: finished.samples)
        guard finished.isRecognized else {
            return recognize(itemId: finished.itemId, samples: finished.samples, wantsAnswer: wantsAnswer)
        }
        if finished.decoding == .listening {
            actions.work.append(.finishRecognition(itemId: finished.itemId))
        }
        awaitTranscript(itemId: finished.itemId, samples: finished.samples.count, wantsAnswer: wantsAnswer)
        if case .done(let result) = finished.decoding { recognized(finished.itemId, result) }
    }

    private mutating func commit(itemId: String, samples: [Int16]) {
        addUtterance(itemId: itemId, samples: samples)
        recognize(itemId: itemId, samples: samples, wantsAnswer: false)
    }

    private mutating func addUtterance(itemId: String, samples: [Int16]) {
        let committed = BufferCommitted(itemId: itemId, previousItemId: conversation.lastId)
        let entry = ConversationEntry.utterance(id: itemId, audio: samples)
        conversation.append(entry)
        send(.inputAudioBufferCommitted(committed))
        announce(entry)
    }

    /// Starts the recognition of audio that is complete.
    mutating func recognize(itemId: String, samples: [Int16], wantsAnswer: Bool) {
        guard profile.canRecognize, recognitions.count < PipelineLimits.openRecognitions else {
            let error =
                profile.canRecognize
                ? SpeechEngineError(
                    code: "engine_busy", message: "Too many utterances wait for their words. Speak again.")
                : SpeechEngineError(
                    code: "engine_unavailable", message: "No speech recogniser is installed. Run Scripts/setup.")
            recognitions[itemId] = Recognition(seconds: Self.seconds(samples.count), wantsAnswer: wantsAnswer)
            return recognitionFailed(itemId, error)
        }
        actions.work.append(.startRecognition(itemId: itemId))
        actions.work.append(.pushAudio(itemId: itemId, samples))
        actions.work.append(.finishRecognition(itemId: itemId))
        awaitTranscript(itemId: itemId, samples: samples.count, wantsAnswer: wantsAnswer)
    }

    private mutating func awaitTranscript(itemId: String, samples: Int, wantsAnswer: Bool) {
        recognitions[itemId] = Recognition(seconds: Self.seconds(samples), wantsAnswer: wantsAnswer)
        actions.work.append(.schedule(.recognition(itemId: itemId), after: PipelineLimits.engineTimeout))
    }

    private static func seconds(_ samples: Int) -> Double { Double(samples) / Double(PipelineLimits.sampleRate) }
}

extension PipelineMachine {
    mutating func recognized(_ itemId: String, _ result: RecognitionResult) {
        guard let recognition = recognitions.removeValue(forKey: itemId) else {
            return recognizedAtPause(itemId, result)
        }
        actions.work.append(.cancelTimer(.recognition(itemId: itemId)))
        turnClock?.recognized(at: now)
        transcripts[itemId] = nil
        let hasWords = result.text.contains { $0.isLetter || $0.isNumber }
        let isTranscribed = session.input.transcription != nil
        if hasWords {
            conversation.update(itemId) { entry in
                entry.recognizedText = result.text
                if isTranscribed { entry.setTranscript(result.text) }
            }
        }
        if isTranscribed {
            let completed = TranscriptionCompleted(
                itemId: itemId, transcript: hasWords ? result.text : "",
                usage: .duration(seconds: recognition.seconds))
            send(.inputAudioTranscriptionCompleted(completed))
        }
        if hasWords {
            isAnswerOwed = isAnswerOwed || recognition.wantsAnswer
        } else if conversation.remove(itemId) != nil {
            turnClock = nil
            // A noise is not something that was said: it leaves no trace in what the assistant takes for heard.
            send(.conversationItemDeleted(itemId: itemId))
        }
        transcriptsChanged(failure: nil, hasHeardNothing: !hasWords)
    }

    mutating func recognitionFailed(_ itemId: String, _ error: SpeechEngineError) {
        guard let recognition = recognitions.removeValue(forKey: itemId) else { return failedAtPause(itemId) }
        actions.work.append(.cancelTimer(.recognition(itemId: itemId)))
        transcripts[itemId] = nil
        turnClock = nil
        let info = RealtimeErrorInfo.server(code: error.code, message: error.message)
        let isAwaited = responses.values.contains { if case .awaitingTranscripts = $0.phase { true } else { false } }
        let isTranscribed = session.input.transcription != nil
        if isTranscribed {
            send(.inputAudioTranscriptionFailed(TranscriptionFailed(itemId: itemId, error: info)))
        }
        // Every failure is told once: by the response that waits, by one of its own, or by an error event.
        transcriptsChanged(failure: info, hasHeardNothing: false)
        if isAwaited { return }
        if recognition.wantsAnswer, inBandId == nil {
            let response = open(ResponseParameters(), phase: .quiet)
            fail(response, info)
        } else if !isTranscribed {
            send(.error(info))
        }
    }

    /// Goes on with a response that waits, once every committed utterance has its words.
    mutating func transcriptsChanged(failure: RealtimeErrorInfo?, hasHeardNothing: Bool) {
        guard let inBandId, case .awaitingTranscripts(var wait) = responses[inBandId]?.phase else { return }
        wait.failure = wait.failure ?? failure
        wait.hasHeardNothing = wait.hasHeardNothing || hasHeardNothing
        responses[inBandId]?.phase = .awaitingTranscripts(wait)
        guard recognitions.isEmpty else { return }
        if let failure = wait.failure {
            if conversation.brainMessages(at: now).pending.isEmpty { return fail(inBandId, failure) }
            // The response deals with the rest; without transcription events this one tells of the loss.
            if session.input.transcription == nil { send(.error(failure)) }
        }
        isAnswerOwed = false
        think(inBandId, otherwise: wait.hasHeardNothing ? .nothingUnderstood : .unprompted)
    }

    /// Answers a turn of turn detection as soon as nothing stands in the way: another response, words that are still
    /// awaited, or speech that would cut the answer at once.
    mutating func answerIfOwed() {
        let isSpokenOver = utterance != nil && (session.input.turnDetection?.interruptsResponse ?? false)
        guard isAnswerOwed, inBandId == nil, recognitions.isEmpty, !isSpokenOver else { return }
        isAnswerOwed = false
        // A response of the client may have dealt with the turn in the meantime.
        guard !conversation.brainMessages(at: now).pending.isEmpty else { return }
        let response = open(ResponseParameters(), phase: .quiet)
        think(response, otherwise: .unprompted)
    }

    /// Nobody has spoken for the idle time: the silence becomes a turn that is answered.
    mutating func idleTimeRanOut() {
        guard case .serverVAD(let vad) = session.input.turnDetection, let idle = vad.idleTimeoutMs, utterance == nil,
            inBandId == nil, recognitions.isEmpty
        else { return }
        let itemId = makeId("item_")
        let endMs = buffer.writtenSamples * 1_000 / PipelineLimits.sampleRate
        let timeout = InputTimeout(itemId: itemId, audioStartMs: max(0, endMs - idle), audioEndMs: endMs)
        send(.inputAudioBufferTimeoutTriggered(timeout))
        let committed = BufferCommitted(itemId: itemId, previousItemId: conversation.lastId)
        let entry = ConversationEntry.utterance(id: itemId, audio: [])
        conversation.append(entry)
        send(.inputAudioBufferCommitted(committed))
        announce(entry)
        let response = open(ResponseParameters(), phase: .quiet)
        think(response, otherwise: .silence)
    }
}
