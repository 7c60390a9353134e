import GlassesAssistant
import GlassesDomain

/// A session machine and what its world may tell it next, by the contract of `SessionInput` alone: no user, no provider with a plan, no
/// chance. Whatever the contract allows is offered.
struct ReachWorld {
    private(set) var machine: SessionMachine
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// Attempts without an outcome, and connections that have not ended; each may be closed by us already.
    private var attempts: [ConnectionID] = []
    private var open: [ConnectionID] = []
    /// Connections that were asked for an answer or given the microphone, and those that were closed by us.
    private var addressed: Set<ConnectionID> = []
    private var left: Set<ConnectionID> = []
    private var timers: [SessionTimer: MonotonicTime] = [:]
    /// Timers that were cancelled just now: their word can be under way.
    private var stale: [SessionTimer] = []
    private var bodies: Set<String> = []
    private var hooks: [SessionHook] = []
    private var pictures: [OperationID] = []
    private var flushes: [FlushID] = []
    private var compactions: [CompactionID] = []
    private var loads = 0
    private var playing: SegmentID?
    private var isMeasuring = false
    private var isCapturing = false
    private var hasUplink = false
    private var isDeviceHere = true
    private var isGateOpen = true
    private var numbers = 0
    private var request: (eventID: String, metadata: [String: String])?
    private var update = ""
    /// Items whose acknowledgement is awaited.
    private var items: [String] = []
    private var answer = "r0"

    init(_ configuration: SessionConfiguration) { machine = SessionMachine(configuration: configuration) }

    var state: AssistantState { machine.state }

    /// The same for worlds that offer the same in the same state; times and names do not count.
    var likeness: Int {
        var hasher = Hasher()
        hasher.combine(machine.state)
        hasher.combine(machine.phase)
        hasher.combine(min(attempts.count, 2))
        hasher.combine(min(open.count, 2))
        let soonest = timers.min { ($0.value, $0.key.kind) < ($1.value, $1.key.kind) }
        hasher.combine(soonest?.key.kind)
        hasher.combine(Set(timers.keys.map(\.kind)))
        hasher.combine(Set(stale.map(\.kind)))
        hasher.combine(open.map { addressed.contains($0) ? 1 : left.contains($0) ? 2 : 0 })
        for flag in [
            bodies.isEmpty, hooks.isEmpty, pictures.isEmpty, flushes.isEmpty, compactions.isEmpty, loads == 0,
            playing == nil, isMeasuring, isCapturing, hasUplink, isDeviceHere, isGateOpen, request == nil,
            items.isEmpty,
        ] { hasher.combine(flag) }
        return hasher.finalize()
    }

    // MARK: - What may come

    /// Every input that the contract allows now.
    func offers() -> [SessionInput] {
        operations + edits + connections + playback + tools + device + late + clocks
    }

    private var operations: [SessionInput] {
        let all: [SessionOperation] = [
            .start, .wake, .sleep, .stop, .say(text: "x"), .say(text: "x", isProtected: true), .greet(directive: "x"),
            .sendText(text: "x"), .includePicture(prompt: nil), .sendFrame, .cancelSpeak,
            .applyChoices(needsConnection: true), .applyChoices(needsConnection: false), .beginTurn, .endTurn,
            .cancelTurn,
        ]
        return all.map { .operationRequested(OperationID(numbers + 1), $0) }
    }

    private var edits: [SessionInput] {
        let turn = Turn.userText(text: "x", timestampMs: 0)
        return [.historyCleared, .turnAppended(turn), .historyReplaced([turn])]
    }

    private var clocks: [SessionInput] {
        let due = timers.min { ($0.value, $0.key.kind) < ($1.value, $1.key.kind) }.map { [$0.key] } ?? []
        return (due + stale).map(SessionInput.timerFired)
            + [.machineResumed(after: .seconds(30)), .wallClockMoved(offsetMilliseconds: 1_000)]
    }

    private var connections: [SessionInput] {
        let passing = ConnectionClosure(code: "x", message: "x", closeCode: 1006)
        let final = ConnectionClosure(code: "x", message: "x", closeCode: 1008)
        let refused = ConnectionClosure(code: "x", message: "x", httpStatus: 403)
        var offers = attempts.flatMap {
            [
                SessionInput.connectionOpened($0), .connectionFailed($0, passing), .connectionFailed($0, refused),
            ]
        }
        for id in open {
            offers += [.connectionClosed(id, passing), .connectionClosed(id, final)]
            offers.append(.commandUnsendable(id, eventID: "x", code: "x", message: "x"))
            // Nobody answers who was not asked; on a connection that was left everything may still come, and counts for nothing.
            let mayAnswer = addressed.contains(id) || left.contains(id)
            offers += facts.filter { mayAnswer || !$0.needsTurn }.map { .server(id, $0) }
        }
        if isCapturing, !hasUplink { offers.append(.speechNoticed) }
        return offers
    }

