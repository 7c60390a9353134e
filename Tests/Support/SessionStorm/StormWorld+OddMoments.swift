import GlassesAssistant
import GlassesDomain

/// What happens at moments at which nobody expects it: calls before the start and after the end, words that were under way when they
/// became void.
extension StormWorld {
    /// Before the app starts the session, and after it has ended: everything that an app, a device and a clock may do.
    func happenOddly() {
        for _ in 0..<number(1...12) {
            switch number(0...3) {
            case 0: loseOddly()
            case 1: editHistory()
            default: ask(oddCall())
            }
        }
    }

    private func loseOddly() {
        switch number(0...3) {
        case 0: loseDevice(.deviceDrop, .dropped, for: number(300...3_000))
        case 1: loseDevice(.deviceFold, chance(2) ? .userRequested : .hingesClosed, for: number(300...3_000))
        case 2: closeGate()
        default: sleepMachine()
        }
        guard chance(2) else { return }
        happen(.deviceReturned)
        happen(.gateOpened)
    }

    /// The app does something at the wrong moment.
    func callOddly() {
        counts.count(.oddCall)
        ask(oddCall())
    }

    private func oddCall() -> SessionOperation {
        let calls: [SessionOperation] = [
            .start, .wake, .cancelSpeak, .cancelTurn, .endTurn, .beginTurn, .say(text: "said"), .greet(directive: nil),
            .includePicture(prompt: nil), .sendFrame, .applyChoices(needsConnection: chance(2)), .sendText(text: " "),
            .sleep,
        ]
        let call = calls[number(0...(calls.count - 1))]
        // Only a session that is not awake is put to sleep by this one: sleep has a fault of its own.
        if call == .sleep, machine.state == .active || machine.state == .reconnecting { return .wake }
        return call
    }

    /// The machine slept, and the wall clock was set meanwhile.
    func sleepMachine() {
        counts.count(.machineSleep)
        if chance(2) { feed(.wallClockMoved(offsetMilliseconds: Int64(number(0...10_000)) - 5_000)) }
        feed(.machineResumed(after: .seconds(number(1...60))))
    }

    /// Ends come at any moment, and some right behind one another.
    func planOddEnds() {
        guard plan.happensOddly else { return }
        for _ in 0..<number(0...2) { plan(.oddEnd(oddEnd()), in: number(1_500...60_000)) }
    }

    /// The session has just moved to another connection.
    func moved() {
        guard plan.happensOddly, chance(2) else { return }
        guard chance(2) else { return plan(.oddEnd(oddEnd()), in: number(100...1_200)) }
        let moment = number(0...150)
        plan(.oddEnd(.drop), in: moment)
        plan(.oddEnd(chance(2) ? .sleep : .stop), in: moment + number(1...80))
    }

    /// An end comes soon, where a wait has just begun that is rare.
    func endSoon(_ end: StormEnd, within milliseconds: Int) {
        guard plan.happensOddly, !isCalm, chance(2) else { return }
        plan(.oddEnd(end), in: number(0...milliseconds))
    }

    private func oddEnd() -> StormEnd { StormEnd.allCases[number(0...(StormEnd.allCases.count - 1))] }

    func endOddly(_ end: StormEnd) {
        guard !isCalm else { return }
        switch end {
        case .drop:
            dropLink()
            guard chance(4), microphone.isOpen else { return }
            microphone.speaking?.isWhole = false
            feed(.microphoneFailed(code: "hardware_unavailable", message: "no"))
            endSoon(.sleep, within: 300)
        case .finalClose: closeForGood()
        case .sleep: wish(.sleep, .sleep)
        case .stop:
            wish(.stop, .stop)
            if chance(2) { happenOddly() }
        }
    }

    // MARK: - Words that are void

    /// A timer that was cancelled had fired a moment before.
    func cancelTimer(_ timer: SessionTimer) {
        guard timers.removeValue(forKey: timer) != nil else { return }
        if mayStrike(.staleTimer, oneIn: 3) { voided.append(timer) }
    }

    /// The words of timers that were cancelled just now come next.
    func tellVoided() {
        let timers = voided
        voided = []
        for timer in timers { feed(.timerFired(timer)) }
    }

