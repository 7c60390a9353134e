import SeededRandom
import SoundServer
import Testing

/// A hundred interruptions at random moments, judged by what a recorder at the loudspeaker heard.
@Suite(.serialized) struct BargeInTests {
    /// Frames of a millisecond in the recording.
    private static let millisecond = 48
    /// The device's buffer, which the cut drops: what the sound server holds behind it is heard a little longer.
    private static let deviceBufferMs = 50
    private static let cuts = 100

    @Test(.timeLimit(.minutes(4)))
    func aHundredCutsStopTheSoundInTimeAndTellWhereItWasCut() async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse)
            var generator = SeededGenerator(seed: 20_261_130)
            var silenced: [Double] = []
            var errors: [Double] = []
            for round in 1...Self.cuts {
                let before = recording.frameCount
                conversation.answer(round)
                let wait = Int.random(in: 150...1_500, using: &generator)
                try await Task.sleep(for: .milliseconds(400 + wait))
                let spokeAt = recording.frameCount
                let cut = try await conversation.interrupt(round)
                try await Task.sleep(for: .milliseconds(250))
                let heard = recording.samples(from: before)
                let last = try #require(heard.lastIndex { abs(Int($0)) > 500 }, "round \(round) was heard")
                silenced.append(Double(before + last - spokeAt) / Double(Self.millisecond))
                errors.append(Double(cut) - Self.playedMilliseconds(heard))
            }
            recording.stop()
            await conversation.end()
            let late = silenced.sorted()[Self.cuts * 99 / 100 - 1]
            print("barge-in: last voiced sample after speech_started, ms: p50 \(silenced.sorted()[50]), p99 \(late)")
            print("barge-in: audio_end_ms minus heard, ms: \(errors.min() ?? 0) … \(errors.max() ?? 0)")
            #expect(late <= Double(40 + Self.deviceBufferMs))
            #expect(errors.allSatisfy { $0 <= 10 && $0 >= -60 })
        }
    }

    /// The position in the answer at which the recording ends: its clicks come every 100 ms on a tone that tells what lies between.
    private static func playedMilliseconds(_ heard: [Int16]) -> Double {
        guard let first = heard.firstIndex(where: { abs(Int($0)) > 500 }),
            let last = heard.lastIndex(where: { abs(Int($0)) > 500 })
        else { return 0 }
        let clicks = ScriptedConversation.clicks(in: heard[first...last])
        // The sound server may insert silence; from the last click on it is too short to matter.
        guard let click = clicks.last else { return Double(last - first + 1) / Double(millisecond) }
        return Double(clicks.count - 1) * 100 + Double(last - click + 1) / Double(millisecond)
    }
}
