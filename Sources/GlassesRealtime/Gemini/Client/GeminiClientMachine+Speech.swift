import GlassesDomain

extension GeminiClientMachine {
    /// Speech whose beginning the server did not tell is taken to begin this long before its first sign.
    static let assumedLeadMs = 300
    /// A piece of audio in one message: 100 ms.
    private static let pieceBytes = audioBytesPerSecond / 10
    /// Words that wait for the next utterance: more is none.
    private static let earlyWordsLimit = 4_096

    // MARK: - From the client

    mutating func append(_ audio: [UInt8], _ eventId: String?) {
        guard isManual else {
            // What was put into the conversation comes before what is said now; it would cut an answer.
            if answer == nil, !isTurnOpen { sendTurns(isComplete: false) }
            microphone.passed(audio)
            return send(.realtimeInput(.audio(.pcm(audio, rate: 24_000))))
        }
        guard microphone.hold(audio) else {
            return refuse(
                .invalidValue("audio", "Commit or clear the audio: this provider takes utterances of 5 minutes."),
                eventId)
        }
    }

    mutating func commit(_ eventId: String?) {
        guard isManual else { return send(.realtimeInput(.audioStreamEnd)) }
        guard microphone.commit() else {
            return refuse(
                RealtimeErrorInfo(
                    message: "The buffer holds less than \(GeminiMicrophone.shortestMs) ms of audio.",
                    code: "input_audio_buffer_commit_empty"), eventId)
        }
        completeUtterance()
        utterance = GeminiUtterance(itemId: newId("item"))
        commitUtterance()
    }

    mutating func clear() {
        microphone.clear()
        deliver(.inputAudioBufferCleared)
    }

    /// An utterance that was committed by hand, as one piece of activity.
    mutating func sendCommitted() {
        let audio = microphone.takeCommitted()
        send(.realtimeInput(.activityStart))
        for start in stride(from: 0, to: audio.count, by: Self.pieceBytes) {
            let piece = Array(audio[start..<min(start + Self.pieceBytes, audio.count)])
            send(.realtimeInput(.audio(.pcm(piece, rate: 24_000))))
        }
        send(.realtimeInput(.activityEnd))
    }

    // MARK: - From the server

    mutating func beginUtterance(at startMs: Int?) {
        completeUtterance()
        handle = nil
        let id = newId("item")
        utterance = GeminiUtterance(itemId: id)
        let start = startMs ?? max(0, microphone.positionMs - Self.assumedLeadMs)
        deliver(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: id, audioStartMs: start)))
        if !earlyWords.isEmpty {
            let words = earlyWords
            earlyWords = ""
            addWords(words)
        }
    }

    /// The user has spoken: what was said is an item now, whose words may still come.
    mutating func stopUtterance(at endMs: Int? = nil) {
        guard let utterance, !utterance.isStopped else { return }
        let end = endMs ?? microphone.positionMs
        deliver(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: utterance.itemId, audioEndMs: end)))
        commitUtterance()
    }

    private mutating func commitUtterance() {
        guard let id = utterance?.itemId else { return }
        utterance?.isStopped = true
        hasUserTurn = true
        let item = ConversationItem(
            id: id, status: .completed,
            body: .message(MessageItem(role: .user, content: [.inputAudio(audio: nil, transcript: nil)])))
        let placement = ItemPlacement(item: item, previousItemId: ledger.last)
        deliver(.inputAudioBufferCommitted(BufferCommitted(itemId: id, previousItemId: ledger.last)))
        ledger.keep(item)
        deliver(.conversationItemAdded(placement))
        deliver(.conversationItemDone(placement))
    }

    /// No more words come of what was said.
    mutating func completeUtterance() {
        guard let spoken = utterance else { return }
        stopUtterance()
        utterance = nil
        guard session.input.transcription != nil else { return }
        ledger.keep(
            ConversationItem(
                id: spoken.itemId, status: .completed,
                body: .message(
                    MessageItem(role: .user, content: [.inputAudio(audio: nil, transcript: spoken.words)]))))
        deliver(
            .inputAudioTranscriptionCompleted(
                TranscriptionCompleted(
                    itemId: spoken.itemId, transcript: spoken.words, usage: .duration(seconds: 0))))
    }

    private mutating func addWords(_ words: String) {
        guard let (id, known) = utterance.map({ ($0.itemId, $0.words) }), !words.isEmpty,
            known.utf8.count + words.utf8.count <= Self.wordsLimit
        else { return }
        utterance?.words += words
        deliver(.inputAudioTranscriptionDelta(TranscriptionDelta(itemId: id, delta: words)))
    }

    mutating func heard(_ transcription: GeminiTranscription) {
        if utterance == nil {
            // Gemini Live orders these by nothing. Words beside an answer that goes on cut none of it.
            guard answer == nil, !isTurnOpen, !isManual else {
                if earlyWords.utf8.count < Self.earlyWordsLimit { earlyWords += transcription.text }
                return
            }
            guard !transcription.text.isEmpty else { return }
            beginUtterance(at: nil)
        }
        addWords(transcription.text)
        if transcription.isFinished { completeUtterance() }
    }

    mutating func heard(_ activity: GeminiVoiceActivity) {
        guard !isManual else { return }
        let position = activity.offsetMs.map { $0 + microphone.connectionStartMs }
        if !activity.isStart { return stopUtterance(at: position) }
        // One that is still going on was begun by its words.
        if utterance == nil || utterance?.isStopped == true { beginUtterance(at: position) }
    }
}
