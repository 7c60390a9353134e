import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct SessionLifecycleTests {
    @Test func aSessionThatStartsWakesSleepsAndStopsGoesThroughItsStatesOnce() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        let states = session.state.stream
        let seen = Task { () -> [AssistantState] in
            var seen: [AssistantState] = []
            for await state in states {
                seen.append(state)
                if state == .stopped { break }
            }
            return seen
        }
        try await session.start()
        try await session.wake()
        try await session.sleep()
        await session.stop()
        let walked = await seen.value
        #expect(walked == [.idle, .dormant, .activating, .active, .sleeping, .dormant, .stopping, .stopped])
        await eventually("the last event comes") { harness.events.last == .sessionEnded(reason: .user, message: nil) }
        #expect(harness.events.filter { $0 == .wentDormant }.count == 1)
        #expect(harness.provider.openCount == 0)
        #expect(!harness.device.simulatedMicrophone.isOpen)
    }

    @Test func aSecondSessionIsRefusedWhileTheFirstLivesAndAcceptedAfterItStopped() async throws {
        let harness = SessionHarness()
        let first = try await harness.awake()
        let second = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        await #expect(throws: AssistantError.self) { try await second.start() }
        #expect(second.state.current == .idle)
        await first.stop()
        #expect(harness.glasses.assistant.activeSession == nil)
        try await second.start()
        #expect(second.state.current == .dormant)
        await second.stop()
    }

    @Test func aWakeThatCannotConnectThrowsAndLeavesTheSessionDormantAndUsable() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        harness.provider.plan([.refuse(ConnectionClosure(code: "connection_refused", message: "Nobody listens."))])
        let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        try await session.start()
        do {
            try await session.wake()
            Issue.record("wake must throw")
        } catch AssistantError.networkError {
            #expect(session.state.current == .dormant)
        }
        try await session.wake()
        #expect(session.state.current == .active)
        await session.stop()
    }

    @Test func callsBeforeTheStartAndAfterTheStopAreAnsweredByTypedErrors() async throws {
        let harness = SessionHarness()
        let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        await #expect { try await session.wake() } throws: { ($0 as? AssistantError)?.code == "not_ready" }
        await #expect { try await session.say("x") } throws: { ($0 as? AssistantError)?.code == "not_ready" }
        try await session.start()
        await session.stop()
        await #expect { try await session.wake() } throws: { ($0 as? AssistantError)?.code == "session_ended" }
        await #expect { try await session.sleep() } throws: { ($0 as? AssistantError)?.code == "session_ended" }
        await #expect { try await session.start() } throws: { ($0 as? AssistantError)?.code == "session_ended" }
        await session.stop()
        #expect(harness.glasses.assistant.activeSession == nil)
    }

    @Test func stopOvertakesAConnectThatHangs() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        harness.provider.plan([.hang])
        let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        try await session.start()
        let waking = Task { try await session.wake() }
        await eventually("the attempt begins") { harness.provider.attempts == 1 }
        await session.stop()
        #expect(session.state.current == .stopped)
        await #expect(throws: AssistantError.self) { try await waking.value }
    }

    @Test func stopIsDoneInTwoAndAHalfSecondsWhenTheProviderIgnoresTheClose() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.connection?.ignoreClose()
        let started = harness.clock.now
        let stopping = Task { await session.stop() }
        await harness.run(.milliseconds(2500)) { session.state.current == .stopped }
        await stopping.value
        #expect(started.duration(to: harness.clock.now) <= .milliseconds(2500))
        await eventually("the end is told") { harness.events.last == .sessionEnded(reason: .user, message: nil) }
    }

    @Test func historyEditsAreVisibleAtOnce() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        session.appendHistory(.userText(text: "one", timestampMs: 1))
        #expect(session.conversationHistory() == [.userText(text: "one", timestampMs: 1)])
        session.replaceHistory([.userText(text: "two", timestampMs: 2), .userText(text: "three", timestampMs: 3)])
        #expect(session.conversationHistory(limit: 1) == [.userText(text: "three", timestampMs: 3)])
        session.clearHistory()
        #expect(session.conversationHistory().isEmpty)
        await session.stop()
    }

    @Test func aToolThatAProviderWouldRefuseIsToldAndLeftOut() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(name: "bad name!", description: "") { _ in .ok("") },
                ToolDefinition(name: "good", description: "") { _ in .ok("") },
            ]
        }
        let kinds = harness.events.compactMap { event -> String? in
            if case .error(let kind, _) = event { kind } else { nil }
        }
        #expect(kinds == ["invalid_configuration"])
        // Beside the two built-in ones.
        #expect(harness.connection?.session.tools.count == 3)
        await session.stop()
    }

    @Test func aValueThatCannotBeMeantIsThrownByStartWhichChangesNothing() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        var config = AssistantConfig(provider: .managed())
        config.startActive = true
        config.silenceTimeout = 0
        config.historyCap = .min
        config.tools = [ToolDefinition(name: "good", description: "", timeout: .nan) { _ in .ok("") }]
        let session = harness.glasses.assistant.createSession(config: config)
        let error = await #expect(throws: AssistantConfigError.self) { try await session.start() }
        #expect(error?.field == "silenceTimeout")
        #expect(session.state.current == .idle)
        #expect(harness.glasses.assistant.activeSession == nil)
        #expect(harness.provider.connections.isEmpty)
        // The place is free for another one.
        let second = try await harness.awake()
        await second.stop()
    }
}
