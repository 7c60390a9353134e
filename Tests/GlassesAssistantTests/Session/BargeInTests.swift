import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct BargeInTests {
    private func flush(_ actions: [SessionAction]) -> FlushID { actions.flushes.first ?? FlushID(-1) }

    @Test func playbackIsCutBeforeAnythingIsSentAndTheTruncateWaitsForTheDevice() {
        var session = SessionHarness()
        session.wakeUp(interrupts: false)
        session.beginAnswer("r1", item: "a1")
        let part = segment("r1", "a1")
        session.audio(part, milliseconds: 1000)
        session.feed(.playbackStarted(part))
        let cut = session.server(.speechStarted(itemID: "u1"))
        let kinds = cut.compactMap { action -> String? in
            switch action {
            case .playback(.flush): "flush"
            case .notify(.assistantAudioFinished): "finished"
            case .send(.cancelAnswer(_, "r1"), _): "cancel"
            case .send: "other"
            default: nil
            }
        }
        #expect(kinds == ["flush", "finished", "cancel"])
        let settled = session.feed(
            .flushCompleted(flush(cut), heard: [HeardPosition(segment: part, milliseconds: 420)]))
        #expect(settled.truncations.map(\.milliseconds) == [420])
    }

    @Test func ofSeveralQueuedAnswersTheHeardOneIsTruncatedAndTheLaterOneDeleted() {
        var session = SessionHarness()
        session.wakeUp()
        session.speakAnswer("r1", item: "a1", words: "First.", milliseconds: 1000)
        session.speakAnswer("r2", item: "a2", words: "Second.", milliseconds: 1000)
        session.feed(.playbackStarted(segment("r1", "a1")))
        let cut = session.server(.speechStarted(itemID: "u1"))
        let settled = session.feed(
            .flushCompleted(flush(cut), heard: [HeardPosition(segment: segment("r1", "a1"), milliseconds: 500)]))
        #expect(settled.truncations.map(\.item) == ["a1"])
        #expect(settled.deletions == ["a2"])
        #expect(cut.cancels.isEmpty)
    }

    @Test func anItemHeardInFullIsLeftAlone() {
        var session = SessionHarness()
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        let first = segment("r1", "a1")
        session.server(.answerTranscriptReceived(first, text: "Done."))
        session.audio(first, milliseconds: 500)
        session.server(.answerAudioDone(first))
        session.server(.answerItemAdded(responseID: "r1", itemID: "a2", kind: .assistantMessage))
        let second = segment("r1", "a2")
        session.audio(second, milliseconds: 500)
        session.feed(.playbackStarted(first))
        let cut = session.server(.speechStarted(itemID: "u1"))
        let heard = [
            HeardPosition(segment: first, milliseconds: 500), HeardPosition(segment: second, milliseconds: 100),
        ]
        let settled = session.feed(.flushCompleted(flush(cut), heard: heard))
        #expect(settled.truncations.map(\.item) == ["a2"])
        #expect(settled.truncations.map(\.milliseconds) == [100])
        #expect(settled.deletions.isEmpty)
        #expect(session.machine.turns == [.assistantText(text: "Done.", timestampMs: 1000)])
    }

    @Test func aTextAnswerIsLeftAlone() {
        var session = SessionHarness()
        session.wakeUp(interrupts: false)
        session.beginAnswer("r1", item: "a1")
        session.server(.answerTextReceived(segment("r1", "a1"), text: "Read this"))
        let cut = session.server(.speechStarted(itemID: "u1"))
        #expect(cut.truncations.isEmpty && cut.deletions.isEmpty)
        #expect(cut.cancels == ["r1"])
        #expect(session.machine.turns == [.assistantText(text: "Read this …", timestampMs: 1000)])
    }

    @Test func anAnswerOutsideTheConversationIsCancelledAndNeverTruncated() {
        var session = SessionHarness()
        session.wakeUp(interrupts: true)
        session.ask(.say(text: "a long text"))
        session.grantRequest("r1")
        session.server(.answerItemAdded(responseID: "r1", itemID: "a1", kind: .assistantMessage))
        session.audio(segment("r1", "a1"), milliseconds: 1000)
        session.feed(.playbackStarted(segment("r1", "a1")))
        let cut = session.server(.speechStarted(itemID: "u1"))
        #expect(cut.cancels == ["r1"])
        let heard = [HeardPosition(segment: segment("r1", "a1"), milliseconds: 300)]
        #expect(session.feed(.flushCompleted(flush(cut), heard: heard)).commands.isEmpty)
        #expect(session.machine.turns.isEmpty)
    }

    @Test func anAnswerCutBeforeItBeganIsCancelledByItsIdWhenThatIsKnown() {
        var session = SessionHarness()
        session.wakeUp()
        session.ask(.sendText(text: "hello"))
        let cut = session.server(.speechStarted(itemID: "u1"))
        #expect(cut.commands.isEmpty)
        let request = session.log.requests.last
        let begun = session.server(
            .answerCreated(responseID: "r1", metadata: request?.request.metadata ?? [:], isOutOfBand: false))
        #expect(begun.cancels == ["r1"])
        #expect(session.server(.answerAudioReceived(segment("r1", "a1"), frames: 2400)).playback.isEmpty)
    }

    @Test func sentencesThatComeBeforeTheirAudioAreCutInsideTheSentenceBeingHeard() {
        var session = SessionHarness { $0.transcriptPacing = .sentenceBeforeAudio }
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        let part = segment("r1", "a1")
        session.server(.answerTranscriptReceived(part, text: "Short one. "))
        session.audio(part, milliseconds: 3000)
        session.server(.answerTranscriptReceived(part, text: "aaaa bbbb cccc dddd."))
        session.audio(part, milliseconds: 1000)
        session.server(.answerAudioDone(part))
        session.feed(.playbackStarted(part))
        let cut = session.server(.speechStarted(itemID: "u1"))
        session.feed(.flushCompleted(flush(cut), heard: [HeardPosition(segment: part, milliseconds: 3500)]))
        #expect(session.machine.turns == [.assistantText(text: "Short one. aaaa bbbb …", timestampMs: 1000)])
    }

    @Test func theHeardWordsOfACutAnswerAreTold() {
        var session = SessionHarness()
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        let part = segment("r1", "a1")
        session.server(.answerTranscriptReceived(part, text: "one two three four"))
        session.audio(part, milliseconds: 2000)
        session.feed(.playbackStarted(part))
        let cut = session.server(.speechStarted(itemID: "u1"))
        let settled = session.feed(
            .flushCompleted(flush(cut), heard: [HeardPosition(segment: part, milliseconds: 1000)]))
        #expect(settled.events == [.assistantSpoke(transcript: "one two")])
    }

    @Test func audibleEdgesFollowTheNextAnswerAfterACut() {
        var session = SessionHarness()
        session.wakeUp()
        session.speakAnswer("r1", item: "a1", words: "One.", milliseconds: 1000)
        session.feed(.playbackStarted(segment("r1", "a1")))
        let cut = session.server(.speechStarted(itemID: "u1"))
        session.feed(.flushCompleted(flush(cut), heard: []))
        #expect(session.feed(.playbackStarted(segment("r1", "a1"))).events.isEmpty)
        session.server(.speechStopped(itemID: "u1"))
        session.speakAnswer("r2", item: "a2", words: "Two.", milliseconds: 500)
        session.playAll(segment("r2", "a2"), during: .milliseconds(500))
        let edges = session.log.events.filter { $0 == .assistantAudioStarted || $0 == .assistantAudioFinished }
        #expect(
            edges == [.assistantAudioStarted, .assistantAudioFinished, .assistantAudioStarted, .assistantAudioFinished])
    }
}
