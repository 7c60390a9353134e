import GlassesAssistant
import GlassesDomain
import Testing

/// Whatever a peer, a device and an app do in whatever order: nothing traps and the session's promises hold.
@Suite struct RandomInputTests {
    @Test(arguments: 0..<120) func anyOrderOfFactsKeepsThePromises(seed: Int) {
        var inputs = RandomInputs(seed: UInt64(seed))
        for _ in 0..<600 { inputs.step() }
        inputs.session.feed(.operationRequested(OperationID(1_000_000), .stop))
        inputs.session.advance(.seconds(10))
        #expect(inputs.session.machine.state == .stopped)

        let log = inputs.session.log
        let edges = log.events.filter { $0 == .assistantAudioStarted || $0 == .assistantAudioFinished }
        for (index, edge) in edges.enumerated() {
            #expect(edge == (index % 2 == 0 ? .assistantAudioStarted : .assistantAudioFinished))
        }
        #expect(edges.count % 2 == 0)

        let called = log.events.compactMap { if case .toolCalled(_, _, let id) = $0 { id } else { nil } }
        #expect(Set(called).count == called.count)
        #expect(Set(called) == Set(log.results.map(\.callID)))
        #expect(called.count == log.results.count)

        #expect(log.finished.count == inputs.operations + 1)
        #expect(log.finished.values.allSatisfy { $0.count == 1 })
        #expect(log.events.count { if case .sessionEnded = $0 { true } else { false } } <= 1)
        for case .send(.truncateItem(_, _, _, let milliseconds), _) in log {
            #expect((1...2000).contains(milliseconds))
        }
        #expect(sendsOutsideTheWakeState(log) == 0)

        let captures = log.microphone.filter { $0 == .open || $0 == .close }
        for (index, action) in captures.enumerated() { #expect(action == (index % 2 == 0 ? .open : .close)) }
        #expect(captures.count % 2 == 0)
    }

    /// Otherwise the promises above would hold of sessions in which nothing happens.
    @Test func theRandomFactsReachEveryKindOfAction() {
        var log: [SessionAction] = []
        for seed in 0..<40 {
            var inputs = RandomInputs(seed: UInt64(seed))
            for _ in 0..<600 { inputs.step() }
            log += inputs.session.log
        }
        #expect(Set(log.states) == Set(AssistantState.allCases.filter { $0 != .idle && $0 != .stopping }))
        #expect(log.truncations.count > 10)
        #expect(log.deletions.count > 10)
        #expect(log.cancels.count > 10)
        #expect(log.requests.count > 10)
        #expect(log.results.count > 10)
        #expect(log.flushes.count > 10)
    }

    @Test func equalInputsGiveEqualActions() {
        func run() -> [SessionAction] {
            var inputs = RandomInputs(seed: 99)
            for _ in 0..<2000 { inputs.step() }
            return inputs.session.log
        }
        #expect(run() == run())
    }

    /// Commands other than the set-up of a connection, sent in a state in which nothing may be sent.
    private func sendsOutsideTheWakeState(_ log: [SessionAction]) -> Int {
        var state = AssistantState.idle
        var count = 0
        for action in log {
            switch action {
            case .enter(let next): state = next
            case .send(.updateSession, _), .send(.createItem, _):
                if state != .active, state != .activating, state != .reconnecting { count += 1 }
            case .send: if state != .active { count += 1 }
            default: break
            }
        }
        return count
    }
}

/// Facts at random over a few ids, so that they meet.
private struct RandomInputs {
    var session: SessionHarness
    var operations = 0
    private var steps = 0
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        session = SessionHarness {
            $0.tools = [ToolFacts(name: "a", schema: ["required": ["x"]]), ToolFacts(name: "b", schema: [:])]
            $0.historyCap = 6
            $0.defaultModel = seed % 2 == 0 ? "gemini-3.1-flash-live" : nil
            $0.randomSeed = seed
            $0.greeting = seed % 2 == 0 ? .compose(directive: "hi") : .speak(text: "hi")
            $0.sleepPhrases = ["good night"]
            $0.startsActive = seed % 3 == 0
            $0.transcriptPacing = seed % 2 == 0 ? .continuous : .sentenceBeforeAudio
        }
        // Most of the interesting facts need an awake session.
        session.wakeUp(interrupts: seed % 2 == 0, creates: seed % 5 != 0)
        operations = 2
    }

