import SeededRandom
import CGlassesPlugin
import SoundServer
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    @Suite struct PulseFlushTests {
        /// Frames of a millisecond.
        private static let millisecondFrames = 48

        @Test(.timeLimit(.minutes(2)))
        func fiftyFlushesAtRandomMomentsTellWhatTheMonitorHeard() async throws {
            try await PrivatePulse.with { pulse in
                let recording = try await MonitorRecording(pulse)
                let harness = StreamHarness(.speaker(pulse.speaker))
                #expect(await harness.start() == nil)
                var generator = SeededGenerator(seed: 2)
                var told: [Int64] = []
                for flush in UInt64(1)...50 {
                    let before = harness.ring.written
                    // One second, which no round hears to its end.
                    #expect(await harness.ring.play(Signal.level(8_000, frames: 48_000)))
                    let wait = Int.random(in: 80...300, using: &generator)
                    try await Task.sleep(for: .milliseconds(wait))
                    let took = try #require(await harness.flush(flush))
                    #expect(took < 100)
                    told.append(harness.ring.playback.flushed_position - before)
                    try await Task.sleep(for: .milliseconds(120))
                }
                try await Task.sleep(for: .milliseconds(300))
                recording.stop()
                await harness.stop()
                harness.end()
                // A busy machine may starve the server for some milliseconds within a run; between runs lie 100 ms.
                let heard = Signal.loudRuns(recording.samples, gap: 30 * Self.millisecondFrames).map { Int64($0.count) }
                try #require(heard.count == told.count)
                let errors = zip(told, heard).map { Int($0 - $1) / Self.millisecondFrames }.sorted()
                // At most 10 ms more than was heard, and 60 ms less; usually ALSA's delay reads 5 to 10 ms too high.
                #expect(errors.allSatisfy { (-60...10).contains($0) }, "told minus heard in ms: \(errors)")
                #expect((-20...5).contains(errors[errors.count / 2]))
                #expect(harness.reports.isEmpty)
            }
        }
    }
}
