import GlassesAssistant
import GlassesDomain
import Testing

/// What becomes of calls when the user goes on, calls them off or has to agree to them.
@Suite struct ToolPolicyTests {
    private static let cancel = ToolFacts(name: "cancel_tool", schema: [:], role: .cancelsCalls)

    private func session(_ policy: ToolPolicy) -> SessionHarness {
        var session = SessionHarness {
            $0.tools = [
                ToolFacts(name: "work", schema: [:], policy: policy), ToolFacts(name: "other", schema: [:]),
                Self.cancel,
            ]
            $0.cancelPhrases = AssistantConfig.defaultCancelPhrases
        }
        session.wakeUp()
        return session
    }

    private func callInAnswer(_ session: inout SessionHarness, _ id: String, _ name: String, _ arguments: String = "{}")
    {
        session.beginAnswer("r_\(id)")
        session.call(id, name, arguments, in: "r_\(id)")
        session.server(.answerDone(responseID: "r_\(id)", status: .completed))
    }

    // MARK: - Interruption

    struct Interruption: Sendable, CustomTestStringConvertible {
        var policy: ToolInterruption
        var isCancelled: Bool
        var isSpokenOf: Bool
        var testDescription: String { "\(policy)" }
    }

    static let interruptions = [
        Interruption(policy: .continues, isCancelled: false, isSpokenOf: true),
        Interruption(policy: .continuesSilently, isCancelled: false, isSpokenOf: false),
        Interruption(policy: .cancels, isCancelled: true, isSpokenOf: false),
    ]

    @Test(arguments: interruptions) func aNewTurnOfTheUserMeetsEachPolicy(row: Interruption) {
        var session = session(ToolPolicy(interruption: row.policy))
        callInAnswer(&session, "c1", "work")
        let before = session.log.count
        session.userSays("what is the time", item: "u1")
        session.beginAnswer("r2")
        session.server(.answerDone(responseID: "r2", status: .completed))
        #expect(session.log.tools.contains(.cancel(callID: "c1")) == row.isCancelled)
        session.feed(.toolReturned(callID: "c1", output: "done", isError: false))
        session.advance(.seconds(10))
        let after = Array(session.log.dropFirst(before))
        #expect(after.requests.count == (row.isSpokenOf ? 1 : 0))
        let output = row.isCancelled ? #"{"error":"work was cancelled: the user went on."}"# : "done"
        #expect(after.outputs.map(\.output) == [output])
        #expect(after.results.count == 1)
    }

    @Test func speechThatBecomesNoTurnCancelsNothing() {
        var session = session(ToolPolicy(interruption: .cancels))
        callInAnswer(&session, "c1", "work")
        session.server(.speechStarted(itemID: "cough"))
        session.server(.speechStopped(itemID: "cough"))
        #expect(!session.log.tools.contains(.cancel(callID: "c1")))
    }

