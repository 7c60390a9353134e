import GlassesAssistant
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

/// A store in memory.
private final class FakeStore: MemoryStore {
    private let profiles = Mutex<[String: String]>([:])
    private let saves = Mutex(0)

    func load(userId: String?) async -> String? { profiles.withLock { $0[userId ?? ""] } }
    func save(userId: String?, profileJson: String) async {
        profiles.withLock { $0[userId ?? ""] = profileJson }
        saves.withLock { $0 += 1 }
    }
    func profile(_ userId: String? = nil) -> MemoryProfile {
        guard let text = profiles.withLock({ $0[userId ?? ""] }) else { return MemoryProfile() }
        do { return MemoryProfile(json: try JSONValue(jsonText: text)) } catch { return MemoryProfile() }
    }
    var count: Int { saves.withLock { $0 } }
    func forget() { profiles.withLock { $0 = [:] } }
}

/// The messages that were logged.
private final class Lines: Sendable {
    private let messages = Mutex<[String]>([])
    var all: [String] { messages.withLock { $0 } }
    func add(_ message: String) { messages.withLock { $0.append(message) } }
}

/// A store that never answers.
private struct SilentStore: MemoryStore {
    func load(userId: String?) async -> String? {
        let (never, keep) = AsyncStream<Void>.makeStream()
        // The task's cancellation ends the wait; this store does not heed it.
        await Task { for await _ in never {} }.value
        keep.finish()
        return nil
    }
    func save(userId: String?, profileJson: String) async {}
}

/// A model whose answers a test gives.
private final class FakeModel: Sendable {
    private let asked = Mutex<[ChatPrompt]>([])
    private let answers: Mutex<[Result<String, ChatFailure>]>

    init(_ answers: Result<String, ChatFailure>...) { self.answers = Mutex(answers) }

    var prompts: [ChatPrompt] { asked.withLock { $0 } }

    var port: ChatPort {
        ChatPort { [self] prompt in
            asked.withLock { $0.append(prompt) }
            let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let answer else { throw ChatFailure(code: "http_503") }
            return try answer.get()
        }
    }
}

@Suite struct MemorySessionTests {
    private func keeper(
        of store: any MemoryStore, model: ChatPort?, clock: ManualClock = ManualClock(),
        chains: MemoryChains = MemoryChains(),
        log: @escaping @Sendable (LogLevel, String, JSONValue?) -> Void = { _, _, _ in }
    ) -> MemoryKeeper {
        let bounded = BoundedStore(store: store, appCode: .shared, clock: clock.port, log: log)
        return MemoryKeeper(
            store: bounded, userId: nil, chat: model, model: "m", clock: clock.port, chains: chains, log: log)
    }

    private func say(_ text: String, to session: any AssistantSession) {
        session.appendHistory(.userText(text: text, timestampMs: 1))
    }

    /// The user types; the provider never takes it, which ends with the session.
    private func type(_ text: String, to session: any AssistantSession, of harness: SessionHarness) async {
        Task { try await session.sendText(text) }
        await eventually("it is part of the conversation") { harness.events.contains(.userSpoke(transcript: text)) }
    }

    private func texts(_ session: any AssistantSession) -> [String] {
        session.conversationHistory().map {
            switch $0 {
            case .userText(let text, _), .assistantText(let text, _): text
            case .toolInvocation, .toolReturn: "?"
            }
        }
    }

    // MARK: - Memory

    @Test func whatTheUserSaidOfThemselvesIsKnownAfterTheSession() async throws {
        let store = FakeStore()
        let harness = SessionHarness()
        let session = try await harness.awake {
            $0.persistentMemory = true
            $0.memoryStore = store
            $0.memoryUserId = "ann"
        }
        await type("My name is Ann.", to: session, of: harness)
        // It is on disk when stop() has returned.
        await session.stop()
        #expect(store.profile("ann").facts.map(\.text) == ["My name is Ann."])
        #expect(store.profile("ann").preamble?.hasSuffix("- My name is Ann.") == true)
        #expect(store.profile().facts.isEmpty)
    }

    @Test func aSleepStoresToo() async throws {
        let store = FakeStore()
        let harness = SessionHarness()
        let session = try await harness.awake {
            $0.persistentMemory = true
            $0.memoryStore = store
        }
        await type("I live in Oslo.", to: session, of: harness)
        try await session.sleep()
        await eventually("it is stored") { store.profile().facts.count == 1 }
        await session.stop()
    }

