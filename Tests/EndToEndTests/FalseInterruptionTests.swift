import GlassesDomain
import SoundServer
import Testing

/// Sounds over an answer on real sound devices: what a recorder at the loudspeaker hears of the answer.
@Suite(.serialized) struct FalseInterruptionTests {
    /// The answer's clicks: 2 s with one every 100 ms.
    private static let clicks = 20

    @Test(.timeLimit(.minutes(1)))
    func aCoughLosesNoPartOfTheAnswerAndASentenceCutsIt() async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse) { $0.interruption = InterruptionConfig() }
            let before = recording.frameCount
            conversation.answer(1, seconds: 2)
            try await Task.sleep(for: .milliseconds(1_200))
            try await conversation.cough(1, in: pulse)
            try await Task.sleep(for: .milliseconds(2_500))
            let heard = recording.samples(from: before)
            let first = try #require(heard.firstIndex { abs(Int($0)) > 500 })
            let last = try #require(heard.lastIndex { abs(Int($0)) > 500 })
            // One may fall under the fade in with which the voice goes on, and be too soft to be counted.
            let clicks = ScriptedConversation.clicks(in: heard[first...last]).count
            #expect((Self.clicks - 1...Self.clicks).contains(clicks), "\(clicks)")
            #expect(last - first > 48 * 2_200, "it stood still for a while: \((last - first) / 48) ms")
            #expect(conversation.requests == 0)
            conversation.answer(2)
            try await Task.sleep(for: .milliseconds(1_500))
            let sentence = try pulse.play(ScriptedConversation.babble(milliseconds: 1_200), to: "mic")
            let cut = try await conversation.interrupt(2)
            #expect((500...2_000).contains(cut), "\(cut)")
            sentence.end()
            recording.stop()
            await conversation.end()
        }
    }
}