    @Test func anAnswerWithASilentCallAndAnOrdinaryOneIsFollowedUpOnce() {
        var session = session(ToolPolicy(interruption: .continuesSilently))
        session.beginAnswer("r1")
        session.call("c1", "work", "{}", in: "r1")
        session.call("c2", "other", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.userSays("go on", item: "u1")
        session.beginAnswer("r2")
        session.server(.answerDone(responseID: "r2", status: .completed))
        session.feed(.toolReturned(callID: "c1", output: "a", isError: false))
        #expect(session.log.requests.isEmpty)
        session.feed(.toolReturned(callID: "c2", output: "b", isError: false))
        for item in session.log.createdItems {
            session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .functionCallOutput))
        }
        session.advance(.seconds(10))
        #expect(session.log.requests.count == 1)
    }

    // MARK: - Calling off

    @Test func theModelCallsOffARunningToolByItsName() {
        var session = session(ToolPolicy(isCancellable: true))
        callInAnswer(&session, "c1", "work")
        callInAnswer(&session, "c2", "other")
        callInAnswer(&session, "c3", "cancel_tool", #"{"name":"work"}"#)
        #expect(session.log.tools.suffix(1) == [.cancel(callID: "c1")])
        #expect(
            session.log.results.map(\.output) == ["work was cancelled: the user called it off.", "Cancelled: work."])
        #expect(session.log.results.map(\.isError) == [true, false])
        // Its own result is spoken of, that of the cancelled call is not once more.
        #expect(session.log.requests.count == 1)
        let late = session.feed(.toolReturned(callID: "c1", output: "late", isError: false))
        #expect(late.outputs.isEmpty && late.diagnostics == [.lateToolResult(callID: "c1", name: "work")])
    }

    @Test(arguments: [(#"{"name":"other"}"#, false), ("{}", true)])
    func aToolWhosePolicyForbidsItIsNotCalledOff(arguments: String, isWorkCancelled: Bool) {
        var session = session(ToolPolicy(isCancellable: true))
        callInAnswer(&session, "c1", "work")
        callInAnswer(&session, "c2", "other")
        callInAnswer(&session, "c3", "cancel_tool", arguments)
        #expect(!session.log.tools.contains(.cancel(callID: "c2")))
        #expect(session.log.tools.contains(.cancel(callID: "c1")) == isWorkCancelled)
        #expect(session.log.results.last?.isError == !isWorkCancelled)
    }

    @Test(arguments: [
        ("Cancel that!", true, true), ("never mind", true, true), ("never mind the rain, go on", true, false),
        ("Cancel that!", false, false),
    ]) func theUserCallsOffByAPhraseAndNothingElse(words: String, isCancellable: Bool, isCancelled: Bool) {
        var session = session(ToolPolicy(isCancellable: isCancellable))
        callInAnswer(&session, "c1", "work")
        session.userSays(words, item: "u1")
        #expect(session.log.tools.contains(.cancel(callID: "c1")) == isCancelled)
        #expect(session.log.results.count == (isCancelled ? 1 : 0))
        #expect(session.machine.state == .active)
    }

    @Test func aTypedPhraseCallsOffToo() {
        var session = session(ToolPolicy(isCancellable: true))
        callInAnswer(&session, "c1", "work")
        session.ask(.sendText(text: "cancel"))
        #expect(session.log.tools.last == .cancel(callID: "c1"))
    }

    // MARK: - Consent

    struct Step: Sendable {
        enum Event: Sendable {
            case call(String)
            /// The question after it is not heard.
            case callUnheard(String)
            case says(String)
            case types(String)
            case coughs
            case waits(Int)
        }
        var event: Event
        /// Whether the call ran.
        var runs = false
        static func call(_ arguments: String, runs: Bool = false) -> Step { Step(event: .call(arguments), runs: runs) }
        static func callUnheard(_ arguments: String) -> Step { Step(event: .callUnheard(arguments)) }
        static func says(_ words: String) -> Step { Step(event: .says(words)) }
        static func types(_ words: String) -> Step { Step(event: .types(words)) }
        static func waits(_ seconds: Int) -> Step { Step(event: .waits(seconds)) }
        static let coughs = Step(event: .coughs)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        init(_ description: String, _ steps: [Step]) {
            testDescription = description
            self.steps = steps
        }
    }

    static let stories = [
        Story("agreed to by voice", [.call(#"{"sum":5}"#), .says("yes"), .call(#"{"sum":5}"#, runs: true)]),
        Story("agreed to in writing", [.call(#"{"sum":5}"#), .types("yes"), .call(#"{"sum":5}"#, runs: true)]),
        Story(
            "equal arguments in another order",
            [
                .call(#"{"sum":5,"to":"Ann"}"#), .says("yes"), .call(#"{"to":"Ann", "sum":5}"#, runs: true),
            ]),
        Story("nobody was asked", [.call(#"{"sum":5}"#), .call(#"{"sum":5}"#), .coughs, .call(#"{"sum":5}"#)]),
        Story(
            "other arguments",
            [
                .call(#"{"sum":5}"#), .says("yes"), .call(#"{"sum":50}"#), .call(#"{"sum":50}"#),
                .call(#"{"sum":5}"#, runs: true),
            ]),
        Story(
            "an agreement counts once",
            [
                .call(#"{"sum":5}"#), .says("yes"), .call(#"{"sum":5}"#, runs: true), .call(#"{"sum":5}"#),
            ]),
        Story(
            "the question was never heard",
            [
                .callUnheard(#"{"sum":5}"#), .says("yes"), .call(#"{"sum":5}"#), .says("yes"),
                .call(#"{"sum":5}"#, runs: true),
            ]),
        Story(
            "noise before the question", [.callUnheard(#"{"sum":5}"#), .says(""), .call(#"{"sum":5}"#)]),
        Story(
            "refused, and another matter since",
            [
                .call(#"{"sum":5}"#), .says("no"), .says("what time is it"), .call(#"{"sum":5}"#),
            ]),
        Story("taken back", [.call(#"{"sum":5}"#), .says("Never mind."), .call(#"{"sum":5}"#)]),
        Story("too late", [.call(#"{"sum":5}"#), .says("yes"), .waits(121), .call(#"{"sum":5}"#)]),
        Story("just in time", [.call(#"{"sum":5}"#), .says("yes"), .waits(50), .call(#"{"sum":5}"#, runs: true)]),
    ]

    @Test(arguments: stories) func aRiskyToolRunsOnlyWithConsentToItsExactArguments(story: Story) {
        var session = SessionHarness {
            $0.tools = [ToolFacts(name: "pay", schema: [:], policy: ToolPolicy(needsConfirmation: true))]
            $0.cancelPhrases = AssistantConfig.defaultCancelPhrases
            $0.silenceTimeout = nil
        }
        session.wakeUp()
        for (number, step) in story.steps.enumerated() {
            let runs = session.log.tools.count
            switch step.event {
            case .call(let arguments), .callUnheard(let arguments):
                callInAnswer(&session, "c\(number)", "pay", arguments)
            case .says(let words): session.userSays(words, item: "u\(number)")
            case .types(let words): session.ask(.sendText(text: words))
            case .coughs:
                session.server(.speechStarted(itemID: "u\(number)"))
                session.server(.speechStopped(itemID: "u\(number)"))
            case .waits(let seconds): session.advance(.seconds(seconds))
            }
            #expect(session.log.tools.count - runs == (step.runs ? 1 : 0), "step \(number)")
            if step.runs { session.feed(.toolReturned(callID: "c\(number)", output: "paid", isError: false)) }
            switch step.event {
            case .call: speakOfResult(&session, number, isHeard: true)
            case .callUnheard: speakOfResult(&session, number, isHeard: false)
            case .says, .types, .coughs, .waits: break
            }
        }
        let asked = story.steps.count { step in
            switch step.event {
            case .call, .callUnheard: !step.runs
            case .says, .types, .coughs, .waits: false
            }
        }
        let refusals = session.log.results.filter(\.isError)
        #expect(refusals.count == asked)
        #expect(refusals.allSatisfy { $0.output.contains(#"Ask whether to run pay with {"sum":5"#) })
    }

    /// The provider takes the result of a call and speaks of it.
    private func speakOfResult(_ session: inout SessionHarness, _ number: Int, isHeard: Bool) {
        for item in session.log.createdItems {
            session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .functionCallOutput))
        }
        session.grantRequest("f\(number)")
        guard isHeard else {
            session.server(.answerDone(responseID: "f\(number)", status: .completed))
            return
        }
        let segment = SegmentID(responseID: "f\(number)", itemID: "s\(number)", contentIndex: 0)
        session.server(.answerItemAdded(responseID: "f\(number)", itemID: "s\(number)", kind: .assistantMessage))
        session.audio(segment, milliseconds: 100)
        session.server(.answerAudioDone(segment))
        session.server(.answerDone(responseID: "f\(number)", status: .completed))
        session.playAll(segment, during: .milliseconds(100))
    }

    @Test func withManyOpenQuestionsTheOldestIsForgotten() {
        var ledger = ToolLedger(tools: [
            ToolFacts(name: "pay", schema: [:], policy: ToolPolicy(needsConfirmation: true))
        ])
        func call(_ id: String, _ sum: Int) -> Bool {
            ledger.apply(.called(responseID: "r", callID: id, name: "pay", arguments: "{\"sum\":\(sum)}"), at: .zero)
                .contains { if case .run = $0 { true } else { false } }
        }
        for sum in 1...9 { #expect(!call("a\(sum)", sum)) }
        _ = ledger.apply(.answerHeard(responseID: "f"), at: .zero)
        _ = ledger.apply(.userTurned, at: .zero)
        #expect(!call("b1", 1))
        #expect(call("b9", 9))
    }

    // MARK: - Progress and places

    @Test func aNoteReachesTheModelAndAloudTheUser() {
        var session = session(.standard)
        callInAnswer(&session, "c1", "work")
        let quiet = session.feed(.toolProgressed(callID: "c1", note: "half done", isAloud: false))
        #expect(quiet.createdItems.count == 1 && quiet.requests.isEmpty)
        guard case .systemText(_, "work is running: half done")? = quiet.createdItems.first else {
            Issue.record("\(quiet.createdItems)")
            return
        }
        let aloud = session.feed(.toolProgressed(callID: "c1", note: "nearly there", isAloud: true))
        #expect(aloud.requests.first?.request.isOutOfBand == true)
        session.feed(.toolReturned(callID: "c1", output: "x", isError: false))
        #expect(session.feed(.toolProgressed(callID: "c1", note: "too late", isAloud: true)).createdItems.isEmpty)
        #expect(session.machine.turns.count == 2, "notes are no turns")
    }

    @Test func notesAreLimitedInNumberAndLength() {
        var session = session(.standard)
        callInAnswer(&session, "c1", "work")
        for number in 0..<50 {
            session.feed(
                .toolProgressed(callID: "c1", note: "\(number)" + String(repeating: "x", count: 900), isAloud: false))
        }
        #expect(session.log.createdItems.count == ToolCall.noteLimit)
        for case .systemText(_, let text) in session.log.createdItems {
            #expect(text.count == "work is running: ".count + ToolCall.longestNote)
        }
        #expect(session.feed(.toolProgressed(callID: "c1", note: " \n", isAloud: true)).isEmpty)
    }

    @Test func fewerPlacesLeaveLaterCallsBusy() {
        var session = SessionHarness {
            $0.tools = [ToolFacts(name: "work", schema: [:])]
            $0.toolPlaces = 1
        }
        session.wakeUp()
        session.beginAnswer("r1")
        session.call("c1", "work", "{}", in: "r1")
        session.call("c2", "work", "{}", in: "r1")
        #expect(session.log.tools == [.run(callID: "c1", name: "work", arguments: [:])])
        #expect(session.log.results.map(\.output) == ["work was not run: busy, a tool is running. Try again later."])
    }
}
