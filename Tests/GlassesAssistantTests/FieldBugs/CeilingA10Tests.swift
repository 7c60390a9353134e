import GlassesAssistant
import GlassesDomain
import Testing

/// Field bug A10: at 60 minutes the socket closed and the conversation was over.
@Suite("Field bug A10: the provider's longest session")
struct CeilingA10Tests {
    /// Awake from 1 s on; the provider ends its session at 3,600 s.
    private func awake() -> SessionHarness {
        var session = SessionHarness { $0.silenceTimeout = nil }
        session.wakeUp()
        session.server(.sessionUpdated(ServerSessionFacts(expiresAt: 3_600)))
        return session
    }

    private func until(_ seconds: Int, _ session: inout SessionHarness) {
        session.advance(session.now.duration(to: MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000)))
    }

    private func reconnects(_ session: SessionHarness) -> [AssistantEvent] {
        session.log.events.filter { if case .reconnected = $0 { true } else { false } }
    }

    /// An answer of 60 s whose audio has all arrived plays over the last minutes, and over the ceiling's last ten seconds.
    @Test func a10AtTenSecondsBeforeTheEndAnAnswerPlaysOnWhileTheConnectionIsReplaced() {
        var session = awake()
        // So that there is no quiet moment before: the assistant speaks without a pause from the first minute on.
        session.userSays("tell me everything", item: "u1")
        session.beginAnswer("r1", item: "a1")
        let part = segment("r1", "a1")
        session.server(.answerTranscriptReceived(part, text: "Once upon a time"))
        for _ in 0..<37 { session.server(.answerAudioReceived(part, frames: 100 * 24_000)) }
        session.server(.answerAudioDone(part))
        session.server(.answerTranscriptDone(part, text: "Once upon a time"))
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.playbackStarted(part))
        until(3_589, &session)
        #expect(session.machine.state == .active)
        let old = session.connection
        until(3_591, &session)
        #expect(session.machine.state == .reconnecting)
        session.feed(
            .connectionClosed(old, ConnectionClosure(code: "closed", message: "Bye.", closeCode: 1000)))
        session.advance(.seconds(1))
        session.connect()
        #expect(session.now < MonotonicTime(nanoseconds: 3_600_000_000_000))
        #expect(session.machine.state == .active)
        #expect(session.log.flushes.isEmpty && session.log.truncations.isEmpty, "no word was cut")
        session.feed(.playbackProgressed(HeardPosition(segment: part, milliseconds: 3_700_000)))
        session.feed(.playbackDrained)
        #expect(reconnects(session).count == 1)
        guard case .reconnected(.ceilingApproach, _)? = reconnects(session).first else {
            Issue.record("\(reconnects(session))")
            return
        }
        let texts = session.machine.turns.map { turn in
            switch turn {
            case .userText(let text, _), .assistantText(let text, _): text
            case .toolInvocation, .toolReturn: "a tool"
            }
        }
        #expect(texts == ["tell me everything", "Once upon a time"])
    }

    /// The sibling: the close comes all the same, from a provider that ends a little before its time.
    @Test func a10ACloseNearTheAnnouncedEndIsTheCeilingAndNoError() {
        var session = awake()
        session.userSays("tell me everything", item: "u1")
        session.beginAnswer("r1", item: "a1")
        for _ in 0..<37 { session.server(.answerAudioReceived(segment("r1", "a1"), frames: 100 * 24_000)) }
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.playbackStarted(segment("r1", "a1")))
        until(3_580, &session)
        session.feed(
            .connectionClosed(
                session.connection, ConnectionClosure(code: "closed", message: "60 minutes.", closeCode: 1001)))
        #expect(session.machine.state == .reconnecting)
        session.advance(.milliseconds(250))
        session.connect()
        guard case .reconnected(.ceilingApproach, _)? = reconnects(session).first else {
            Issue.record("\(reconnects(session))")
            return
        }
        #expect(!session.log.events.contains { if case .error = $0 { true } else { false } })
    }
}
