import GlassesAssistant
import GlassesDomain
import Testing

/// Field bugs A1–A6: cuts, truncation and late audio.
@Suite struct BargeInA1ToA6Tests {
    let heardItem = segment("r1", "a1")

    /// An answer of 1,000 ms that is still being generated, heard up to `heard` ms.
    private func playing(heard: Int, interrupts: Bool = true) -> SessionHarness {
        var session = SessionHarness()
        session.wakeUp(interrupts: interrupts)
        session.beginAnswer("r1", item: "a1")
        session.audio(heardItem, milliseconds: 1000)
        session.feed(.playbackStarted(heardItem))
        session.feed(.playbackProgressed(HeardPosition(segment: heardItem, milliseconds: heard)))
        return session
    }

    @Test func a1SpeechAfterAllAudioWasHeardTruncatesAtWhatWasReceived() {
        var session = playing(heard: 900)
        session.advance(.milliseconds(100))
        session.feed(.playbackDrained)
        session.advance(.milliseconds(700))
        let spoken = session.server(.speechStarted(itemID: "u2"))
        #expect(spoken.truncations.map(\.milliseconds) == [1000])
        #expect(spoken.truncations.map(\.item) == ["a1"])
    }

    @Test func a1ARefusedTruncateIsLoggedAndTheNextAnswerPlays() {
        var session = playing(heard: 400)
        let cut = session.server(.speechStarted(itemID: "u2"))
        guard let flush = cut.flushes.first else {
            Issue.record("playback was not cut")
            return
        }
        // The device claims more than there was: the machine limits it.
        let settled = session.feed(
            .flushCompleted(flush, heard: [HeardPosition(segment: heardItem, milliseconds: 4711)]))
        guard case .truncateItem(let eventID, "a1", 0, 1000)? = settled.commands.first, settled.commands.count == 1
        else {
            Issue.record("expected one truncate at 1,000 ms, got \(settled.commands)")
            return
        }
        let refused = session.server(.errorReported(code: "invalid_value", message: "too long", eventID: eventID))
        #expect(refused == [.diagnose(.commandRefused(code: "invalid_value"))])
        session.server(.speechStopped(itemID: "u2"))
        session.beginAnswer("r2", item: "a2")
        let next = session.audio(segment("r2", "a2"), milliseconds: 200)
        #expect(next.playback == [.playReceivedAudio(segment("r2", "a2")), .playReceivedAudio(segment("r2", "a2"))])
    }

    @Test(arguments: [(true, [String]()), (false, ["r1"])])
    func a2SpeechBeforeAnyAudioCancelsOnlyWhereTheServerDoesNotInterrupt(interrupts: Bool, cancels: [String]) {
        var session = SessionHarness()
        session.wakeUp(interrupts: interrupts)
        session.beginAnswer("r1", item: "a1")
        let spoken = session.server(.speechStarted(itemID: "u2"))
        #expect(spoken.cancels == cancels)
        #expect(spoken.truncations.isEmpty)
        #expect(spoken.deletions == ["a1"])
        #expect(spoken.flushes.isEmpty)
        #expect(!session.log.events.contains(.assistantAudioStarted))
        #expect(session.machine.turns.isEmpty)
    }

    @Test func a3LateAudioOfACutAnswerIsDroppedAndTheNextAnswerIsUntouched() {
        var session = SessionHarness()
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        session.audio(heardItem, milliseconds: 1000)
        session.feed(.playbackStarted(heardItem))
        session.server(.speechStarted(itemID: "u2"))
        session.server(.speechStopped(itemID: "u2"))
        session.beginAnswer("r2", item: "a2")
        var played: [PlaybackAction] = []
        for round in 0..<5 {
            played += session.server(.answerAudioReceived(heardItem, frames: 2400)).playback
            if round < 3 { played += session.server(.answerAudioReceived(segment("r2", "a2"), frames: 2400)).playback }
        }
        #expect(played == Array(repeating: .playReceivedAudio(segment("r2", "a2")), count: 3))
        // The late end of r1 says nothing about r2, which still holds the gate.
        session.server(.answerDone(responseID: "r1", status: .cancelled))
        #expect(session.ask(.sendText(text: "next")).actions.requests.isEmpty)
        // Neither does a late position of r1 move r2.
        session.feed(.playbackProgressed(HeardPosition(segment: heardItem, milliseconds: 900)))
        #expect(!session.log.diagnostics.filter { $0 == .lateAnswerEvent(responseID: "r1") }.isEmpty)
    }

    @Test func a4SpeechAfterAFinishedAnswerInterruptsNothing() {
        var session = SessionHarness()
        session.wakeUp()
        session.speakAnswer("r1", item: "a1", words: "All done.", milliseconds: 500)
        session.playAll(heardItem, during: .milliseconds(500))
        let before = session.machine.turns
        session.advance(.seconds(2))
        let spoken = session.server(.speechStarted(itemID: "u2"))
        #expect(
            spoken == [
                .microphone(.keepUtterance(startMs: nil)),
                .timer(.schedule(.utterance, at: session.now.advanced(by: .seconds(120)))), .timer(.cancel(.silence)),
            ])
        #expect(session.machine.turns == before)
        #expect(session.log.events.count { $0 == .assistantAudioFinished } == 1)
    }

    @Test func a5HistoryHoldsTheHeardWordsMarkedAsCutAndReplaysThem() {
        var session = SessionHarness()
        session.wakeUp()
        let words = "alfa beta gama delt epsi zeta etaa thet iota kapp"
        session.speakAnswer("r1", item: "a1", words: words, milliseconds: 3000)
        session.feed(.playbackStarted(heardItem))
        session.advance(.milliseconds(1500))
        let cut = session.server(.speechStarted(itemID: "u2"))
        guard let flush = cut.flushes.first else {
            Issue.record("playback was not cut")
            return
        }
        let heard = [HeardPosition(segment: heardItem, milliseconds: 1500)]
        #expect(session.feed(.flushCompleted(flush, heard: heard)).truncations.map(\.milliseconds) == [1500])
        #expect(session.machine.turns == [.assistantText(text: "alfa beta gama delt epsi …", timestampMs: 1000)])
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "dropped", message: "dropped")))
        session.advance(.milliseconds(250))
        #expect(session.connect().createdItems == [.assistantText(id: "a1", text: "alfa beta gama delt epsi …")])
    }

    @Test func a6CancellingNothingSendsNothingAndTheServersComplaintStaysInTheLog() {
        var session = SessionHarness()
        session.wakeUp()
        for _ in 0..<3 {
            let cancel = session.ask(.cancelSpeak)
            #expect(cancel.actions == [.finish(cancel.id, .succeeded)])
            let complaint = session.server(
                .errorReported(code: "response_cancel_not_active", message: "no active response", eventID: nil))
            #expect(complaint == [.diagnose(.commandRefused(code: "response_cancel_not_active"))])
        }
        #expect(session.machine.state == .active)
    }
}