    /// A connection that the session has closed goes on talking until it ends.
    func straysOnClosed(_ id: ConnectionID) {
        guard mayStrike(.strayEvent, oneIn: 2) else { return }
        for _ in 0..<number(3...10) { plan(.stray(id, strayFact(isLeft: true)), in: number(0...1_500)) }
        if chance(2) { plan(.unsendable(id), in: number(0...1_000)) }
    }

    /// The provider tells of answers that never were, or a command turns out to be too large.
    func stray() {
        guard let id = current, links[id]?.isOpen == true else { return }
        counts.count(.strayEvent)
        if chance(4) { return plan(.unsendable(id), in: 0) }
        plan(.stray(id, strayFact(isLeft: links[id]?.isClosing == true)), in: 0)
    }

    func strayed(_ id: ConnectionID, _ fact: ServerFact) {
        guard links[id]?.isOpen == true else { return }
        // Only where nothing counts any more may everything be said.
        guard links[id]?.isClosing == true || fact.isOfGhost else { return }
        feed(.server(id, fact))
    }

    func unsendable(_ id: ConnectionID) {
        guard links[id]?.isOpen == true else { return }
        feed(.commandUnsendable(id, eventID: "ghost", code: "message_too_big", message: "no"))
    }

    private func strayFact(isLeft: Bool) -> ServerFact {
        let segment = SegmentID(responseID: "ghost", itemID: "ghost item", contentIndex: 0)
        let ofGhosts: [ServerFact] = [
            .answerItemAdded(responseID: "ghost", itemID: "ghost item", kind: .assistantMessage),
            .answerAudioReceived(segment, frames: 2_400), .answerAudioDone(segment),
            .answerTranscriptReceived(segment, text: "boo"), .answerTranscriptDone(segment, text: "boo"),
            .answerTextReceived(segment, text: "boo"), .answerTextDone(segment, text: "boo"),
            .functionCallCompleted(
                responseID: "ghost", itemID: "ghost call", callID: "ghost", name: "a", arguments: #"{"x":1}"#),
            .answerDone(responseID: "ghost", status: .completed),
            .errorReported(code: "server_error", message: "no", eventID: "ghost"),
        ]
        guard isLeft else { return ofGhosts[number(0...(ofGhosts.count - 1))] }
        let all =
            ofGhosts + [
                .sessionCreated(ServerSessionFacts()),
                .sessionUpdated(ServerSessionFacts(interruptsResponse: true, createsResponse: true)),
                .speechStarted(itemID: "ghost item"), .speechStopped(itemID: "ghost item"),
                .utteranceCommitted(itemID: "ghost item", previousItemID: nil),
                .itemAdded(itemID: "ghost item", previousItemID: nil, kind: .userMessage),
                .userTranscriptCompleted(itemID: "ghost item", text: "boo"),
                .userTranscriptFailed(itemID: "ghost item", code: nil),
                .answerCreated(responseID: "ghost", metadata: [:], isOutOfBand: false),
            ]
        return all[number(0...(all.count - 1))]
    }

    // MARK: - Memory

    func follow(_ action: MemoryAction) {
        switch action {
        case .load: plan(.memoryLoaded, in: chance(2) ? number(1...50) : number(50...20_000))
        case .compact(let id, _): plan(.compactionEnded(id), in: chance(2) ? number(1...500) : number(500...20_000))
        case .abandon, .remember: break
        }
    }

    func compactionEnded(_ id: CompactionID) {
        counts.count(.compaction)
        guard !chance(3) else { return feed(.compactionFailed(id)) }
        switch plan.configuration.compaction {
        case .summarise: feed(.historySummarised(id, "what was said"))
        case .replace: feed(.historyCompacted(id, [.userText(text: "what was said", timestampMs: 1)]))
        case .forget: break
        }
    }
}

extension ServerFact {
    /// Whether it is about an answer or a command that never was, so that it means nothing on any connection.
    fileprivate var isOfGhost: Bool {
        switch self {
        case .answerItemAdded, .answerAudioReceived, .answerAudioDone, .answerTranscriptReceived, .answerTranscriptDone,
            .answerTextReceived, .answerTextDone, .functionCallCompleted, .answerDone, .errorReported:
            true
        case .sessionCreated, .sessionUpdated, .speechStarted, .speechStopped, .utteranceCommitted, .itemAdded,
            .userTranscriptCompleted, .userTranscriptFailed, .answerCreated:
            false
        }
    }
}
