import GlassesDomain

/// Speech over an answer that has not interrupted it so far.
struct OverlappingSpeech: Sendable, Hashable {
    let began: MonotonicTime
    /// How long the turn had been audible when the speech began; nil when it was not.
    let elapsedMs: Int?
    /// Whether the answer stands still for it.
    var isHeld = true
    /// Whether the driver measures it.
    var isMeasured = true
    /// Whether it is over, so that only its words can still make an interruption of it.
    var isOver = false
    /// Its item, once it is one.
    var itemID: String?
}

extension SessionMachine {
    /// Whether the provider leaves it to the session what interrupts an answer and what is answered.
    private var decidesItself: Bool {
        configuration.interruption != nil && server.interruptsResponse == false && server.createsResponse == false
            && !isPushToTalk
    }

    private var classifier: InterruptionClassifier {
        InterruptionClassifier(configuration.interruption ?? InterruptionConfig())
    }

    /// Whether something is being said that the user's voice does not interrupt.
    private var isProtected: Bool { answers.contains { $0.isProtected && !$0.isHeardOut } }

    /// Speech was heard: an answer stands still while it may be none that interrupts, and is cut otherwise.
    mutating func meetSpeech() {
        guard !isProtected else { return forgetOverlap() }
        guard decidesItself, isPlaying || answers.contains(where: { !$0.isOver }) else {
            cutAnswers(.userSpoke)
            return forgetOverlap()
        }
        if overlap?.isHeld != true { act(.playback(.pause)) }
        let elapsed = isAudible ? Int(audibleSince.duration(to: now).wholeMilliseconds) : nil
        overlap = OverlappingSpeech(began: now, elapsedMs: elapsed)
        act(.microphone(.measureSpeech))
        schedule(.interruption, after: Limits.interruption)
    }

    /// The driver's own detector measured a stretch of the speech. Each counts for itself: several coughs are no sentence.
    mutating func speechMeasured(_ milliseconds: Int, isOver: Bool) {
        guard overlap?.isMeasured == true else { return }
        if verdict(on: milliseconds) == .interrupt { return interrupt() }
        if isOver { overlapEnded() }
    }

    private func verdict(on milliseconds: Int) -> InterruptionVerdict {
        classifier.verdict(
            on: InterruptionObservation(durationMs: milliseconds, agentSpeakingElapsedMs: overlap?.elapsedMs))
    }

    /// The provider says that the speech is over.
    mutating func overlapStopped() {
        stopMeasuring()
        overlapEnded()
    }

    /// Too short to interrupt. Its words may tell otherwise, for which the answer waits a little.
    private mutating func overlapEnded() {
        guard overlap?.isOver == false else { return }
        overlap?.isOver = true
        guard configuration.transcribesInput else { return endHold() }
        schedule(.interruption, after: Limits.interruptionWords)
    }

    /// Its words did not come, or nobody said how long the speech is.
    mutating func interruptionTimedOut() {
        guard let speech = overlap else { return }
        if speech.isOver { return endHold() }
        let milliseconds = Int(speech.began.duration(to: now).wholeMilliseconds)
        if verdict(on: milliseconds) == .interrupt { return interrupt() }
        schedule(.interruption, after: Limits.interruption)
    }

    /// Whether an utterance that became an item is a turn; one that did not interrupt may still become one by its words.
    mutating func isTurn(_ itemID: String) -> Bool {
        guard overlap != nil, overlap?.itemID == nil else { return true }
        overlapStopped()
        if configuration.transcribesInput { overlap?.itemID = itemID } else { forgetOverlap() }
        return false
    }

    /// The words of an utterance are known, or never will be: one that did not interrupt is a turn if it was more than a cough or a
    /// sign of listening.
    mutating func judgeWords(_ words: String, of itemID: String) {
        guard overlap?.itemID == itemID else { return }
        let spoken = answers.flatMap(\.parts).map(\.text).joined(separator: " ")
        let isTurn = classifier.verdict(onWords: words, spoken: spoken) == .interrupt
        guard verdicts.flag(.wordsInterrupt, isTurn) else { return forgetOverlap() }
        interrupt()
    }

    /// The user takes the turn.
    private mutating func interrupt() {
        let isItem = overlap?.itemID != nil
        if isProtected { endHold() } else { cutAnswers(.userSpoke) }
        forgetOverlap()
        guard isItem else { return }
        repeats = 0
        applyLedger(.userTurned)
        applyGate(.wished(AnswerWish(purpose: .conversation)))
    }

    // MARK: - Ends

    /// What was not cut goes on.
    mutating func endHold() {
        if releaseHold() { act(.playback(.resume)) }
    }

    /// True when an answer stood still, which the caller now cuts or lets go on. An utterance that is no item yet is then one like
    /// any other.
    mutating func releaseHold() -> Bool {
        guard overlap?.isHeld == true else { return false }
        overlap?.isHeld = false
        cancel(.interruption)
        return true
    }

    /// Nothing more is awaited of the speech; the answer goes on.
    mutating func forgetOverlap() {
        endHold()
        stopMeasuring()
        overlap = nil
    }

    /// Everything was cut for another reason, or the connection is gone: what is no item yet is an utterance like any other.
    mutating func leaveOverlap() {
        guard overlap?.itemID == nil else { return endHold() }
        forgetOverlap()
    }

    private mutating func stopMeasuring() {
        guard overlap?.isMeasured == true else { return }
        overlap?.isMeasured = false
        act(.microphone(.stopMeasuring))
    }
}
