import CGlassesPlugin
import GlassesPluginKit
import SoundServer
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    @Suite struct PulseStreamTests {
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
                #expect(abs(Signal.pitch(Array(samples[runs[0]])) - 1_000) < 1)
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
                #expect(abs(Signal.pitch(Array(recording.samples[runs[0]])) - 1_000) < 1)
                #expect(harness.reports.isEmpty)
            }
        }

        @Test func positionsAdvanceAtTheNominalRateWithoutAStepBack() async throws {
            try await PrivatePulse.with { pulse in
                let recording = try await MonitorRecording(pulse)
                let harness = StreamHarness(.speaker(pulse.speaker))
                #expect(await harness.start() == nil)
                harness.ring.write(Signal.level(8_000, frames: 72_000)[...])
                #expect(await eventually(within: 3) { harness.ring.playback.played_position > 2_400 })
                var reports: [glasses_playback] = []
                _ = await eventually(within: 3) {
                    let report = harness.ring.playback
                    if report.played_t_ns != reports.last?.played_t_ns { reports.append(report) }
                    return report.played_position > 67_000
                }
                recording.stop()
                #expect(await harness.stop() == nil)
                harness.end()
                try #require(reports.count > 50)
                #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.played_position <= $1.played_position })
                #expect(reports.allSatisfy { $0.is_advancing == 1 })
                // Where a host that extrapolates from one report is when the next one comes, in frames.
                let steps = zip(reports, reports.dropFirst()).map { report, next in
                    next.played_position - report.played_position - (next.played_t_ns - report.played_t_ns) * 48
                        / 1_000_000
                }
                #expect(steps.map(abs).sorted()[steps.count * 9 / 10] < 48 * 10, "\(steps)")
                let (first, last) = (reports[0], reports[reports.count - 1])
                let rate =
                    Double(last.played_position - first.played_position) * 1e9
                    / Double(last.played_t_ns - first.played_t_ns)
                #expect(abs(rate - 48_000) < 1_000)
            }
        }

        @Test func aFrameIsHeardWithinTheBufferAndAPeriodAfterItWasWritten() async throws {
            try await PrivatePulse.with { pulse in
                let harness = StreamHarness(.speaker(pulse.speaker))
                let recording = try await MonitorRecording(pulse)
                #expect(await harness.start() == nil)
                try await Task.sleep(for: .milliseconds(300))
                let written = monotonicNow()
                harness.ring.write(Signal.level(8_000, frames: 4_800)[...])
                #expect(await eventually(within: 2) { harness.ring.playback.played_position >= 480 })
                let playback = harness.ring.playback
                let begin = playback.played_t_ns - playback.played_position * 1_000_000 / 48
                let latency = Double(begin - written) / Double(millisecond)
                #expect((0...100).contains(latency), "\(latency) ms")
                recording.stop()
                #expect(await harness.stop() == nil)
                harness.end()
            }
        }

        @Test func aSinkThatTheServerDoesNotHaveRefusesTheStartWithTheDevicesName() async throws {
            try await PrivatePulse.with { pulse in
                let harness = StreamHarness(.speaker(pulse.missingSink))
                let failure = await harness.start()
                #expect(failure?.code == "device_failed")
                #expect(failure?.message.contains(pulse.missingSink) == true)
                harness.end()
            }
        }

        @Test func aServerThatDoesNotRunIsNamedAsTheReason() async throws {
            let pulse = try PrivatePulse()
            let harness = StreamHarness(.speaker(pulse.speaker))
            #expect(await harness.start()?.code == "sound_server_unreachable")
            harness.end()
        }
    }
}
