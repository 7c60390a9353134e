import GlassesAssistant
import GlassesDomain
import Testing

/// A session that decides itself what interrupts, in the middle of an answer of 3 s of which 2 s were heard.
private func speaking(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
    var session = SessionHarness {
        $0.interruption = InterruptionConfig()
        configure(&$0)
    }
    session.wakeUp(interrupts: false, creates: false)
    session.beginAnswer("r1", item: "a1")
    let part = segment("r1", "a1")
    session.server(.answerTranscriptReceived(part, text: "One two three four five six."))
    session.audio(part, milliseconds: 3_000)
    session.feed(.playbackStarted(part))
    session.advance(.seconds(2))
    session.feed(.playbackProgressed(HeardPosition(segment: part, milliseconds: 2_000)))
    return session
}

extension SessionHarness {
    /// The provider heard the end of an utterance and made an item of it.
    @discardableResult
    fileprivate mutating func utteranceEnds(_ item: String) -> [SessionAction] {
        server(.speechStopped(itemID: item))
            + server(.utteranceCommitted(itemID: item, previousItemID: nil))
            + server(.itemAdded(itemID: item, previousItemID: nil, kind: .userMessage))
    }
}

@Suite struct FalseInterruptionTests {
    @Test func aCoughLetsTheAnswerGoOnWhereItStoppedAndIsNotAnswered() {
        var session = speaking()
        let start = session.server(.speechStarted(itemID: "u1"))
        #expect(start.playback == [.pause])
        #expect(start.commands.isEmpty && start.events.isEmpty)
        var rest = session.feed(.speechMeasured(milliseconds: 200, isOver: false))
        rest += session.feed(.speechMeasured(milliseconds: 240, isOver: true))
        #expect(rest.playback.isEmpty, "its words may still tell otherwise")
        rest += session.utteranceEnds("u1")
        rest += session.server(.userTranscriptFailed(itemID: "u1", code: nil))
        #expect(rest.playback == [.resume])
        #expect(rest.commands.isEmpty && rest.events.isEmpty)
        let end = session.feed(.playbackDrained) + session.server(.answerDone(responseID: "r1", status: .completed))
        #expect(end.events == [.assistantAudioFinished])
        #expect(
            session.machine.turns.map(\.words) == ["One two three four five six."],
            "heard in full, and not marked as cut"
        )
    }

    @Test func aSignOfListeningStaysInTheConversationAndIsNotAnswered() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        session.feed(.speechMeasured(milliseconds: 400, isOver: true))
        var rest = session.utteranceEnds("u1")
        rest += session.server(.userTranscriptCompleted(itemID: "u1", text: "Mm-hm."))
        #expect(rest.playback == [.resume])
        #expect(rest.events == [.userSpoke(transcript: "Mm-hm.")])
        #expect(rest.requests.isEmpty && rest.cancels.isEmpty)
        #expect(session.machine.turns.map(\.words).last == "Mm-hm.")
    }

    @Test func speechThatIsLongEnoughCutsTheAnswerAndIsAnswered() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        #expect(session.feed(.speechMeasured(milliseconds: 400, isOver: false)).isEmpty)
        let cut = session.feed(.speechMeasured(milliseconds: 500, isOver: false))
        #expect(cut.flushes.count == 1)
        #expect(cut.cancels == ["r1"])
        #expect(cut.events.contains(.assistantAudioFinished))
        #expect(cut.microphone == [.stopMeasuring])
        let heard = [HeardPosition(segment: segment("r1", "a1"), milliseconds: 2_050)]
        let settled = session.feed(.flushCompleted(cut.flushes[0], heard: heard))
        #expect(settled.truncations.map(\.milliseconds) == [2_050])
        session.server(.answerDone(responseID: "r1", status: .cancelled))
        #expect(session.utteranceEnds("u1").requests.count == 1)
    }

    @Test func aShortWordThatMeansSomethingCutsTheAnswerWhenItIsKnown() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        session.feed(.speechMeasured(milliseconds: 300, isOver: true))
        session.utteranceEnds("u1")
        let cut = session.server(.userTranscriptCompleted(itemID: "u1", text: "Stop."))
        #expect(cut.flushes.count == 1)
        #expect(cut.cancels == ["r1"])
        let done = session.server(.answerDone(responseID: "r1", status: .cancelled))
        #expect((cut + done).requests.count == 1, "a turn is answered, once")
    }

    @Test func wordsThatComeLateCutTheAnswerThatWentOnMeanwhile() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        session.feed(.speechMeasured(milliseconds: 300, isOver: true))
        session.utteranceEnds("u1")
        #expect(session.advance(.milliseconds(1_300)).playback == [.resume])
        let cut = session.server(.userTranscriptCompleted(itemID: "u1", text: "What about tomorrow?"))
        #expect(cut.flushes.count == 1)
    }

    @Test func wordsAfterTheEndOfTheAnswerAreATurnLikeAnyOther() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        session.feed(.speechMeasured(milliseconds: 300, isOver: true))
        session.utteranceEnds("u1")
        session.advance(.milliseconds(1_300))
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.playbackDrained)
        let late = session.server(.userTranscriptCompleted(itemID: "u1", text: "What about tomorrow?"))
        #expect(late.requests.count == 1)
        #expect(late.flushes.isEmpty)
    }

    @Test func severalCoughsAreNoSentence() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        for _ in 0..<4 {
            #expect(session.feed(.speechMeasured(milliseconds: 200, isOver: false)).flushes.isEmpty)
            #expect(session.feed(.speechMeasured(milliseconds: 280, isOver: true)).flushes.isEmpty)
        }
    }

    @Test func aSecondStretchOfTheSameUtteranceMayInterrupt() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        session.feed(.speechMeasured(milliseconds: 200, isOver: true))
        session.advance(.milliseconds(1_250))
        #expect(session.feed(.speechMeasured(milliseconds: 600, isOver: false)).flushes.count == 1)
    }

    @Test func speechThatNobodyMeasuresIsJudgedByItsTime() {
        var session = speaking()
        session.server(.speechStarted(itemID: "u1"))
        #expect(session.advance(.milliseconds(1_900)).flushes.isEmpty)
        #expect(session.advance(.milliseconds(200)).flushes.count == 1)
    }

    @Test func withoutWordsTheAnswerGoesOnAtTheEndOfTheSpeech() {
        var session = speaking { $0.transcribesInput = false }
        session.server(.speechStarted(itemID: "u1"))
        #expect(session.feed(.speechMeasured(milliseconds: 300, isOver: true)).playback == [.resume])
        #expect(session.utteranceEnds("u1").requests.isEmpty)
    }

    @Test func anAnswerThatIsStillThoughtAboutSurvivesACough() {
        var session = SessionHarness { $0.interruption = InterruptionConfig() }
        session.wakeUp(interrupts: false, creates: false)
        session.beginAnswer("r1", item: "a1")
        #expect(session.server(.speechStarted(itemID: "u1")).playback == [.pause])
        let audio = session.server(.answerAudioReceived(segment("r1", "a1"), frames: 2_400))
        #expect(audio.playback == [.playReceivedAudio(segment("r1", "a1"))])
        session.feed(.speechMeasured(milliseconds: 200, isOver: true))
        session.utteranceEnds("u1")
        #expect(session.server(.userTranscriptCompleted(itemID: "u1", text: "")).playback == [.resume])
    }

    @Test(arguments: [true, false])
    func aProviderThatDecidesItselfIsFollowed(interrupts: Bool) {
        var session = SessionHarness { $0.interruption = InterruptionConfig() }
        session.wakeUp(interrupts: interrupts, creates: true)
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 500)
        #expect(session.server(.speechStarted(itemID: "u1")).flushes.count == 1)
    }

    @Test func whateverEndsTheHoldLeavesNothingStandingStill() {
        let ends: [(String, (inout SessionHarness) -> [SessionAction])] = [
            ("cancelSpeak", { $0.ask(.cancelSpeak).actions }), ("sleep", { $0.ask(.sleep).actions }),
            ("stop", { $0.ask(.stop).actions }), ("device", { $0.feed(.deviceLost(.dropped)) }),
            (
                "connection",
                {
                    $0.feed(
                        .connectionClosed($0.connection, ConnectionClosure(code: "x", message: "x", closeCode: 1006)))
                }
            ),
        ]
        for (what, end) in ends {
            var session = speaking()
            session.server(.speechStarted(itemID: "u1"))
            let playback = end(&session).playback
            #expect(playback.contains { $0 == .resume } || !playback.isEmpty, "\(what)")
            #expect(session.advance(.seconds(10)).playback.isEmpty, "\(what)")
        }
    }

    @Test func silenceOfTheUserIsNotAnInterruption() {
        var session = SessionHarness { $0.interruption = InterruptionConfig() }
        session.wakeUp(interrupts: false, creates: false)
        let start = session.server(.speechStarted(itemID: "u1"))
        #expect(start.playback.isEmpty, "nothing is said over which one could speak")
        #expect(session.utteranceEnds("u1").requests.count == 1)
    }
}

