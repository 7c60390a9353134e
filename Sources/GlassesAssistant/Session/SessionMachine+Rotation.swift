import GlassesDomain

/// Replacing the connection before the provider ends it.
///
/// A second connection is opened and given the conversation while the first one keeps the microphone; then the microphone moves between two
/// of its blocks. It reports by these functions, never by the lifecycle's events. Whatever happens in the conversation meanwhile calls the
/// attempt off, and the next quiet moment is waited for.
extension SessionMachine {
    private enum RotationLimits {
        /// So long nobody spoke, nothing played, no answer was under way and no call ran.
        static let quiet = Duration.seconds(1)
        /// Between two attempts when the network, not the provider, failed the last one.
        static let rest = Duration.seconds(30)
        /// An end that is announced so soon after the beginning, or so late, is a matter of clocks that differ.
        static let plausible = Duration.seconds(120)...Duration.seconds(86_400)
    }

    // MARK: - The plan

    /// The connection is open: its end is known from the provider, or from what is known of it.
    mutating func planRotation() {
        rotation.plan = ceiling.map { RotationPlan(ceiling: $0, at: now) }
    }

    /// The provider announced another end while the connection was open.
    mutating func ceilingAnnounced() {
        guard let left = announcedTime else { return }
        rotation.plan = RotationPlan(ceiling: now.advanced(by: max(left, .zero)), at: now, isAnnounced: true)
    }

    private var ceiling: MonotonicTime? {
        var left = configuration.sessionCeiling
        if let announced = announcedTime, RotationLimits.plausible.contains(announced) {
            left = min(announced, left ?? announced)
        }
        return left.map { now.advanced(by: $0) }
    }

    /// What is left of the session by the provider's word.
    private var announcedTime: Duration? {
        guard let end = server.expiresAt, end > 0 else { return nil }
        let (milliseconds, overflows) = Int64(end).multipliedReportingOverflow(by: 1000)
        guard !overflows else { return nil }
        return .milliseconds(milliseconds.subtractingReportingOverflow(timestampMs).partialValue)
    }

    // MARK: - After every input

    /// Begins, calls off or finishes a replacement, as far as what goes on allows it.
    mutating func rotate() {
        guard state == .active, case .open(let id) = link, let plan = rotation.plan else {
            callOffRotation()
            cancel(.rotation)
            cancel(.rotationQuiet)
            return
        }
        let urgency = plan.urgency(at: now)
        if urgency == .overdue { return replaceConnection(id, .ceilingApproach) }
        if let next = plan.nextStep(after: now), deadlines[.rotation] != next { scheduleRotation(next) }
        guard isQuiet else {
            callOffRotation()
            cancel(.rotationQuiet)
            return
        }
        if let second = rotation.second {
            if let revision = second.revision, revision != history.revision { callOffRotation() }
            if second.phase == .ready { moveToSecond() }
        }
        beginWhenQuiet(urgency, id)
    }

    private mutating func beginWhenQuiet(_ urgency: RotationPlan.Urgency, _ id: ConnectionID) {
        guard rotation.second == nil, urgency > .none, link.id == id else { return cancel(.rotationQuiet) }
        let wait = max(
            urgency == .pressing ? .zero : RotationLimits.quiet, now.duration(to: rotation.restsUntil))
        if wait <= .zero { return beginRotation(id) }
        if deadlines[.rotationQuiet] == nil { schedule(.rotationQuiet, after: wait) }
    }

    /// It was quiet for long enough: whatever is not quiet cancels the timer.
    mutating func quietLasted() {
        guard state == .active, case .open(let id) = link, rotation.second == nil, isQuiet else { return }
        beginRotation(id)
    }

    /// Whether nothing goes on that a replacement could disturb.
    private var isQuiet: Bool {
        !isUserSpeaking && !isPlaying && !isAudible && !gate.isAnswering && !gate.hasWish && !ledger.isRunning
            && !gate.isHeld(.serverAnswerExpected) && calls.isEmpty && flushes.isEmpty && !speech.isOpen
            && speech.items.isEmpty
    }

    private mutating func scheduleRotation(_ moment: MonotonicTime) {
        deadlines[.rotation] = moment
        act(.timer(.schedule(.rotation, at: moment)))
    }

    // MARK: - The second connection

    private mutating func beginRotation(_ id: ConnectionID) {
        guard !rotation.closesFirst else { return replaceConnection(id, .proactiveCadence) }
        let second = SecondConnection(id: ConnectionID(newNumber()))
        rotation.second = second
        act(.connection(.open(second.id)))
        schedule(.rotationSetup(second.id), after: Limits.connectionSetup)
    }

    /// Whether `id` is the second connection, which is open now.
    mutating func secondOpened(_ id: ConnectionID) -> Bool {
        guard var second = rotation.second, second.id == id else { return false }
        let eventID = newID("update")
        second.phase = .configuring(eventID: eventID)
        rotation.second = second
        act(.send(.updateSession(eventID: eventID), on: id))
        return true
    }

