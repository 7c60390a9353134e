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

    /// How far the attempt of a wake had come.
    enum Progress: CaseIterable {
        case opening
        case configuring
        case replaying
    }

    /// A wake that has taken four seconds so far.
    private func waking(_ progress: Progress) -> (session: SessionHarness, wake: OperationID) {
        var session = SessionHarness()
        session.ask(.start)
        session.feed(.turnAppended(.userText(text: "hello", timestampMs: 1)))
        let wake = session.ask(.wake).id
        session.advance(.seconds(4))
        if progress != .opening { session.feed(.connectionOpened(session.connection)) }
        if progress == .replaying { session.server(.sessionUpdated(ServerSessionFacts())) }
        return (session, wake)
    }

    @Test(arguments: Progress.allCases)
    func anAttemptOfAWakeThatSleptIsMadeAnewAtOnceAndNotOnceMore(_ progress: Progress) {
        var (session, wake) = waking(progress)
        let old = session.connection
        let resumed = session.feed(.machineResumed(after: .seconds(3_600)))
        let next = session.connection
        #expect(next != old && resumed.states.isEmpty)
        #expect(resumed.contains(.connection(.abandon(old))) && resumed.contains(.connection(.open(next))))
        // What the old one still brings, also that it opened all the same, is nobody's.
        let late = session.feed(.connectionOpened(old))
        #expect(late.contains(.connection(.close(old))) && late.commands.isEmpty)
        session.feed(.connectionClosed(old, Self.dropped))
        let actions = session.connect()
        #expect(actions.createdItems.count == 1)
        #expect(actions.finished[wake] == [.succeeded] && session.machine.state == .active)
        session.advance(.seconds(10))
        #expect(session.connection == next)
    }

    @Test(arguments: Progress.allCases)
    func aWakeThatSleptAndFindsNoProviderFailsWhenItsTimeIsUp(_ progress: Progress) {
        var (session, wake) = waking(progress)
        session.feed(.machineResumed(after: .seconds(3_600)))
        #expect(session.advance(.milliseconds(5_600)).finished.isEmpty)
        // Once more, in the last moment: the time is no other for it.
        session.feed(.machineResumed(after: .seconds(3_600)))
        let outcomes = session.advance(.milliseconds(400)).finished[wake]
        guard case .failed(.networkError)? = outcomes?.first, outcomes?.count == 1 else {
            Issue.record("\(String(describing: outcomes))")
            return
        }
        #expect(session.machine.state == .dormant)
        // Nothing is left but to let go of the last attempt.
        session.advance(.seconds(5))
        #expect(session.advance(.seconds(60)).isEmpty)
    }

    @Test(arguments: Progress.allCases)
    func aNapDoesNotDisturbAWake(_ progress: Progress) {
        var (session, wake) = waking(progress)
        let attempt = session.connection
        #expect(session.feed(.machineResumed(after: .milliseconds(4_900))).isEmpty)
        #expect(session.connection == attempt)
        #expect(session.advance(.seconds(6)).finished[wake]?.count == 1)
    }

    @Test(arguments: [Duration.seconds(1), .seconds(3_600)])
    func whoIsNotAwakeIsNotWoken(time: Duration) {
        var session = SessionHarness()
        #expect(session.feed(.machineResumed(after: time)).isEmpty)
        session.ask(.start)
        #expect(session.feed(.machineResumed(after: time)).isEmpty)
    }
}
