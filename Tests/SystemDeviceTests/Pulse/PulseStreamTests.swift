import CGlassesPlugin
import Testing

@testable import SystemDeviceStreams

/// The tests that need a sound server. One after another: each needs two quiet cores for its timing.
@Suite(.serialized) enum PulseTests {}

extension PulseTests {
    @Suite struct Streams {
        @Test func whatIsPlayedToTheMicrophoneArrivesInTheRingCompleteAndAtItsPitch() async throws {
            try await PrivatePulse.with { pulse in
                let recording = try await MonitorRecording(pulse, device: "mic.monitor")
                let harness = StreamHarness(
                    .microphone(pulse.microphone), timing: StreamTiming(periodMs: 10, bufferMs: 200))
                #expect(await harness.start() == nil)
                let player = try pulse.play(Signal.sine(1_000, frames: 96_000), to: "mic")
                let samples = await harness.ring.collect(168_000, within: 6)
                player.end()
                recording.stop()
                #expect(await harness.stop() == nil)
                harness.end()
                let runs = Signal.loudRuns(samples)
                try #require(runs.count == 1)
                // The sine begins and ends below the threshold.
                #expect((95_950...96_000).contains(runs[0].count))
                #expect(abs(Signal.peak(Array(samples[runs[0]])) - 1_000) < 1)
                #expect(harness.ring.xruns == 0)
                #expect(harness.reports.isEmpty)
            }
        }

        @Test func whatIsWrittenToTheSpeakerIsHeardOnItsMonitorOnceAndWhole() async throws {
            try await PrivatePulse.with { pulse in
                let recording = try await MonitorRecording(pulse)
                let harness = StreamHarness(.speaker(pulse.speaker))
                #expect(await harness.start() == nil)
                #expect(await harness.ring.play(Signal.sine(1_000, frames: 48_000)))
                #expect(await eventually(within: 5) { harness.ring.playback.played_position == 48_000 })
                #expect(await eventually(within: 1) { harness.ring.playback.is_advancing == 0 })
                #expect(await eventually(within: 2) { Signal.loudRuns(recording.samples).last?.count ?? 0 > 47_900 })
                recording.stop()
                #expect(await harness.stop() == nil)
                harness.end()
                let runs = Signal.loudRuns(recording.samples)
                try #require(runs.count == 1)
                #expect((47_950...48_000).contains(runs[0].count))
                #expect(abs(Signal.peak(Array(recording.samples[runs[0]])) - 1_000) < 1)
                #expect(harness.reports.isEmpty)
            }
        }
    }
}
