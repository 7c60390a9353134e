import GlassesAssistant
import GlassesDomain
import Testing

/// Field bugs A30 and A31: what counts as silence.
@Suite struct SilenceA30A31Tests {
    @Test func a30NeitherALongAnswerNorALongToolCountsAsSilence() {
        var session = SessionHarness {
            $0.tools = [ToolFacts(name: "wait", schema: [:], timeout: .seconds(120))]
            $0.silenceTimeout = .seconds(60)
        }
        session.wakeUp()
        session.speakAnswer("r1", item: "a1", words: "A long story.", milliseconds: 70_000)
        session.beginAnswer("r2")
        session.call("c1", "wait", "{}", in: "r2")
        session.server(.answerDone(responseID: "r2", status: .completed))
        session.playAll(segment("r1", "a1"), during: .seconds(70))
        session.advance(.seconds(40))
        session.feed(.toolReturned(callID: "c1", output: "done", isError: false))
        session.grantRequest("r3")
        let item = segment("r3", "a3")
        session.server(.answerAudioReceived(item, frames: 24_000))
        session.server(.answerDone(responseID: "r3", status: .completed))
        session.playAll(item, during: .seconds(1))
        #expect(!session.log.states.contains(.sleeping))
        #expect(session.advance(.milliseconds(59_999)).states.isEmpty)
        #expect(session.advance(.milliseconds(1)).states.first == .sleeping)
    }

    @Test func a31SilenceBeginsWhenTheLastSampleWasHeardNotWhenTheLastCame() {
        var session = SessionHarness { $0.silenceTimeout = .seconds(10) }
        session.wakeUp()
        let begin = session.now
        session.speakAnswer("r1", item: "a1", words: "A story.", milliseconds: 30_000)
        session.playAll(segment("r1", "a1"), during: .seconds(30))
        #expect(!session.log.states.contains(.sleeping))
        session.advance(.milliseconds(9_999))
        #expect(!session.log.states.contains(.sleeping))
        session.advance(.milliseconds(1))
        #expect(session.log.states.last == .sleeping)
        #expect(begin.duration(to: session.now) == .seconds(40))
    }

    @Test func aRunningUtteranceIsNoSilence() {
        var session = SessionHarness { $0.silenceTimeout = .seconds(10) }
        session.wakeUp()
        session.server(.speechStarted(itemID: "u1"))
        session.advance(.seconds(60))
        #expect(session.machine.state == .active)
        session.server(.speechStopped(itemID: "u1"))
        session.advance(.seconds(10))
        #expect(session.log.states.last == .sleeping)
    }

    @Test func withoutATimeoutTheSessionNeverSleeps() {
        var session = SessionHarness { $0.silenceTimeout = nil }
        session.wakeUp()
        session.advance(.seconds(86_400))
        #expect(session.machine.state == .active)
    }
}
