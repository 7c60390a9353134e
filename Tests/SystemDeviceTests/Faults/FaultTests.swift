import CGlassesPlugin
import GlassesPluginKit
import Foundation
import SoundServer
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    /// Faults of real ALSA calls, by the fault PCM.
    @Suite(.serialized) struct FaultTests {
        private static func microphone(_ device: FaultPCM) -> StreamHarness {
            StreamHarness(.microphone(device.name), timing: StreamTiming(periodMs: 10, bufferMs: 200))
        }

        private static func speaker(_ device: FaultPCM) -> StreamHarness { StreamHarness(.speaker(device.name)) }

        @Test(arguments: [
            ("absent", "device_missing"), ("busy", "device_busy"), ("denied", "device_denied"),
            ("block", "device_timeout"),
        ])
        func aDeviceThatCannotBeOpenedRefusesTheStartWithItsReason(command: String, code: String) async {
            let device = FaultPCM(command)
            for harness in [Self.microphone(device), Self.speaker(device)] {
                let began = ContinuousClock.now
                let failure = await harness.start()
                #expect(failure?.code == code)
                #expect(failure?.message.contains(device.name) == true)
                #expect(ContinuousClock.now - began < .seconds(2))
                #expect(harness.reports.isEmpty)
                harness.end()
            }
            device.set("")
        }

        @Test func aNameThatNoDeviceHasIsRefusedWithTheCommandThatListsThem() async {
            SoundLab.prepare()
            for port in [StreamPort.microphone("nowhere"), .speaker("nowhere"), .speaker("hw:CARD=Nowhere")] {
                let harness = StreamHarness(port)
                let failure = await harness.start()
                #expect(failure?.code == "device_missing")
                #expect(failure?.message.contains("glasses devices") == true)
                harness.end()
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func aMicrophonePulledOutInMidSpeechComesBackAtAnotherRateByItself() async throws {
            let device = FaultPCM("rate=16000 channels=1")
            let harness = Self.microphone(device)
            #expect(await harness.start() == nil)
            #expect(await harness.ring.collect(48_000, within: 3).count >= 48_000)
            device.set("gone")
            #expect(await eventually(within: 2) { harness.reports == [.lost("device_missing")] })
            _ = harness.ring.take()
            try await Task.sleep(for: .milliseconds(600))
            #expect(harness.ring.take().isEmpty)
            device.set("rate=48000 channels=2 format=S32_LE")
            #expect(await eventually(within: 5) { harness.reports == [.lost("device_missing"), .back] })
            let samples = await harness.ring.collect(48_000, within: 3)
            #expect(samples.count >= 48_000)
            #expect(abs(Signal.pitch(samples.suffix(40_000)) - 1_000) < 5)
            let times = harness.ring.marks.map(\.t_ns)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(zip(times, times.dropFirst()).contains { $1 - $0 > 500 * millisecond })
            #expect(await harness.stop() == nil)
            harness.end()
        }

        @Test(.timeLimit(.minutes(1)))
        func aSpeakerPulledOutInMidPlayComesBackAndGoesOnWithTheRest() async throws {
            let device = FaultPCM()
            let harness = Self.speaker(device)
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(8_000, frames: 48_000)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position > 9_600 })
            device.set("gone")
            #expect(await eventually(within: 2) { harness.reports == [.lost("device_missing")] })
            #expect(await eventually(within: 1) { harness.ring.playback.is_advancing == 0 })
            let lost = harness.ring.playback.played_position
            device.set("")
            #expect(await eventually(within: 5) { harness.reports == [.lost("device_missing"), .back] })
            #expect(await eventually(within: 3) { harness.ring.playback.played_position == 48_000 })
            #expect(lost < 48_000)
            #expect(await harness.stop() == nil)
            harness.end()
        }

        @Test(.timeLimit(.minutes(1)), arguments: [("block", "device_timeout"), ("frozen", "device_stalled")])
        func aSpeakerThatHangsOrStandsStillIsGivenUpAndReturnsWhenItAnswers(command: String, code: String) async throws
        {
            let device = FaultPCM()
            let harness = Self.speaker(device)
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(8_000, frames: 9_600)[...])
            // Past the time in which a device that was just started may stand still.
            try await Task.sleep(for: .milliseconds(2_700))
            harness.ring.write(Signal.level(8_000, frames: 48_000)[...])
            device.set(command)
            let began = ContinuousClock.now
            #expect(await eventually(within: 3) { harness.reports == [.lost(code)] })
            #expect(ContinuousClock.now - began < .milliseconds(1_600))
            device.set("")
            #expect(await eventually(within: 6) { harness.reports.last == .back })
            #expect(await eventually(within: 3) { harness.ring.playback.played_position == 57_600 })
            #expect(await harness.stop() == nil)
            harness.end()
        }

        @Test(.timeLimit(.minutes(1)))
        func flushAndStopKeepTheirBoundsWhileEveryDeviceCallHangs() async throws {
            let device = FaultPCM()
            let harness = Self.speaker(device)
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(8_000, frames: 48_000)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position > 4_800 })
            device.set("block")
            let before = harness.ring.playback.played_position
            let took = try #require(await harness.flush(1))
            #expect(took < 100)
            let playback = harness.ring.playback
            #expect(playback.flushed_position >= before)
            #expect(playback.flushed_position <= before + 48 * 200)
            #expect(playback.played_position == harness.ring.written)
            let began = ContinuousClock.now
            #expect(await harness.stop() == nil)
            harness.end()
            #expect(ContinuousClock.now - began < .seconds(1))
            device.set("")
        }

        @Test(.timeLimit(.minutes(1)))
        func threeUnderrunsAreCountedAndLoseNothing() async throws {
            let device = FaultPCM("channels=1")
            let harness = Self.speaker(device)
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(8_000, frames: 96_000)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position > 9_600 })
            let natural = harness.ring.xruns
            device.set("channels=1 epipe=3 serial=1")
            #expect(await eventually(within: 2) { harness.ring.xruns >= natural + 3 })
            #expect(await eventually(within: 4) { harness.ring.playback.played_position == 96_000 })
            #expect(harness.ring.xruns < natural + 10)
            #expect(harness.reports.isEmpty)
            #expect(await harness.stop() == nil)
            harness.end()
            let loud = device.played.withUnsafeBytes { bytes in bytes.bindMemory(to: Int16.self).count { $0 == 8_000 } }
            #expect(loud == 96_000)
        }

        @Test(.timeLimit(.minutes(1)))
        func aStormOfUnderrunsOpensTheDeviceAnewWithoutALoss() async throws {
            let device = FaultPCM("channels=1")
            let harness = Self.speaker(device)
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(8_000, frames: 96_000)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position > 4_800 })
            device.set("channels=1 epipe=14 serial=1")
            #expect(await eventually(within: 6) { harness.ring.playback.played_position == 96_000 })
            #expect(harness.ring.xruns >= 11)
            #expect(harness.reports.isEmpty)
            #expect(await harness.stop() == nil)
            harness.end()
        }
    }
}
