import GlassesDomain
import GlassesRuntime
import SoundServer
import Testing

/// A sound server that does not answer while the assistant speaks.
@Suite(.serialized) struct StoppedServerTests {
    @Test(.timeLimit(.minutes(1)))
    func aServerStoppedForTenSecondsHoldsUpNoCutAndSoundReturnsByItself() async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse)
            conversation.answer(1)
            #expect(await eventually(within: 2) { conversation.journal.audible.started == 1 })
            pulse.freeze()
            let frozen = ContinuousClock.now
            let cutting = await time { await conversation.session.cancelSpeak() }
            #expect(cutting < .milliseconds(500))
            #expect(await eventually(within: 1) { conversation.journal.audible.finished == 1 })
            _ = await eventually(within: 12) { ContinuousClock.now - frozen > .seconds(10) }
            pulse.thaw()

            #expect(await eventually(within: 6) { conversation.glasses.connection.state.current.active != nil })
            let before = recording.frameCount
            conversation.answer(2, seconds: 1)
            #expect(await eventually(within: 6) { conversation.journal.audible.finished == 2 })
            #expect(
                await eventually(within: 3) {
                    let heard = recording.samples(from: before)
                    return ScriptedConversation.clicks(in: heard[...]).count >= 9
                })
            #expect(conversation.journal.states == [.active], "the session stayed awake")
            print("a stopped sound server: cancelSpeak() took \(cutting)")
            recording.stop()
            await conversation.end()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func stopKeepsItsBoundInMidAnswerOfAStoppedServer() async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse)
            conversation.answer(1)
            #expect(await eventually(within: 2) { conversation.journal.audible.started == 1 })
            pulse.freeze()
            let stopping = await time { await conversation.session.stop() }
            #expect(stopping < .milliseconds(2_500))
            #expect(conversation.session.state.current == .stopped)
            let ending = await time { await conversation.glasses.shutdown() }
            #expect(ending < .milliseconds(5_500))
            print("a stopped sound server: stop() took \(stopping), shutdown() \(ending)")
            recording.stop()
        }
    }

    private func time(_ body: () async -> Void) async -> Duration {
        let began = ContinuousClock.now
        await body()
        return ContinuousClock.now - began
    }
}
