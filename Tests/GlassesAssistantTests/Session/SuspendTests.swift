import GlassesAssistant
import GlassesDomain
import Testing

/// A machine that slept.
@Suite struct SuspendTests {
    private static let dropped = ConnectionClosure(code: "dropped", message: "The link dropped.", closeCode: 1006)

    private func awake(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
        var session = SessionHarness(configure)
        session.wakeUp()
        return session
    }

    @Test func aConnectionThatSleptIsLetGoOfAndReplacedAtOnce() {
        var session = awake()
        let old = session.connection
        let resumed = session.feed(.machineResumed(after: .seconds(5)))
        #expect(resumed.states == [.reconnecting])
        #expect(resumed.contains(.connection(.abandon(old))))
        #expect(session.connect().events == [.reconnected(reason: .networkDrop, downtimeMs: 0)])
    }

    @Test func silenceIsCountedFromTheMomentOfWakingUp() {
        var session = awake { $0.silenceTimeout = .seconds(60) }
        session.advance(.seconds(59))
        session.feed(.machineResumed(after: .seconds(1)))
        session.advance(.seconds(59))
        #expect(session.machine.state == .active)
        session.advance(.seconds(1))
        #expect(session.machine.state == .sleeping)
    }

    @Test func anAttemptThatWaitedIsMadeAtOnceAndHasItsWholeTimeAgain() {
        var session = awake()
        session.feed(.connectionClosed(session.connection, Self.dropped))
        // Nearly all of the waiting is used.
        while session.now < MonotonicTime.zero.advanced(by: .seconds(50)) {
            session.advance(.seconds(8))
            session.feed(.connectionFailed(session.connection, Self.dropped))
        }
        let before = session.connection
        let resumed = session.feed(.machineResumed(after: .seconds(3_600)))
        #expect(session.connection != before && resumed.contains(.connection(.open(session.connection))))
        for _ in 0..<8 {
            session.feed(.connectionFailed(session.connection, Self.dropped))
            session.advance(.seconds(8))
        }
        #expect(session.machine.state == .reconnecting)
    }

    @Test func theEndOfASessionIsCountedByTheProvidersClock() {
        var session = SessionHarness { $0.silenceTimeout = nil }
        session.ask(.start)
        session.ask(.wake)
        session.feed(.connectionOpened(session.connection))
        session.server(.sessionUpdated(ServerSessionFacts(expiresAt: 3_601)))
        let first = session.connection
        session.feed(.wallClockMoved(offsetMilliseconds: 4_000))
        session.feed(.machineResumed(after: .seconds(4)))
        session.advance(.seconds(2_995))
        #expect(session.connection == first)
        session.advance(.seconds(1))
        #expect(session.connection != first)
    }

    @Test(arguments: [Duration.seconds(1), .seconds(3_600)])
    func whoIsNotAwakeIsNotWoken(time: Duration) {
        var session = SessionHarness()
        #expect(session.feed(.machineResumed(after: time)).isEmpty)
        session.ask(.start)
        #expect(session.feed(.machineResumed(after: time)).isEmpty)
    }
}
