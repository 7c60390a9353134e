import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// A laptop that was closed in the middle of a conversation, and a wall clock that is set.
@Suite struct SuspendedMachineTests {
    @Test func aConnectionThatSleptIsReplacedAtOnce() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.clock.suspend(for: .seconds(3_600))
        await harness.run(.seconds(2)) { harness.provider.connections.count == 2 && session.state.current == .active }
        #expect(harness.provider.openCount == 1)
        await eventually("the app is told") {
            harness.events.contains { if case .reconnected(.networkDrop, let ms) = $0 { ms < 1_000 } else { false } }
        }
        await session.stop()
    }

    @Test func aNapOfASecondKeepsTheConnection() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.clock.suspend(for: .seconds(1))
        await harness.run(.seconds(3))
        #expect(harness.provider.attempts == 1)
        await session.stop()
    }

    @Test func aReconnectThatSleptBeginsAnewAtOnce() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.provider.plan([.hang])
        harness.dropConnection()
        await harness.run(.seconds(2)) { harness.provider.attempts == 2 }
        harness.clock.suspend(for: .seconds(600))
        await harness.run(.seconds(2)) { session.state.current == .active }
        #expect(harness.provider.attempts == 3)
        await session.stop()
    }

    /// A session that was awake before, and a wake of it that hangs in its connect while the machine sleeps.
    private func wakeThatSleeps(
        _ handshakes: [ScriptedProvider.Handshake]
    ) async throws -> (harness: SessionHarness, session: any AssistantSession, wake: Task<Void, any Error>) {
        let harness = SessionHarness()
        let session = try await harness.awake()
        try await session.sleep()
        harness.provider.plan(handshakes)
        let wake = Task { try await session.wake() }
        await eventually("the wake connects") { harness.provider.attempts == 2 }
        await harness.run(.seconds(2))
        harness.clock.suspend(for: .seconds(3_600))
        return (harness, session, wake)
    }

    @Test func aWakeThatSleptInItsConnectIsActiveASecondLater() async throws {
        let (harness, session, wake) = try await wakeThatSleeps([.hang])
        let start = harness.clock.now
        await harness.run(.seconds(12)) { session.state.current != .activating }
        try await wake.value
        #expect(start.duration(to: harness.clock.now) <= .seconds(3))
        // What was opened after the sleep is not taken for dead.
        await harness.run(.seconds(3))
        #expect(session.state.current == .active)
        #expect(harness.provider.attempts == 3 && harness.provider.openCount == 1)
        #expect(!harness.events.contains { if case .reconnected = $0 { true } else { false } })
        await session.stop()
    }

    @Test func aWakeThatSleptAndFindsNoProviderEndsWithinItsTime() async throws {
        let (harness, session, wake) = try await wakeThatSleeps([.hang, .hang])
        let start = harness.clock.now
        await harness.run(.seconds(12)) { session.state.current != .activating }
        #expect(start.duration(to: harness.clock.now) <= .seconds(8))
        await #expect(throws: AssistantError.self) { try await wake.value }
        #expect(harness.provider.attempts == 3 && session.state.current == .dormant)
        try await session.wake()
        #expect(session.state.current == .active)
        await session.stop()
    }

    @Test func aDormantSessionThatSleptIsWokenOnce() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        try await session.sleep()
        harness.clock.suspend(for: .seconds(86_400))
        try await session.wake()
        await harness.run(.seconds(3))
        #expect(harness.provider.attempts == 2)
        await session.stop()
    }

    @Test(arguments: [Duration.seconds(7_200), .seconds(-7_200)])
    func turnsAreStampedByTheTimeThatTheWallClockWasSetTo(shift: Duration) async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.clock.setWallClock(forwardBy: shift)
        await harness.run(.seconds(2))
        harness.speakAnswer("r1", item: "a1", transcript: "Hello.", milliseconds: 200)
        await harness.run(.seconds(5)) { harness.events.contains(.assistantAudioFinished) }
        await eventually("the turn is kept") { !session.conversationHistory().isEmpty }
        guard case .assistantText(_, let stamp)? = session.conversationHistory().first else {
            Issue.record("\(session.conversationHistory())")
            return
        }
        #expect((harness.clock.port.wallClockMilliseconds() - stamp).magnitude < 10_000)
        #expect(session.state.current == .active && harness.provider.attempts == 1)
        await session.stop()
    }
}