    private var facts: [ServerFact] {
        let segment = SegmentID(responseID: answer, itemID: "m" + answer, contentIndex: 0)
        let (item, next) = ("i\(numbers)", "r\(numbers + 1)")
        var facts: [ServerFact] = [
            .sessionCreated(ServerSessionFacts()),
            .sessionUpdated(ServerSessionFacts(interruptsResponse: false, createsResponse: false)),
            .sessionUpdated(ServerSessionFacts(interruptsResponse: true, createsResponse: true)),
            .speechStarted(itemID: item), .speechStopped(itemID: item),
            .utteranceCommitted(itemID: item, previousItemID: nil),
            .itemAdded(itemID: items.last ?? item, previousItemID: nil, kind: .userMessage),
            .userTranscriptCompleted(itemID: item, text: "hello there"),
            .userTranscriptCompleted(itemID: item, text: "good night"), .userTranscriptFailed(itemID: item, code: nil),
            .answerCreated(responseID: next, metadata: request?.metadata ?? [:], isOutOfBand: false),
            .answerCreated(responseID: next, metadata: request?.metadata ?? [:], isOutOfBand: true),
            .answerItemAdded(responseID: answer, itemID: segment.itemID, kind: .assistantMessage),
            .answerAudioReceived(segment, frames: 24_000), .answerAudioDone(segment),
            .answerTranscriptReceived(segment, text: "word "), .answerTranscriptDone(segment, text: "word"),
            .answerTextReceived(segment, text: "word "), .answerTextDone(segment, text: "word"),
            .answerDone(responseID: answer, status: .completed),
            .errorReported(code: nil, message: "x", eventID: request?.eventID),
            .errorReported(code: nil, message: "x", eventID: update),
            .errorReported(
                code: "conversation_already_has_active_response", message: "x", eventID: request?.eventID),
        ]
        for name in ["a", "leave"] {
            facts.append(
                .functionCallCompleted(
                    responseID: answer, itemID: "f\(numbers)", callID: "c\(numbers)", name: name,
                    arguments: #"{"x":1}"#))
        }
        return facts
    }

    private var playback: [SessionInput] {
        var offers = flushes.map { SessionInput.flushCompleted($0, heard: []) }
        if isMeasuring {
            offers += [
                .speechMeasured(milliseconds: 300, isOver: false), .speechMeasured(milliseconds: 2_000, isOver: true),
            ]
        }
        guard let playing else { return offers }
        return offers + [
            .playbackStarted(playing), .playbackProgressed(HeardPosition(segment: playing, milliseconds: 400)),
            .playbackDrained,
        ]
    }

    private var tools: [SessionInput] {
        bodies.sorted().prefix(1).flatMap {
            [
                SessionInput.toolReturned(callID: $0, output: "x", isError: false),
                .toolThrew(callID: $0, message: "x"), .toolProgressed(callID: $0, note: "x", isAloud: true),
            ]
        }
    }

    private var device: [SessionInput] {
        var offers: [SessionInput] =
            isDeviceHere
            ? [.deviceLost(.dropped), .deviceLost(.hingesClosed), .deviceLost(.userRequested)] : [.deviceReturned]
        offers.append(isGateOpen ? .microphoneGateClosed : .microphoneGateOpened)
        if isCapturing { offers.append(.microphoneFailed(code: "x", message: "x")) }
        return offers
    }

    /// Outcomes that may come late, also when nobody waits for them any more.
    private var late: [SessionInput] {
        var offers: [SessionInput] = hooks.map { .hookEnded($0, errorMessage: nil) }
        offers += pictures.flatMap {
            [
                SessionInput.pictureReady($0, SessionPicture(url: "data:image/jpeg;base64,AAAA")),
                .pictureFailed($0, PictureRefusal(code: "x", message: "x")),
            ]
        }
        offers += compactions.flatMap {
            [
                SessionInput.historySummarised($0, "x"),
                .historyCompacted($0, [.userText(text: "x", timestampMs: 0)]), .compactionFailed($0),
            ]
        }
        if loads > 0 { offers.append(.memoryLoaded("x")) }
        return offers
    }

    // MARK: - What comes of it

    /// Takes the first offer of each kind; nil when one is not offered.
    func after(_ kinds: [String]) -> ReachWorld? {
        var world = self
        for kind in kinds {
            guard let input = world.offers().first(where: { $0.kind == kind }) else { return nil }
            world.take(input)
        }
        return world
    }

    mutating func take(_ input: SessionInput) {
        numbers += 1
        now = now.advanced(by: .milliseconds(1))
        stale = []
        note(input)
        for action in machine.apply(input, at: now) { follow(action) }
    }

    private mutating func note(_ input: SessionInput) {
        switch input {
        case .timerFired(let timer): now = max(now, timers.removeValue(forKey: timer) ?? now)
        case .connectionOpened(let id):
            attempts.removeAll { $0 == id }
            open.append(id)
        case .connectionFailed(let id, _): attempts.removeAll { $0 == id }
        case .connectionClosed(let id, _): open.removeAll { $0 == id }
        case .server(_, .answerCreated(let id, _, _)): answer = id
        case .server(_, .itemAdded(let id, _, _)): items.removeAll { $0 == id }
        case .playbackDrained: playing = nil
        case .flushCompleted(let id, _): flushes.removeAll { $0 == id }
        case .toolReturned(let id, _, _), .toolThrew(let id, _): bodies.remove(id)
        case .hookEnded(let hook, _): hooks.removeAll { $0 == hook }
        case .pictureReady(let id, _), .pictureFailed(let id, _): pictures.removeAll { $0 == id }
        case .historySummarised(let id, _), .historyCompacted(let id, _), .compactionFailed(let id):
            compactions.removeAll { $0 == id }
        case .memoryLoaded: loads -= 1
        case .deviceLost: isDeviceHere = false
        case .deviceReturned: isDeviceHere = true
        case .microphoneGateClosed: isGateOpen = false
        case .microphoneGateOpened: isGateOpen = true
        default: break
        }
    }

    private mutating func follow(_ action: SessionAction) {
        switch action {
        case .send(let command, let id):
            sent(command)
            if case .requestAnswer = command { addressed.insert(id) }
        case .playback(.playReceivedAudio(let segment)): playing = segment
        case .playback(.flush(let id)):
            playing = nil
            flushes.append(id)
        case .tool(.run(let callID, _, _)): bodies.insert(callID)
        case .connection(.open(let id)): attempts.append(id)
        case .connection(.close(let id)): left.insert(id)
        case .connection(.abandon(let id)):
            attempts.removeAll { $0 == id }
            open.removeAll { $0 == id }
        case .timer(.schedule(let timer, let moment)): timers[timer] = moment
        case .timer(.cancel(let timer)): if timers.removeValue(forKey: timer) != nil { stale.append(timer) }
        case .microphone(let action): follow(action)
        case .hook(.run(let hook)): hooks.append(hook)
        case .picture(.prepare(let id, _)): pictures.append(id)
        case .memory(.compact(let id, _)): compactions.append(id)
        case .memory(.load): loads += 1
        case .playback, .tool, .hook, .picture, .memory, .enter, .notify, .publishHistory, .finish,
            .releaseSlot, .diagnose:
            break
        }
    }

    private mutating func sent(_ command: SessionCommand) {
        switch command {
        case .requestAnswer(let eventID, let request): self.request = (eventID, request.metadata)
        case .updateSession(let eventID): update = eventID
        case .createItem(_, let item), .insertItem(_, let item, _): items.append(item.id)
        default: break
        }
    }

    private mutating func follow(_ action: MicrophoneAction) {
        switch action {
        case .open: isCapturing = true
        case .close: (isCapturing, hasUplink, isMeasuring) = (false, false, false)
        case .startUplink(let id, _), .moveUplink(let id):
            hasUplink = true
            addressed.insert(id)
        case .stopUplink: hasUplink = false
        case .measureSpeech: isMeasuring = true
        case .stopMeasuring: isMeasuring = false
        case .keepUtterance, .commitUtterance, .forgetUtterance, .forgetRecent: break
        }
    }
}

extension ServerFact {
    /// Whether a provider says it only when somebody speaks to it.
    fileprivate var needsTurn: Bool {
        switch self {
        case .sessionCreated, .sessionUpdated, .itemAdded, .userTranscriptCompleted, .userTranscriptFailed,
            .errorReported:
            false
        case .speechStarted, .speechStopped, .utteranceCommitted, .answerCreated, .answerItemAdded,
            .answerAudioReceived, .answerAudioDone, .answerTranscriptReceived, .answerTranscriptDone,
            .answerTextReceived, .answerTextDone, .functionCallCompleted, .answerDone:
            true
        }
    }
}
