import Foundation
import GlassesAssistant
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// A session that decides itself what interrupts, on the manual clock, with a voice in the microphone.
@Suite struct SessionInterruptionTests {
    private static func awake(_ harness: SessionHarness) async throws -> any AssistantSession {
        let session = try await harness.awake { $0.interruption = InterruptionConfig() }
        await harness.hear(milliseconds: 500, amplitude: 0)
        return session
    }

    @Test func theProviderIsToldToInterruptAndAnswerNothingByItself() async throws {
        let harness = SessionHarness()
        let session = try await Self.awake(harness)
        let detection = harness.connection?.session.input.turnDetection
        #expect(detection?.interruptsResponse == false)
        #expect(detection?.createsResponse == false)
        await harness.end(session)
    }

    @Test func aCoughStopsTheVoiceForAMomentAndTakesNothingOfIt() async throws {
        let harness = SessionHarness()
        let session = try await Self.awake(harness)
        harness.speakAnswer("r1", item: "a1", transcript: "One two three four.", milliseconds: 2_000)
        await harness.run(.milliseconds(700))
        let before = harness.device.simulatedSpeaker.heard.count
        async let cough: Void = harness.hear(milliseconds: 240)
        harness.userSpeaks()
        await cough
        await harness.hear(milliseconds: 400, amplitude: 0)
        let paused = harness.device.simulatedSpeaker.heard.count
        #expect(paused - before < 24 * 500, "it does not play on over the cough: \(paused - before)")
        harness.userStops()
        harness.connection?.say(
            .inputAudioTranscriptionCompleted(
                TranscriptionCompleted(itemId: "user_1", transcript: "", usage: .duration(seconds: 1))))
        await harness.run(.seconds(4)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.events.count { $0 == .assistantAudioStarted } == 1)
        #expect(harness.events.count { $0 == .assistantAudioFinished } == 1)
        #expect(harness.responseRequests == 0)
        #expect(harness.truncations.isEmpty)
        #expect(session.conversationHistory().map(\.assistantWords) == ["One two three four."])
        let heard = harness.device.simulatedSpeaker.heard.filter { $0 != 0 }
        let spoken = PCMBlock.samples(littleEndian: SessionHarness.tone(milliseconds: 2_000)).filter { $0 != 0 }
        #expect(abs(heard.count - spoken.count) < 24, "\(heard.count) of \(spoken.count) samples")
        await harness.end(session)
    }

    @Test func aSentenceCutsTheVoiceWhereItWasHeardAndIsAnswered() async throws {
        let harness = SessionHarness()
        let session = try await Self.awake(harness)
        harness.speakAnswer("r1", item: "a1", transcript: "One two three four.", milliseconds: 3_000, finish: false)
        await harness.run(.milliseconds(1_500))
        harness.userSpeaks()
        await harness.hear(milliseconds: 800)
        await eventually("the answer is cut") { !harness.truncations.isEmpty }
        let cut = try #require(harness.truncations.first)
        #expect((1_200...1_600).contains(cut.audioEndMs), "the time it stood still was not heard: \(cut.audioEndMs)")
        harness.connection?.say(.responseDone(RealtimeResponse(id: "r1", status: .cancelled, conversationId: "conv")))
        harness.userStops()
        await eventually("the sentence is answered") { harness.responseRequests == 1 }
        #expect(harness.events.contains(.assistantAudioFinished))
        await harness.end(session)
    }

    @Test func aProviderThatAnswersByItselfKeepsItsInterruptionsAndTheAppIsTold() async throws {
        var connector = ScriptedProvider().connector
        connector.leavesTurnsToClient = false
        var config = AssistantConfig(provider: .managed())
        config.interruption = InterruptionConfig()
        let settings = SessionSettings(config: config, connector: connector, clock: ManualClock().port, seed: 1)
        #expect(settings.machine.interruption == nil)
        #expect(settings.problems.count == 1)
        guard case .set(let detection) = settings.update(SessionChoices(config)).input.turnDetection else {
            Issue.record("no turn detection")
            return
        }
        #expect(detection.createsResponse && detection.interruptsResponse)
    }

    @Test func protectedSpeechIsHeardInFull() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        async let said: Void = session.say("Mind the step.", interruptible: false)
        await eventually("it is asked for") { harness.responseRequests == 1 }
        guard
            case .responseCreate(let request)? = harness.sent.last(where: {
                if case .responseCreate = $0 { true } else { false }
            })
        else { return }
        harness.connection?.say(
            .responseCreated(RealtimeResponse(id: "r1", status: .inProgress, metadata: request?.metadata)))
        try await said
        harness.sendAudio("r1", item: "a1", SessionHarness.tone(milliseconds: 800))
        harness.connection?.say(.responseDone(RealtimeResponse(id: "r1", status: .completed)))
        await harness.run(.milliseconds(300))
        harness.userSpeaks()
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        let heard = harness.device.simulatedSpeaker.heard.count { $0 != 0 }
        #expect(heard > 24 * 780, "\(heard)")
        await harness.end(session)
    }
}

@Suite struct SessionPushToTalkTests {
    @Test func onlyTheTurnIsSentAndItIsCommittedAndAnswered() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { $0.turnTaking = .pushToTalk }
        #expect(harness.connection?.session.input.turnDetection == nil)
        await harness.hear(milliseconds: 300)
        #expect(harness.sentAudioMilliseconds == 0)
        try await session.beginTurn()
        await harness.hear(milliseconds: 500)
        async let ended: Void = session.endTurn()
        await eventually("the turn is committed") { harness.sent.contains(.inputAudioBufferCommit) }
        harness.connection?.say(.inputAudioBufferCommitted(BufferCommitted(itemId: "u1", previousItemId: nil)))
        try await ended
        await eventually("the turn is answered") { harness.responseRequests == 1 }
        let sent = harness.sentAudioMilliseconds
        #expect((440...520).contains(sent), "\(sent)")
        await harness.hear(milliseconds: 300)
        #expect(harness.sentAudioMilliseconds == sent)
        await harness.end(session)
    }

    @Test func aTurnThatIsTakenBackIsClearedAtTheProvider() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { $0.turnTaking = .pushToTalk }
        try await session.beginTurn()
        await harness.hear(milliseconds: 200)
        await session.cancelTurn()
        await eventually("the provider forgets it") { harness.sent.contains(.inputAudioBufferClear) }
        try await session.endTurn()
        #expect(!harness.sent.contains(.inputAudioBufferCommit))
        await harness.end(session)
    }

    @Test func turnsOfTheAppAreRefusedWhereTheSessionListensByItself() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        await #expect(throws: AssistantError.self) { try await session.beginTurn() }
        await harness.end(session)
    }
}

extension SessionHarness {
    /// The microphone hears a voice, or nothing, in blocks of 20 ms while the clock runs.
    fileprivate func hear(milliseconds: Int, amplitude: Double = 9_000) async {
        for block in 0..<milliseconds / 20 {
            let samples = (0..<320).map { index in
                let time = Double(block * 320 + index) / 16_000
                let swell = 0.55 + 0.45 * sin(time * 2 * .pi * 4)
                return Int16(amplitude * swell * sin(2 * .pi * 500 * time)) + Int16(index % 7)
            }
            _ = device.simulatedMicrophone.hear(samples)
            await run(.milliseconds(20))
        }
    }

    fileprivate var sentAudioMilliseconds: Int {
        (connection?.appendedBytes ?? 0) / 48
    }
}

extension Turn {
    fileprivate var assistantWords: String? {
        if case .assistantText(let text, _) = self { text } else { nil }
    }
}
