import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite(.timeLimit(.minutes(1))) struct SpeakTests {
    private static let second = FakeSynthesizer.Behaviour.speak([Int16](repeating: 1_000, count: 24_000))

    private func harness(_ behaviour: FakeSynthesizer.Behaviour = second) async -> AudioHarness {
        let harness = AudioHarness(synthesizer: FakeSynthesizer(behaviour))
        await harness.connect()
        return harness
    }

    @Test func speakReturnsWhenTheLastSampleWasHeard() async {
        let harness = await harness()
        let tally = Tally()
        let speaking = Task {
            defer { tally.add() }
            return await harness.audio.speak("hello", config: SpeakConfig())
        }
        await harness.untilWritten("the text")
        await harness.run { harness.heard.count >= 12_000 }
        #expect(tally.count == 0, "half of it is still to be heard")
        await harness.run { tally.count == 1 }
        #expect(await speaking.value.failure == nil)
        #expect(harness.heard.count == 24_000)
    }

    @Test func withoutWaitingSpeakReturnsAtOnceAndTheNextTextFollowsTheFirst() async {
        let harness = await harness()
        let first = await harness.audio.speak("one", config: SpeakConfig(waitForCompletion: false))
        #expect(first.failure == nil)
        #expect(harness.heard.isEmpty)
        let second = Task { await harness.audio.speak("two", config: SpeakConfig(volume: 0.5)) }
        await harness.run { harness.heard.count == 48_000 }
        #expect(await second.value.failure == nil)
        #expect(harness.heard.prefix(24_000).allSatisfy { $0 == 1_000 })
        #expect(harness.heard.suffix(24_000).allSatisfy { $0 == 500 })
    }

    @Test(arguments: [true, false])
    func cancelSpeakSilencesTheLoudspeakerAtOnce(waits: Bool) async {
        let harness = await harness()
        let speaking = Task { await harness.audio.speak("hello", config: SpeakConfig(waitForCompletion: waits)) }
        await harness.untilWritten("the text")
        await harness.run { harness.heard.count >= 4_800 }
        let heard = harness.heard.count
        await harness.audio.cancelSpeak()
        #expect(await speaking.value.failure == nil)
        harness.clock.advance(by: .seconds(2))
        #expect(harness.heard.count == heard)
        #expect(heard < 24_000)
    }

    @Test func aCancelledCallerSilencesItsOwnText() async {
        let harness = await harness()
        let speaking = Task { await harness.audio.speak("hello", config: SpeakConfig()) }
        await harness.untilWritten("the text")
        speaking.cancel()
        #expect(await speaking.value.failure == nil)
        let heard = harness.heard.count
        harness.clock.advance(by: .seconds(2))
        #expect(harness.heard.count == heard)
    }

    @Test func aTextThatIsCancelledWhileItWaitsLeavesTheOneBeforeWhole() async {
        let harness = await harness()
        let first = Task { await harness.audio.speak("one", config: SpeakConfig()) }
        await harness.untilWritten("the first text")
        let second = Task { await harness.audio.speak("two", config: SpeakConfig()) }
        second.cancel()
        await harness.run { harness.heard.count == 24_000 }
        #expect(await first.value.failure == nil)
        #expect(await second.value.failure == nil)
        harness.clock.advance(by: .seconds(2))
        #expect(harness.heard.count == 24_000)
    }

    @Test func aCancellationAtAnyMomentEndsTheUtteranceThoughTheClockStandsStill() async {
        let harness = await harness()
        for round in 0..<100 {
            let speaking = Task { await harness.audio.speak("hello", config: SpeakConfig()) }
            for _ in 0..<round % 10 { await Task.yield() }
            if round % 2 == 0 { speaking.cancel() }
            await harness.audio.cancelSpeak()
            // A cancellation that came before the text was taken does not end it.
            speaking.cancel()
            #expect(await speaking.value.failure == nil)
        }
        let heard = harness.heard.count
        harness.clock.advance(by: .seconds(2))
        #expect(harness.heard.count == heard)
    }

    @Test func moreThan64WaitingTextsAreRefused() async {
        let harness = await harness(.hang)
        await withTaskGroup(of: ExtentosResult<Void, AudioError>.self) { group in
            for _ in 0...AudioDriver.utteranceLimit {
                group.addTask { await harness.audio.speak("hello", config: SpeakConfig()) }
            }
            let first = await group.next()
            guard case .failure(.platformError("speech_busy", _))? = first else {
                Issue.record("the last one is refused")
                return group.cancelAll()
            }
            await harness.audio.cancelSpeak()
            for await result in group { #expect(result.failure == nil) }
        }
    }

    @Test func withoutADeviceOrAnEngineSpeakSaysWhatIsMissing() async {
        let engineless = AudioHarness()
        #expect(await engineless.audio.speak("hello", config: SpeakConfig()).failure == .notConnected)
        await engineless.connect()
        #expect(await engineless.audio.speak("hello", config: SpeakConfig()).failure == .noSpeechEngine)
        let broken = await harness(.fail)
        let failed = await broken.audio.speak("hello", config: SpeakConfig())
        guard case .failure(.platformError("speech_failed", _)) = failed else {
            Issue.record("an engine's failure is told")
            return
        }
        let long = await broken.audio.speak(String(repeating: "a", count: 10_001), config: SpeakConfig())
        guard case .failure(.platformError("text_too_long", _)) = long else {
            Issue.record("a text without end is refused")
            return
        }
    }

    @Test(arguments: [(Float(1), Int16(1_000)), (0.5, 500), (0, 0), (7, 1_000), (-1, 0), (.nan, 1_000)])
    func theVolumeIsAGainFromSilenceToFull(volume: Float, sample: Int16) async {
        let harness = await harness(.speak([Int16](repeating: 1_000, count: 2_400)))
        let speaking = Task { await harness.audio.speak("hello", config: SpeakConfig(volume: volume)) }
        await harness.run { harness.heard.count == 2_400 }
        #expect(await speaking.value.failure == nil)
        #expect(harness.heard == [Int16](repeating: sample, count: 2_400))
    }

    @Test func aLostDeviceEndsWhatIsBeingSpoken() async {
        let harness = await harness()
        let speaking = Task { await harness.audio.speak("hello", config: SpeakConfig()) }
        await harness.untilWritten("the text")
        await harness.output.setConnected(false)
        #expect(await speaking.value.failure == nil)
    }
}
