import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct SessionMemoryTests {
    private func session(_ plan: CompactionPlan, cap: Int = 20, remembers: Bool = false) -> SessionHarness {
        var session = SessionHarness {
            $0.historyCap = cap
            $0.compaction = plan
            $0.remembers = remembers
            $0.silenceTimeout = nil
        }
        session.wakeUp()
        return session
    }

    private func say(_ session: inout SessionHarness, _ numbers: Range<Int>) {
        for number in numbers { session.userSays("sentence \(number)", item: "u\(number)") }
    }

    private func compactions(_ actions: [SessionAction]) -> [(id: CompactionID, turns: [Turn])] {
        actions.compactMap { if case .memory(.compact(let id, let turns)) = $0 { (id, turns) } else { nil } }
    }

    private func texts(_ turns: [Turn]) -> [String] {
        turns.map {
            switch $0 {
            case .userText(let text, _), .assistantText(let text, _): text
            case .toolInvocation(let name, _, _, _): name
            case .toolReturn(_, let output, _): output
            }
        }
    }

    // MARK: - Compaction

    @Test func nearTheCapTheOlderHalfBecomesOneSummaryThatIsReplayed() throws {
        var session = session(.summarise)
        say(&session, 0..<17)
        #expect(compactions(session.log).isEmpty)
        say(&session, 17..<18)
        let due = compactions(session.log)
        #expect(due.count == 1)
        let compaction = try #require(due.first)
        #expect(texts(compaction.turns) == (0..<9).map { "sentence \($0)" })
        // The conversation goes on meanwhile, and is not asked about twice.
        say(&session, 18..<19)
        #expect(compactions(session.log).count == 1)
        session.feed(.historySummarised(compaction.id, "They counted."))
        #expect(
            texts(session.machine.turns)
                == ["[Summary of the earlier conversation] They counted."] + (9..<19).map { "sentence \($0)" })
        session.ask(.sleep)
        session.feed(
            .connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "", closeCode: 1000)))
        session.ask(.wake)
        session.feed(.connectionOpened(session.connection))
        let replay = session.server(.sessionUpdated(ServerSessionFacts())).createdItems
        guard case .systemText(_, "The conversation before this, in short:\nThey counted.")? = replay.first else {
            Issue.record("\(replay.first as Any)")
            return
        }
        #expect(replay.count == 11)
    }

    @Test func aCallStaysWithItsResultAndARunningOneIsNotSummarised() throws {
        var session = SessionHarness {
            $0.historyCap = 20
            $0.compaction = .summarise
            $0.tools = [ToolFacts(name: "work", schema: [:], timeout: .seconds(600))]
            $0.silenceTimeout = nil
        }
        session.wakeUp()
        say(&session, 0..<3)
        session.beginAnswer("r1")
        session.call("c1", "work", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        say(&session, 3..<17)
        #expect(texts(try #require(compactions(session.log).first).turns) == (0..<3).map { "sentence \($0)" })
    }

    @Test func aFailedSummaryIsTriedAgainLaterAndMeanwhileTheOldestIsForgotten() throws {
        var session = session(.summarise)
        say(&session, 0..<18)
        let first = try #require(compactions(session.log).first)
        session.feed(.compactionFailed(first.id))
        say(&session, 18..<25)
        #expect(compactions(session.log).count == 1)
        #expect(session.machine.turns.count == 20)
        session.advance(.seconds(30))
        say(&session, 25..<26)
        #expect(compactions(session.log).count == 2)
        // The failed one comes too late.
        session.feed(.historySummarised(first.id, "late"))
        #expect(!texts(session.machine.turns).contains { $0.hasSuffix("late") })
    }

    @Test func theAppsFunctionGetsAllTurnsAndWhatCameMeanwhileStaysBehindItsResult() throws {
        var session = session(.replace)
        say(&session, 0..<18)
        let due = try #require(compactions(session.log).first)
        #expect(due.turns.count == 18)
        say(&session, 18..<19)
        session.feed(.historyCompacted(due.id, [.userText(text: "in short", timestampMs: 1)]))
        #expect(texts(session.machine.turns) == ["in short", "sentence 18"])
    }

    @Test func aResultThatIsNoShorterIsNotAskedForAtOnceAgain() throws {
        var session = session(.replace)
        say(&session, 0..<18)
        let due = try #require(compactions(session.log).first)
        let answer = session.feed(.historyCompacted(due.id, due.turns))
        #expect(compactions(answer).isEmpty)
        session.advance(.seconds(31))
        say(&session, 18..<19)
        #expect(compactions(session.log).count == 2)
    }

    @Test(arguments: [SessionInput.historyCleared, .historyReplaced([.userText(text: "x", timestampMs: 1)])])
    func anEditOfTheAppsCallsOffASummary(edit: SessionInput) throws {
        var session = session(.summarise)
        say(&session, 0..<18)
        let due = try #require(compactions(session.log).first)
        #expect(session.feed(edit).contains(.memory(.abandon(due.id))))
        let turns = session.machine.turns
        session.feed(.historySummarised(due.id, "late"))
        #expect(session.machine.turns == turns)
    }

    @Test(arguments: [(CompactionPlan.forget, 20), (.summarise, 4)])
    func withoutCompactionTheOldestTurnsAreForgotten(plan: CompactionPlan, cap: Int) {
        var session = session(plan, cap: cap)
        say(&session, 0..<30)
        #expect(compactions(session.log).isEmpty)
        #expect(texts(session.machine.turns) == (30 - cap..<30).map { "sentence \($0)" })
    }

    @Test func anUtteranceWhoseWordsComeLaterThanASummaryIsKept() throws {
        var session = session(.summarise)
        say(&session, 0..<3)
        session.server(.utteranceCommitted(itemID: "late", previousItemID: nil))
        session.server(.itemAdded(itemID: "late", previousItemID: nil, kind: .userMessage))
        say(&session, 3..<18)
        let due = try #require(compactions(session.log).first)
        session.feed(.historySummarised(due.id, "They counted."))
        session.server(.userTranscriptCompleted(itemID: "late", text: "late words"))
        #expect(texts(session.machine.turns).contains("late words"))
    }

    @Test func aStopEndsASummary() throws {
        var session = session(.summarise)
        say(&session, 0..<18)
        let due = try #require(compactions(session.log).first)
        #expect(session.ask(.stop).actions.contains(.memory(.abandon(due.id))))
        #expect(session.feed(.historySummarised(due.id, "late")).isEmpty)
    }

    // MARK: - Memory

    private func remembered(_ actions: [SessionAction]) -> [[String]] {
        actions.compactMap { if case .memory(.remember(let turns)) = $0 { texts(turns) } else { nil } }
    }

    @Test func eachTurnIsHandedOverOnceInPortionsAtSleepAndAtTheEnd() {
        var session = session(.forget, cap: 100, remembers: true)
        #expect(session.log.contains(.memory(.load)))
        say(&session, 0..<7)
        #expect(remembered(session.log).isEmpty)
        say(&session, 7..<10)
        #expect(remembered(session.log) == [(0..<8).map { "sentence \($0)" }])
        let asleep = session.ask(.sleep).actions
        #expect(remembered(asleep) == [["sentence 8", "sentence 9"]])
        session.feed(
            .connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "", closeCode: 1000)))
        session.ask(.wake)
        session.connect()
        say(&session, 10..<11)
        let stopped = session.ask(.stop).actions
        #expect(remembered(stopped) == [["sentence 10"]])
    }

    @Test func aHistoryThatForgetsSoonIsHandedOverInSmallerPortions() {
        var session = session(.forget, cap: 8, remembers: true)
        say(&session, 0..<12)
        #expect(remembered(session.log).flatMap { $0 } == (0..<12).map { "sentence \($0)" })
    }

    @Test func whatGoesIntoASummaryIsHandedOverBefore() throws {
        var session = session(.summarise, remembers: true)
        say(&session, 0..<18)
        let due = try #require(session.log.firstIndex { if case .memory(.compact) = $0 { true } else { false } })
        #expect(remembered(Array(session.log[..<due])).flatMap { $0 } == (0..<18).map { "sentence \($0)" })
    }

    @Test func turnsThatTheAppPutsInAreNotRememberedAndThoseItTakesOutAre() {
        var session = session(.forget, cap: 100, remembers: true)
        say(&session, 0..<2)
        let edit = session.feed(.historyReplaced((0..<20).map { .userText(text: "old \($0)", timestampMs: 1) }))
        #expect(remembered(edit) == [["sentence 0", "sentence 1"]])
        say(&session, 2..<3)
        let stopped = session.ask(.stop).actions
        #expect(remembered(stopped) == [["sentence 2"]])
    }

    @Test func whatTheAppsFunctionMadeIsNotRememberedAgain() throws {
        var session = session(.replace, remembers: true)
        say(&session, 0..<18)
        let due = try #require(compactions(session.log).first)
        session.feed(.historyCompacted(due.id, [.userText(text: "in short", timestampMs: 1)]))
        #expect(remembered(session.ask(.stop).actions).isEmpty)
        #expect(remembered(session.log).flatMap { $0 } == (0..<18).map { "sentence \($0)" })
    }

    @Test func withoutMemoryNothingIsLoadedOrHandedOver() {
        var session = session(.forget)
        say(&session, 0..<10)
        session.ask(.stop)
        #expect(!session.log.contains { if case .memory = $0 { true } else { false } })
    }

    @Test func whatIsKnownComesBeforeTheHistoryOnEachConnection() {
        var session = SessionHarness { $0.remembers = true }
        session.ask(.start)
        session.feed(.memoryLoaded("You know Ann."))
        session.ask(.wake)
        session.feed(.connectionOpened(session.connection))
        let first = session.server(.sessionUpdated(ServerSessionFacts())).createdItems
        #expect(first.count == 1)
        guard case .systemText(let id, "You know Ann.")? = first.first else {
            Issue.record("\(first)")
            return
        }
        session.server(.itemAdded(itemID: id, previousItemID: nil, kind: .other))
        #expect(session.machine.state == .active)
        #expect(session.machine.turns.isEmpty)
    }

    @Test func whatIsKnownAfterTheWakeIsToldAtOnceAndOnce() {
        var session = SessionHarness { $0.remembers = true }
        session.wakeUp()
        let told = session.feed(.memoryLoaded("You know Ann.")).createdItems
        #expect(told.count == 1)
        #expect(session.feed(.memoryLoaded(nil)).createdItems.isEmpty)
    }

    @Test func whatIsKnownDuringAReplayIsToldBehindIt() {
        var session = SessionHarness { $0.remembers = true }
        session.ask(.start)
        session.feed(.turnAppended(.userText(text: "hello", timestampMs: 1)))
        session.ask(.wake)
        session.feed(.connectionOpened(session.connection))
        let replay = session.server(.sessionUpdated(ServerSessionFacts())).createdItems
        #expect(session.feed(.memoryLoaded("You know Ann.")).createdItems.isEmpty)
        let ready = session.server(.itemAdded(itemID: replay.first?.id ?? "", previousItemID: nil, kind: .userMessage))
        #expect(ready.createdItems.count == 1)
    }
}
