import Foundation
import GlassesDomain
import GlassesPluginHost
import SoundServer
import Testing

extension RealTimeTests {
    /// The built plugin in its confined child, on a sound server.
    @Suite(.serialized) struct ConfinedDeviceTests {
        @Test func inItsChildItHearsAndPlaysThroughASoundServer() async throws {
            try await PrivatePulse.with { pulse in
                let heard = try await MonitorRecording(pulse)
                defer { heard.stop() }
                let harness = try await PluginHarness(Self.settings(pulse), isolation: .process)
                let connected = await harness.transport.connect(deviceId: nil)
                #expect(connected.failure == nil, "\(String(describing: connected.failure))")
                let (mic, spk) = (try #require(harness.transport.microphone), try #require(harness.transport.speaker))
                let blocks = Blocks()
                #expect(await mic.open { blocks.add($0) }.failure == nil)
                #expect(await spk.open { _ in }.failure == nil)
                let start = heard.frameCount
                #expect(spk.write(Signal.sine(1_000, frames: 48_000)[...]) == 48_000)
                let player = try pulse.play(Signal.sine(600, frames: 96_000), to: "mic")
                defer { player.end() }
                let isHeard = await eventually(within: 20) {
                    !Signal.loudRuns(heard.samples(from: start)).filter { $0.count > 40_000 }.isEmpty
                }
                #expect(isHeard)
                let isCaptured = await eventually(within: 20) {
                    Signal.loudRuns(blocks.all.flatMap(\.samples)).contains { $0.count > 24_000 }
                }
                #expect(isCaptured)
                await harness.transport.shutdown()
                let captured = blocks.all.flatMap(\.samples)
                let run = try #require(Signal.loudRuns(captured).max { $0.count < $1.count })
                #expect(abs(Signal.pitch(Array(captured[run])) - 600) < 5)
                let played = heard.samples(from: start)
                let loud = try #require(Signal.loudRuns(played).max { $0.count < $1.count })
                #expect(abs(Signal.pitch(Array(played[loud])) - 1_000) < 5)
                #expect(harness.complaints.all.isEmpty)
            }
        }

        @Test func withoutMicrophoneAndSpeakerItReachesNoSoundServer() async throws {
            try await PrivatePulse.with { pulse in
                let store = PluginGrantsStore(path: SoundLab.folder.path + "/revoked/plugin-grants.json")
                let everySound = PluginGrantChange(permissions: [.microphone, .speaker])
                try store.revoke(everySound, from: try await PluginHarness.plugin())
                let harness = try await PluginHarness(Self.settings(pulse), isolation: .process, grants: store)
                #expect(await harness.transport.connect(deviceId: nil).failure != nil)
                await harness.transport.shutdown()
                try store.grant(everySound, to: try await PluginHarness.plugin())
                let granted = try await PluginHarness(Self.settings(pulse), isolation: .process, grants: store)
                #expect(await granted.transport.connect(deviceId: nil).failure == nil)
                await granted.transport.shutdown()
            }
        }

        private static func settings(_ pulse: PrivatePulse) -> JSONValue {
            ["microphone": .string(pulse.microphone), "speaker": .string(pulse.speaker)]
        }
    }
}