@Suite struct ProtectedSpeechTests {
    @Test(arguments: [true, false])
    func protectedSpeechIsHeardToItsEndAndTheUserIsAnsweredAfterIt(interrupts: Bool) {
        var session = SessionHarness { if interrupts { $0.interruption = InterruptionConfig() } }
        session.wakeUp(interrupts: false, creates: false)
        session.ask(.say(text: "Mind the step.", isProtected: true))
        session.grantRequest("r1")
        session.server(.answerItemAdded(responseID: "r1", itemID: "a1", kind: .assistantMessage))
        session.audio(segment("r1", "a1"), milliseconds: 1_000)
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.playbackStarted(segment("r1", "a1")))
        let speech = session.server(.speechStarted(itemID: "u1"))
        #expect(speech.playback.isEmpty && speech.cancels.isEmpty && speech.events.isEmpty)
        session.server(.speechStopped(itemID: "u1"))
        #expect(session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil)).requests.count == 1)
    }

    @Test func theAppCutsProtectedSpeech() {
        var session = SessionHarness()
        session.wakeUp()
        session.ask(.say(text: "Mind the step.", isProtected: true))
        session.grantRequest("r1")
        session.audio(segment("r1", "a1"), milliseconds: 1_000)
        #expect(session.ask(.cancelSpeak).actions.flushes.count == 1)
    }

    @Test(arguments: [GreetingPlan.speak(text: "Hello."), .compose(directive: "Greet.")])
    func aProtectedGreetingIsAskedForOutsideTheConversation(plan: GreetingPlan) {
        var session = SessionHarness {
            $0.greeting = plan
            $0.protectsGreeting = true
        }
        session.wakeUp()
        #expect(session.log.requests.map(\.request.isOutOfBand) == [true])
        session.grantRequest("r1")
        session.audio(segment("r1", "a1"), milliseconds: 1_000)
        #expect(session.server(.speechStarted(itemID: "u1")).flushes.isEmpty)
    }
}
