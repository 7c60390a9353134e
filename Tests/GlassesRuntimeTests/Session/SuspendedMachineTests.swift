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