    @Test func aModelReadsTheTurnsAndUntilItDoesTheyWaitInTheStore() async throws {
        let store = FakeStore()
        let model = FakeModel(
            .failure(ChatFailure(code: "http_503")), .success("no json"),
            .success(#"{"facts":["Ann lives in Oslo."]}"#))
        let keeper = keeper(of: store, model: model.port)
        await keeper.remember([.userText(text: "I live in Oslo.", timestampMs: 1)]).value
        #expect(store.profile().pending.count == 1)
        await eventually("the model is asked") { model.prompts.count == 1 }
        #expect(await keeper.preamble() == nil)
        await eventually("the model is asked again") { model.prompts.count == 2 }
        #expect(store.profile().pending.count == 1)
        _ = await keeper.preamble()
        await eventually("the model's facts are kept") { store.profile().facts.map(\.text) == ["Ann lives in Oslo."] }
        #expect(store.profile().pending.isEmpty)
        #expect(await keeper.preamble()?.hasSuffix("- Ann lives in Oslo.") == true)
        #expect(model.prompts.allSatisfy { $0.wantsJSON && $0.model == "m" })
        #expect(model.prompts.last?.text.contains("I live in Oslo.") == true)
    }

    @Test func aGatewayWithoutAModelThatWritesLeavesTheReadingToRules() async throws {
        let store = FakeStore()
        let model = FakeModel(.failure(ChatFailure(code: "no_model", isPermanent: true)))
        let keeper = keeper(of: store, model: model.port)
        await keeper.remember([.userText(text: "I live in Oslo.", timestampMs: 1)]).value
        await eventually("rules read it") { store.profile().facts.map(\.text) == ["I live in Oslo."] }
    }

    @Test func aModelThatTakesItsTimeHoldsUpNeitherTheDiskNorTheNextSession() async throws {
        let store = FakeStore()
        let (answers, give) = AsyncStream<String>.makeStream()
        let asked = Mutex(0)
        let slow = ChatPort { _ in
            asked.withLock { $0 += 1 }
            for await answer in answers { return answer }
            throw ChatFailure(code: "timeout")
        }
        let keeper = keeper(of: store, model: slow)
        await keeper.remember([.userText(text: "I live in Oslo.", timestampMs: 1)]).value
        await eventually("the model is asked") { asked.withLock { $0 } == 1 }
        await keeper.remember([.userText(text: "I like tea.", timestampMs: 2)]).value
        #expect(store.profile().pending.count == 2)
        #expect(await keeper.preamble() == nil)
        give.yield(#"{"facts":["Lives in Oslo."]}"#)
        await eventually("what it read is kept") { store.profile().facts.map(\.text) == ["Lives in Oslo."] }
        // What came meanwhile is read next.
        await eventually("the model is asked again") { asked.withLock { $0 } == 2 }
        #expect(store.profile().pending == [.userText(text: "I like tea.", timestampMs: 2)])
        give.finish()
    }

    @Test func aStoreThatNeverReturnsHoldsUpNoOtherAndIsNotAskedAgain() async throws {
        let (clock, chains, lines) = (ManualClock(), MemoryChains(), Lines())
        let silent = keeper(of: SilentStore(), model: nil, clock: clock, chains: chains) { _, message, _ in
            lines.add(message)
        }
        let store = FakeStore()
        let other = keeper(of: store, model: nil, clock: clock, chains: chains)
        let first = silent.remember([.userText(text: "I live in Oslo.", timestampMs: 1)])
        let second = other.remember([.userText(text: "I live in Rome.", timestampMs: 1)])
        await eventually("the wait is bounded") { clock.sleeperCount == 1 }
        clock.advance(by: BoundedStore.limit)
        await first.value
        await second.value
        #expect(store.profile().facts.map(\.text) == ["I live in Rome."])
        #expect(lines.all == ["memory.store_silent"])
        // It is not asked again while that call has not returned.
        await silent.remember([.userText(text: "I like tea.", timestampMs: 2)]).value
        #expect(lines.all == ["memory.store_silent", "memory.store_busy"])
    }

    @Test func aModelThatForgetsEverythingIsNotBelieved() async throws {
        let (store, lines) = (FakeStore(), Lines())
        await store.save(userId: nil, profileJson: #"{"facts":[{"text":"Lives in Oslo.","at":1}]}"#)
        let model = FakeModel(.success(#"{"facts":[]}"#))
        let keeper = keeper(of: store, model: model.port) { _, message, _ in lines.add(message) }
        await keeper.remember([.userText(text: "hello", timestampMs: 1)]).value
        await eventually("it is told") { lines.all == ["memory.not_read"] }
        #expect(store.profile().facts.map(\.text) == ["Lives in Oslo."])
        #expect(store.profile().pending.count == 1)
    }

    @Test func aStoreThatCannotReadAllAtOnceIsNotOverwrittenWithLess() async throws {
        let store = FakeStore()
        let keeper = keeper(of: store, model: nil)
        await keeper.remember([.userText(text: "I live in Oslo.", timestampMs: 1)]).value
        store.forget()
        await keeper.remember([.userText(text: "I like tea.", timestampMs: 2)]).value
        #expect(store.profile().facts.map(\.text) == ["I live in Oslo.", "I like tea."])
    }

    @Test func ofMoreThanAModelCanReadAtOnceAllIsReadInParts() async throws {
        let store = FakeStore()
        let answer = Result<String, ChatFailure>.success(#"{"facts":["Talks much."]}"#)
        let model = FakeModel(answer, answer, answer, answer, answer, answer)
        let keeper = keeper(of: store, model: model.port)
        let long = String(repeating: "word ", count: 190)
        let turns = (0..<150).map { Turn.userText(text: "<\($0)> \(long)", timestampMs: 1) }
        await keeper.remember(turns).value
        await eventually("nothing waits") { store.profile().pending.isEmpty }
        #expect(model.prompts.count == 3)
        for number in 0..<150 {
            #expect(model.prompts.count(where: { $0.text.contains("<\(number)>") }) == 1)
        }
    }

    @Test func withoutTheWishNothingIsStored() async throws {
        let store = FakeStore()
        let harness = SessionHarness()
        let session = try await harness.awake { $0.memoryStore = store }
        await type("My name is Ann.", to: session, of: harness)
        await session.stop()
        #expect(store.count == 0)
    }

    // MARK: - Compaction

    @Test func withoutAModelTheOlderHalfBecomesItsMostTellingSentences() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { $0.historyCap = 10 }
        say("My name is Ann.", to: session)
        for number in 1..<9 { say("number \(number)", to: session) }
        await eventually("there is a summary") { texts(session).first?.contains("User: My name is Ann.") == true }
        #expect(texts(session).suffix(5) == (4..<9).map { "number \($0)" })
        await session.stop()
    }

    @Test func theAppsFunctionReplacesTheHistory() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake {
            $0.historyCap = 10
            $0.historyCompaction = .custom { turns in Array(turns.suffix(2)) }
        }
        for number in 0..<9 { say("number \(number)", to: session) }
        await eventually("the history is short") { texts(session) == ["number 7", "number 8"] }
        await session.stop()
    }

    @Test func aFunctionThatThrowsOrHangsLeavesTheHistoryAsItIs() async throws {
        for hangs in [false, true] {
            let harness = SessionHarness()
            let session = try await harness.awake {
                $0.historyCap = 10
                $0.silenceTimeout = nil
                $0.historyCompaction = .custom { _ in
                    guard hangs else { throw ChatFailure(code: "x") }
                    let (never, keep) = AsyncStream<Void>.makeStream()
                    for await _ in never {}
                    keep.finish()
                    return []
                }
            }
            for number in 0..<9 { say("number \(number)", to: session) }
            if hangs { await harness.run(.seconds(61)) { harness.logLines.contains("history.not_compacted") } }
            await eventually("it is logged") { harness.logLines.contains("history.not_compacted") }
            #expect(texts(session).count == 9)
            await session.stop()
        }
    }

    @Test func aFunctionThatHasNotReturnedIsNotCalledAgain() async throws {
        let harness = SessionHarness()
        let calls = Mutex(0)
        let (ends, end) = AsyncStream<Void>.makeStream()
        let session = try await harness.awake {
            $0.historyCap = 10
            $0.silenceTimeout = nil
            $0.historyCompaction = .custom { _ in
                calls.withLock { $0 += 1 }
                await Task { for await _ in ends {} }.value
                return []
            }
        }
        for number in 0..<9 { say("number \(number)", to: session) }
        await eventually("it is called") { calls.withLock { $0 } == 1 }
        for attempt in 1...2 {
            await eventually("its end is awaited") {
                harness.clock.advance(by: .seconds(31))
                say("another", to: session)
                return harness.logLines.count(where: { $0 == "history.not_compacted" }) >= attempt
            }
        }
        #expect(calls.withLock { $0 } == 1)
        end.finish()
        await session.stop()
    }

    @Test func aModelSummarisesAndAFailureIsTold() async throws {
        let failing = HistorySummary(chat: FakeModel().port, model: nil)
        await #expect(throws: ChatFailure(code: "http_503")) {
            try await failing.text(of: [.userText(text: "hello", timestampMs: 1)])
        }
        let model = FakeModel(.success("They said hello."))
        let summary = HistorySummary(chat: model.port, model: "small")
        #expect(try await summary.text(of: [.userText(text: "hello", timestampMs: 1)]) == "They said hello.")
        #expect(model.prompts.first?.text == #"{"text":"hello","timestamp_ms":1,"type":"user_text"}"#)
        #expect(model.prompts.first?.model == "small")
    }
}