    /// Whether `id` is the second connection, of which this is told. There is no microphone on it, so it hears and answers nothing.
    mutating func secondReported(_ fact: ServerFact, on id: ConnectionID) -> Bool {
        guard let second = rotation.second, second.id == id else { return false }
        switch fact {
        case .sessionCreated(let facts): rotation.second?.server.learn(facts)
        case .sessionUpdated(let facts):
            rotation.second?.server.learn(facts)
            if case .configuring = second.phase { replayOnSecond(id) }
        case .itemAdded(let itemID, _, _): secondHas(itemID: itemID, eventID: nil)
        case .errorReported(let code, let message, let eventID):
            if case .configuring(let awaited) = second.phase, awaited == eventID {
                secondRefused(ConnectionClosure(code: code ?? "session_refused", message: message), closes: true)
            } else {
                secondHas(itemID: nil, eventID: eventID)
            }
        case .speechStarted, .speechStopped, .utteranceCommitted, .userTranscriptCompleted, .userTranscriptFailed,
            .answerCreated, .answerItemAdded, .answerAudioReceived, .answerAudioDone, .answerTranscriptReceived,
            .answerTranscriptDone, .answerTextReceived, .answerTextDone, .functionCallCompleted, .answerDone:
            break
        }
        return true
    }

    /// The history itself is only marked as given when the connection takes its place.
    private mutating func replayOnSecond(_ id: ConnectionID) {
        var given = history
        var items = given.takeReplay()
        if let preamble = memory.preamble { items.insert(.systemText(id: newItemID(), text: preamble), at: 0) }
        var awaited: [String: String] = [:]
        for item in items {
            let eventID = newID("create")
            awaited[item.id] = eventID
            act(.send(.createItem(eventID: eventID, item), on: id))
        }
        rotation.second?.revision = history.revision
        rotation.second?.phase = awaited.isEmpty ? .ready : .replaying(awaited: awaited)
    }

    /// An item was taken, or refused: the session goes on without that one, as after a lost connection.
    private mutating func secondHas(itemID: String?, eventID: String?) {
        guard case .replaying(var awaited) = rotation.second?.phase else { return }
        guard let known = awaited.first(where: { $0.key == itemID || $0.value == eventID }) else { return }
        awaited[known.key] = nil
        rotation.second?.phase = awaited.isEmpty ? .ready : .replaying(awaited: awaited)
    }

    /// Whether `id` is the second connection, which ended before it took the first one's place.
    mutating func secondEnded(_ id: ConnectionID, _ closure: ConnectionClosure) -> Bool {
        guard rotation.second?.id == id else { return false }
        secondRefused(closure, closes: false)
        return true
    }

    mutating func secondTimedOut(_ id: ConnectionID) {
        guard rotation.second?.id == id else { return }
        callOffRotation()
        rotation.restsUntil = now.advanced(by: RotationLimits.rest)
    }

    /// A provider that answers and says no allows one connection; a network that fails may do better in a while.
    private mutating func secondRefused(_ closure: ConnectionClosure, closes: Bool) {
        let isRefusal = closes || closure.httpStatus != nil || (closure.closeCode ?? 1006) != 1006
        if isRefusal { rotation.closesFirst = true }
        rotation.restsUntil = now.advanced(by: isRefusal ? .zero : RotationLimits.rest)
        act(.diagnose(.secondConnectionFailed(code: closure.code)))
        if closes { return callOffRotation() }
        if let id = rotation.second?.id { cancel(.rotationSetup(id)) }
        rotation.second = nil
    }

    /// Lets go of the second connection, if there is one: the first one goes on as if nothing had been tried.
    mutating func callOffRotation() {
        guard let second = rotation.second else { return }
        rotation.second = nil
        cancel(.rotationSetup(second.id))
        closeConnection(second.id)
    }

    // MARK: - The move

    /// The second connection has the whole conversation: it gets the microphone, and the first one ends.
    private mutating func moveToSecond() {
        guard let second = rotation.second, case .open(let old) = link else { return }
        rotation.second = nil
        cancel(.rotationSetup(second.id))
        cancel(.connectionGood(old))
        _ = history.takeReplay()
        memory.isUntold = false
        link = .open(second.id)
        beginConnection(second.server)
        // Between two blocks: the driver changes the way of the samples under its lock.
        openMicrophone()
        closeConnection(old)
        schedule(.connectionGood(second.id), after: Limits.connectionGood)
        planRotation()
        notify(.reconnected(reason: .proactiveCadence, downtimeMs: 0))
    }

    // MARK: - Without a second connection

    /// Closes the connection and opens another one when it has ended: the microphone's audio of the time between is kept as far as it is an
    /// utterance.
    private mutating func replaceConnection(_ id: ConnectionID, _ reason: ReconnectReason) {
        callOffRotation()
        guard loseConnection(id, reason) else { return }
        closeConnection(id)
        link = .replacing(id)
        rotation.plan = nil
        cancel(.rotation)
        cancel(.rotationQuiet)
    }
}

extension ServerSessionFacts {
    /// Takes over what `facts` say.
    mutating func learn(_ facts: ServerSessionFacts) {
        model = facts.model ?? model
        voice = facts.voice ?? voice
        interruptsResponse = facts.interruptsResponse ?? interruptsResponse
        createsResponse = facts.createsResponse ?? createsResponse
        expiresAt = facts.expiresAt ?? expiresAt
    }
}
