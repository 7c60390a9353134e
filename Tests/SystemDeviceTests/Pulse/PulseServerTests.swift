import CGlassesPlugin
import GlassesPluginKit
import SoundServer
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    @Suite struct PulseServerTests {
        @Test(.timeLimit(.minutes(1)))
        func aServerKilledInMidPlayIsReportedAndSoundReturnsWithTheNextOne() async throws {
            try await PrivatePulse.with { pulse in
                let harness = StreamHarness(.speaker(pulse.speaker))
                #expect(await harness.start() == nil)
                #expect(await harness.ring.play(Signal.sine(440, frames: 96_000)))
                pulse.kill()
                #expect(await eventually(within: 2) { !harness.reports.isEmpty })
                #expect(await eventually(within: 1) { harness.ring.playback.is_advancing == 0 })
                let stuck = harness.ring.playback.played_position
                try await pulse.start()
                #expect(await eventually(within: 6) { harness.reports.last == .back })
                let recording = try await MonitorRecording(pulse)
                #expect(await harness.ring.play(Signal.sine(440, frames: 96_000)))
                #expect(await eventually(within: 6) { harness.ring.playback.played_position > stuck + 48_000 })
                #expect(await eventually(within: 4) { Signal.loudRuns(recording.samples).last?.count ?? 0 > 40_000 })
                recording.stop()
                await harness.stop()
                harness.end()
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func aServerKilledInMidCaptureIsReportedAndCaptureReturnsWithTheNextOne() async throws {
            try await PrivatePulse.with { pulse in
                let harness = StreamHarness(
                    .microphone(pulse.microphone), timing: StreamTiming(periodMs: 10, bufferMs: 200))
                #expect(await harness.start() == nil)
                #expect(await harness.ring.collect(4_800, within: 2).count >= 4_800)
                pulse.kill()
                #expect(await eventually(within: 2) { !harness.reports.isEmpty })
                try await pulse.start()
                #expect(await eventually(within: 6) { harness.reports.last == .back })
                _ = harness.ring.take()
                #expect(await harness.ring.collect(48_000, within: 3).count >= 48_000)
                await harness.stop()
                harness.end()
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func aServerStoppedForTenSecondsKeepsNobodyWaitingAndSoundReturnsByItself() async throws {
            try await PrivatePulse.with { pulse in
                let recording = try await MonitorRecording(pulse)
                let speaker = StreamHarness(.speaker(pulse.speaker))
                let microphone = StreamHarness(
                    .microphone(pulse.microphone), timing: StreamTiming(periodMs: 10, bufferMs: 200))
                #expect(await speaker.start() == nil)
                #expect(await microphone.start() == nil)
                #expect(await microphone.ring.collect(4_800, within: 4).count >= 4_800)
                #expect(await speaker.ring.play(Signal.sine(440, frames: 96_000)))
                pulse.freeze()
                let began = ContinuousClock.now
                for flush in UInt64(1)...20 {
                    let before = speaker.ring.playback.played_position
                    let took = try #require(await speaker.flush(flush))
                    #expect(took < 100)
                    let cut = speaker.ring.playback.flushed_position
                    #expect(cut >= before && cut <= speaker.ring.written)
                    try await Task.sleep(for: .milliseconds(400))
                }
                #expect(await eventually(within: 3) { speaker.reports.first == .lost("device_timeout") })
                #expect(microphone.reports.count == 1)
                _ = await eventually(within: 12) { ContinuousClock.now - began > .seconds(10) }
                pulse.thaw()
                #expect(
                    await eventually(within: 5) { speaker.reports.last == .back && microphone.reports.last == .back })
                let before = recording.samples.count
                #expect(await speaker.ring.play(Signal.sine(440, frames: 48_000)))
                #expect(
                    await eventually(within: 4) {
                        Signal.loudRuns(Array(recording.samples.dropFirst(before))).last?.count ?? 0 > 47_000
                    })
                _ = microphone.ring.take()
                #expect(await microphone.ring.collect(48_000, within: 3).count >= 48_000)
                recording.stop()
                await speaker.stop()
                await microphone.stop()
                speaker.end()
                microphone.end()
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func stopAnswersWithinItsBoundWhileTheServerIsStopped() async throws {
            try await PrivatePulse.with { pulse in
                let speaker = StreamHarness(.speaker(pulse.speaker))
                let microphone = StreamHarness(
                    .microphone(pulse.microphone), timing: StreamTiming(periodMs: 10, bufferMs: 200))
                #expect(await speaker.start() == nil)
                #expect(await microphone.start() == nil)
                #expect(await speaker.ring.play(Signal.sine(440, frames: 48_000)))
                pulse.freeze()
                let began = ContinuousClock.now
                #expect(await speaker.stop() == nil)
                #expect(await microphone.stop() == nil)
                speaker.end()
                microphone.end()
                #expect(ContinuousClock.now - began < .seconds(2))
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func aStartWhileTheServerIsStoppedIsRefusedWithinTwoSeconds() async throws {
            try await PrivatePulse.with { pulse in
                pulse.freeze()
                let speaker = StreamHarness(.speaker(pulse.speaker))
                let began = ContinuousClock.now
                #expect(await speaker.start()?.code == "device_timeout")
                #expect(ContinuousClock.now - began < .seconds(2))
                speaker.end()
            }
        }
    }
}
