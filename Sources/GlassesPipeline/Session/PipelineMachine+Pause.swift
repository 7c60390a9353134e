import GlassesDomain
import GlassesRealtime

/// What was said so far is recognised at each pause, while the end of the turn is still waited for: if the person goes on, the
/// work is thrown away; if not, the words are there when the turn ends.
extension PipelineMachine {
    mutating func speechPaused() {
        guard let paused = utterance, paused.isRecognized, paused.decoding == .listening,
            paused.speculations < PipelineLimits.speculationsPerUtterance,
            paused.samples.count <= PipelineLimits.speculationSamples
        else { return }
        utterance?.speculations += 1
        utterance?.decoding = .finishing
        actions.work.append(.finishRecognition(itemId: paused.itemId))
    }

    mutating func speechResumed() {
        guard let resumed = utterance, resumed.decoding != .listening else { return }
        listenAnew(resumed)
    }

    mutating func recognizedAtPause(_ itemId: String, _ result: RecognitionResult) {
        guard let paused = utterance, paused.itemId == itemId, paused.decoding == .finishing else { return }
        utterance?.decoding = .done(result)
        guard InputAudioBuffer.Settings(session.input.turnDetection).endsWholeTurns, inBandId == nil,
            recognitions.isEmpty, result.text.contains(where: \.isLetter)
        else { return }
        var (context, pending, _) = conversation.brainMessages(at: now)
        context.append(.user(result.text))
        pending.append(.user(result.text))
        let request = BrainRequest(
            occasion: .turn, instructions: session.instructions, context: context, pending: pending,
            tools: session.tools.compactMap { if case .function(let function) = $0 { function } else { nil } },
            toolChoice: session.toolChoice)
        actions.work.append(.weighTurn(itemId: itemId, attempt: paused.speculations, request))
    }

    /// The turn itself will tell, if the engine fails on the whole of it too.
    mutating func failedAtPause(_ itemId: String) {
        guard let paused = utterance, paused.itemId == itemId, paused.decoding == .finishing else { return }
        utterance?.speculations = PipelineLimits.speculationsPerUtterance
        listenAnew(paused)
    }

    mutating func turnWeighed(_ itemId: String, attempt: Int, _ isWhole: Bool) {
        guard isWhole, let paused = utterance, paused.itemId == itemId, paused.speculations == attempt,
            case .done = paused.decoding
        else { return }
        for fact in buffer.completeTurn() { heard(fact) }
    }

    private mutating func listenAnew(_ current: Utterance) {
        utterance?.decoding = .listening
        actions.work.append(.cancelRecognition(itemId: current.itemId))
        actions.work.append(.startRecognition(itemId: current.itemId))
        actions.work.append(.pushAudio(itemId: current.itemId, current.samples))
    }
}

/// The words of an utterance that is not over are sent as far as they no longer change.
extension PipelineMachine {
    mutating func partiallyRecognized(_ itemId: String, _ text: String) {
        guard session.input.transcription != nil, utterance?.itemId == itemId || recognitions[itemId] != nil,
            let delta = transcripts[itemId, default: StableTranscript()].update(text)
        else { return }
        send(.inputAudioTranscriptionDelta(TranscriptionDelta(itemId: itemId, delta: delta)))
    }
}