    private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }
    private mutating func number(_ most: Int) -> Int { Int.random(in: 0...most, using: &generator) }
    /// New ids come up as time goes by, because those of answers that are over stay dead.
    private mutating func response() -> String { "r\(steps / 12 + number(2))" }
    private mutating func item() -> String { "i\(steps / 12 + number(2))" }
    private mutating func part() -> SegmentID {
        // Mostly the part that plays.
        if number(2) > 0, case .playReceivedAudio(let segment)? = session.log.playback.last { return segment }
        return SegmentID(responseID: response(), itemID: item(), contentIndex: number(1))
    }

    mutating func step() {
        steps += 1
        helpAlong()
        switch number(41) {
        case 0: operation()
        case 40, 41: picture()
        case 1, 2: connection()
        case 3: device()
        case 4..<12: playback()
        case 12..<15: tool()
        case 15..<17: session.advance(.milliseconds(number(1500)))
        default: session.server(fact())
        }
    }

    /// A world in which the session is awake most of the time.
    private mutating func helpAlong() {
        guard number(3) == 0 else { return }
        switch session.machine.state {
        case .dormant:
            operations += 1
            session.ask(.wake)
        case .activating, .reconnecting:
            session.advance(.milliseconds(300))
            session.connect(interrupts: number(1) == 0)
        case .sleeping, .stopping:
            let closure = ConnectionClosure(code: "closed", message: "closed", closeCode: 1000)
            session.feed(.connectionClosed(session.connection, closure))
        case .active: session.feed(pick([.deviceReturned, .microphoneGateOpened]))
        case .idle, .stopped: break
        }
    }

    private mutating func operation() {
        operations += 1
        session.ask(
            pick([
                .start, .wake, .wake, .sleep, .say(text: "x"), .greet(directive: nil), .sendText(text: "hello"),
                .cancelSpeak,
            ]))
    }

    private mutating func picture() {
        switch number(2) {
        case 0:
            operations += 1
            session.ask(pick([.includePicture(prompt: "look"), .includePicture(prompt: nil), .sendFrame]))
        case 1:
            let ready = SessionPicture(url: "data:image/jpeg;base64,\(steps)")
            session.feed(.pictureReady(OperationID(max(1, operations - number(3))), ready))
        default: session.feed(.pictureFailed(OperationID(max(1, operations - number(3))), .undecodable))
        }
    }

    private mutating func connection() {
        let id = pick([session.connection, ConnectionID(number(40))])
        let code: UInt16? = number(60) == 0 ? 1008 : pick([1006, 1011, 1009, nil])
        let closure = ConnectionClosure(code: "x", message: "x", closeCode: code)
        switch number(5) {
        case 0: session.feed(.connectionOpened(id))
        case 1: session.feed(.connectionFailed(id, closure))
        case 2: session.feed(.connectionClosed(id, closure))
        case 3: session.feed(.speechNoticed)
        case 4: session.feed(.commandUnsendable(id, eventID: "create_\(number(90))", code: "x", message: "x"))
        default: session.connect()
        }
    }

    private mutating func device() {
        session.feed(
            pick([
                .deviceLost(.dropped), .deviceReturned, .microphoneGateClosed, .microphoneGateOpened,
                .microphoneFailed(code: "x", message: "x"), .hookEnded(.onWake, errorMessage: "x"), .historyCleared,
                .turnAppended(.toolInvocation(name: "a", callId: "c0", argsJson: "{}", timestampMs: 0)),
                .historyReplaced([.userText(text: "x", timestampMs: 0)]),
                .deviceDescribed(DeviceDescription(text: "{}", fingerprint: Int64(number(3)))),
            ]))
    }

    private mutating func playback() {
        switch number(3) {
        case 0: session.feed(.playbackStarted(part()))
        case 1: session.feed(.playbackProgressed(HeardPosition(segment: part(), milliseconds: number(5000) - 1000)))
        case 2: session.feed(.playbackDrained)
        default:
            let flush = session.log.flushes.last ?? FlushID(1)
            session.feed(.flushCompleted(flush, heard: [HeardPosition(segment: part(), milliseconds: number(5000))]))
        }
    }

    private mutating func tool() {
        let id = "c\(max(0, steps / 12 - number(3)))"
        session.feed(
            pick([.toolReturned(callID: id, output: "x", isError: false), .toolThrew(callID: id, message: "x")]))
    }

    private mutating func fact() -> ServerFact {
        switch number(15) {
        case 0: .speechStarted(itemID: item(), startMs: pick([nil, 0, 500, .max]))
        case 1: .speechStopped(itemID: item(), endMs: pick([nil, 900, .min]))
        case 2: .utteranceCommitted(itemID: item(), previousItemID: pick([nil, "root", item()]))
        case 3: .itemAdded(itemID: item(), previousItemID: pick([nil, "root", item()]), kind: pick(Self.kinds))
        case 4: .userTranscriptCompleted(itemID: item(), text: number(20) == 0 ? "good night" : pick(["hi", " "]))
        case 5, 6:
            .answerCreated(responseID: response(), metadata: metadata(), isOutOfBand: pick([true, false, false]))
        case 7: .answerItemAdded(responseID: response(), itemID: item(), kind: pick(Self.kinds))
        case 8, 9: .answerAudioReceived(part(), frames: pick([0, -5, 480, 4800]))
        case 10: pick([.answerAudioDone(part()), .answerTextDone(part(), text: "done")])
        case 11: pick([.answerTranscriptReceived(part(), text: "some words "), .answerTextReceived(part(), text: "x")])
        case 12:
            .functionCallCompleted(
                responseID: response(), itemID: item(), callID: "c\(steps / 12 + number(2))",
                name: pick(["a", "b", "z"]),
                arguments: pick(["", "{}", #"{"x":1}"#, "{"]))
        case 13: .answerTranscriptDone(part(), text: "all words")
        case 14: .answerDone(responseID: response(), status: pick([.completed, .failed(code: nil, message: nil)]))
        default:
            .errorReported(
                code: pick([nil, "conversation_already_has_active_response", "x"]), message: "m",
                eventID: pick([nil, session.log.requests.last?.eventID, "truncate_3"]))
        }
    }

    private static let kinds: [ServerItemKind] = [
        .userMessage, .assistantMessage, .functionCall, .functionCallOutput, .other,
    ]

    private mutating func metadata() -> [String: String] {
        guard number(2) == 0, let request = session.log.requests.last else { return [:] }
        return request.request.metadata
    }
}
