import Foundation
import GlassesDomain
import GlassesPluginHost
import SoundServer
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    /// The built plugin through the whole host, on the fault PCM.
    @Suite(.serialized) struct PluginTests {
        private static func settings(_ microphone: String, _ speaker: String) -> JSONValue {
            ["microphone": .string(microphone), "speaker": .string(speaker)]
        }

        @Test func itTellsTheFactsOfAMachinesSound() async throws {
            let harness = try await PluginHarness([:])
            let facts = harness.transport.facts
            #expect(facts.id == "org.extentos.system-device")
            #expect(facts.device.id == "system_audio")
            #expect(facts.device.vendor == "system_audio")
            #expect(
                facts.capabilities
                    == DeviceCapabilitySet(camera: false, microphone: true, speaker: true, display: false))
            #expect(facts.microphoneRate == 48_000)
            #expect(facts.speakerRate == 48_000)
            await harness.transport.shutdown()
            #expect(harness.complaints.all.isEmpty)
        }

        @Test func whatTheDeviceHearsArrivesAndWhatIsWrittenIsPlayed() async throws {
            let (microphone, speaker) = (FaultPCM("rate=16000 channels=1"), FaultPCM("rate=44100 channels=2"))
            // Both devices have the same sine, which would be taken for an echo.
            let harness = try await PluginHarness([
                "microphone": .string(microphone.name), "speaker": .string(speaker.name), "echoCancellation": "off",
            ])
            let device = try #require(await harness.transport.connect(deviceId: nil).success)
            #expect(device.id == "system_audio")
            let (mic, spk) = (try #require(harness.transport.microphone), try #require(harness.transport.speaker))
            let blocks = Blocks()
            #expect(await mic.open { blocks.add($0) }.failure == nil)
            #expect(await spk.open { _ in }.failure == nil)
            #expect(spk.write(Signal.sine(1_000, frames: 48_000)[...]) == 48_000)
            #expect(await eventually(within: 4) { blocks.frames >= 48_000 })
            #expect(await eventually(within: 4) { !Signal.loudRuns(speaker.stereoLeft, gap: 200).isEmpty })
            try await Task.sleep(for: .milliseconds(300))
            let position = await spk.flush()
            #expect(position.frame <= 48_000)
            await mic.close()
            await spk.close()
            await harness.transport.shutdown()
            #expect(blocks.all.allSatisfy { $0.sampleRate == 48_000 && (480...1_920).contains($0.samples.count) })
            #expect(abs(Signal.pitch(blocks.all.flatMap(\.samples).suffix(40_000)) - 1_000) < 2)
            let run = try #require(Signal.loudRuns(speaker.stereoLeft, gap: 200).first)
            #expect(abs(Signal.pitch(Array(speaker.stereoLeft[run]), rate: 44_100) - 1_000) < 2)
            #expect(harness.complaints.all.isEmpty)
        }

        @Test(arguments: [
            ("absent", "device_missing", "glasses devices"), ("busy", "device_busy", "another program"),
            ("", "device_missing", "nowhere"),
        ])
        func aConnectWithoutItsDeviceFailsWithACodeAndASentence(command: String, code: String, words: String)
            async throws
        {
            let device = FaultPCM(command)
            let speaker = command.isEmpty ? "nowhere" : device.name
            let harness = try await PluginHarness(Self.settings("null", speaker))
            let failure = try #require(await harness.transport.connect(deviceId: nil).failure)
            guard case .transportFailure(let told, let message) = failure else {
                Issue.record("\(failure)")
                return
            }
            #expect(told == code)
            #expect(message.contains(words))
            #expect(message.contains(speaker))
            // The device comes; the same transport connects.
            if !command.isEmpty {
                device.set("")
                #expect(await harness.transport.connect(deviceId: nil).failure == nil)
            }
            await harness.transport.shutdown()
            #expect(harness.complaints.all.isEmpty)
        }

        @Test func aDeviceThatMayNotBeOpenedIsAMatterOfPermission() async throws {
            let device = FaultPCM("denied")
            let harness = try await PluginHarness(Self.settings(device.name, device.name))
            #expect(await harness.transport.connect(deviceId: nil).failure == .permissionDenied)
            await harness.transport.shutdown()
        }

        @Test func aConnectToAHangingServerEndsInThreeSecondsAndShutdownInTwo() async throws {
            let device = FaultPCM("block")
            let harness = try await PluginHarness(Self.settings(device.name, device.name))
            let began = ContinuousClock.now
            let failure = await harness.transport.connect(deviceId: nil).failure
            #expect(failure?.code == "device_timeout")
            #expect(ContinuousClock.now - began < .seconds(4))
            let ending = ContinuousClock.now
            await harness.transport.shutdown()
            #expect(ContinuousClock.now - ending < .seconds(2))
            device.set("")
            #expect(harness.complaints.all.isEmpty)
        }

        @Test func shutdownEndsInTwoSecondsWhileBothStreamsHang() async throws {
            let device = FaultPCM()
            let harness = try await PluginHarness(Self.settings(device.name, device.name))
            #expect(await harness.transport.connect(deviceId: nil).failure == nil)
            let (mic, spk) = (try #require(harness.transport.microphone), try #require(harness.transport.speaker))
            #expect(await mic.open { _ in }.failure == nil)
            #expect(await spk.open { _ in }.failure == nil)
            device.set("block")
            let ending = ContinuousClock.now
            await harness.transport.shutdown()
            #expect(ContinuousClock.now - ending < .seconds(2))
            device.set("")
        }

        @Test func aDeviceThatIsUnpluggedIsToldAndDisconnectStillWorks() async throws {
            let device = FaultPCM()
            let harness = try await PluginHarness(Self.settings(device.name, "none"))
            #expect(harness.transport.speaker == nil)
            #expect(harness.transport.facts.speakerRate == nil)
            #expect(await harness.transport.connect(deviceId: nil).failure == nil)
            let mic = try #require(harness.transport.microphone)
            let blocks = Blocks()
            #expect(await mic.open { blocks.add($0) }.failure == nil)
            #expect(await eventually(within: 2) { blocks.frames > 4_800 })
            device.set("gone")
            let told = await firstError(harness.transport)
            #expect(told?.description.contains(device.name) == true)
            device.set("")
            let before = blocks.frames
            #expect(await eventually(within: 4) { blocks.frames > before + 4_800 })
            await mic.close()
            await harness.transport.disconnect()
            await harness.transport.shutdown()
            #expect(harness.complaints.all.isEmpty)
        }

        private func firstError(_ transport: any GlassesTransport) async -> TransportError? {
            for await event in transport.events { if case .errorEvent(let error) = event { return error } }
            return nil
        }

        @Test(arguments: [
            #"{"microphone": 7}"#, #"{"microphone": ""}"#, #"{"speaker": ["x"]}"#, #"{"periodMs": 4}"#,
            #"{"periodMs": 41}"#,
            #"{"periodMs": 10.5}"#, #"{"bufferMs": 29}"#, #"{"bufferMs": 501}"#, #"{"bufferMs": "50"}"#,
            #"{"echoCancellation": "yes"}"#, #"{"echoCancellation": true}"#, #"{"headset": "yes"}"#,
            #"{"noiseSuppression": "full"}"#, #"{"automaticGain": 1}"#, #"{"microphoneGain": 31}"#,
            #"{"microphoneGain": 6, "automaticGain": true}"#,
        ])
        func aSettingOfTheWrongKindIsRefused(text: String) async throws {
            let settings = try JSONValue(jsonText: text)
            #expect(await PluginHarness.refusal(settings) != nil)
        }

        @Test(arguments: [
            (#"{}"#, true, "loudspeaker"), (#"{"headset": true}"#, false, "headset"),
            (#"{"echoCancellation": "off"}"#, false, "notWanted"), (#"{"speaker": "none"}"#, false, "oneWay"),
            (#"{"microphone": "none"}"#, false, "oneWay"),
            (#"{"headset": true, "echoCancellation": "on", "noiseSuppression": "high"}"#, true, "asked"),
        ])
        func itTellsWhetherEchoIsCancelledAndWhy(text: String, isOn: Bool, reason: String) async throws {
            let harness = try await PluginHarness(try JSONValue(jsonText: text))
            let processing = harness.transport.facts.details["processing"]
            await harness.transport.shutdown()
            #expect(processing?["echoCancellation"]?.boolValue == isOn)
            #expect(processing?["reason"]?.stringValue == reason)
        }

        @Test func settingsThatItDoesNotKnowAreIgnored() async {
            #expect(await PluginHarness.refusal(["colour": "red", "periodMs": 20, "bufferMs": nil]) == nil)
        }
    }
}
