import Foundation
@_spi(ExtentosTools) import GlassesCore
import GlassesDomain
import GlassesPluginHost
import GlassesRuntime
import SoundServer
import Synchronization
import Testing

/// Devices that fail while a conversation is held.
@Suite(.serialized) struct FaultyDeviceTests {
    @Test(
        "A33: a microphone pulled out in mid-speech comes back at another rate and hears the next sentence",
        .timeLimit(.minutes(1)))
    func aMicrophonePulledOutInMidSpeechComesBack() async throws {
        let voice = try await SpokenTestVoice()
        let second = [Int16](repeating: 0, count: 48_000)
        let speech = try await voice.recording(second + voice.speech("set a timer for five minutes please") + second)
        let device = FaultPCM("rate=16000 channels=1 source=\(speech)")
        let heard = Atomic(0)
        var recorders = Extentos.Recorders()
        recorders.microphone = { heard.add($0.samples.count, ordering: .relaxed) }
        let settings: [String: JSONValue] = ["microphone": .string(device.name), "speaker": "none"]
        var configuration = PluginHostConfiguration()
        configuration.isolation = .inProcess
        let host = PluginHost(configuration: configuration)
        let loaded = await host.transport(id: "org.extentos.system-device", settings: .object(settings))
        let transport: any GlassesTransport = try #require(loaded.success)
        let glasses = Extentos.create(
            config: ExtentosConfig(), recorders: recorders, transport: transport)
        let journal = SessionJournal(glasses)
        if case .failure(let error) = await glasses.connect() { throw error }
        let session = try await glasses.assistant.start(provider: .managed()) {
            $0.startActive = true
            $0.greeting = .off
        }
        journal.follow(session)

        // A second of silence in the recording, a half around the speech, and 1.2 s of speech.
        #expect(await eventually(within: 6) { heard.load(ordering: .relaxed) >= 48_000 * 27 / 10 })
        device.set("gone")
        let gone = ContinuousClock.now
        #expect(await eventually(within: 2) { !journal.transportErrors.isEmpty }, "the loss is told")
        _ = await eventually(within: 4) { ContinuousClock.now - gone > .milliseconds(2_800) }
        let next = try await voice.recording(second + voice.speech("take a picture") + second)
        let before = heard.load(ordering: .relaxed)
        device.set("rate=48000 channels=2 source=\(next)")

        #expect(await eventually(within: 6) { heard.load(ordering: .relaxed) > before }, "capture resumes")
        #expect(await eventually(within: 12) { journal.transcripts.contains { $0.contains("picture") } })
        #expect(journal.states == [.active], "the session never left active")
        #expect(journal.errors.isEmpty, "\(journal.errors)")
        print("A33: heard \(journal.transcripts), told \(journal.transportErrors)")
        await session.stop()
        await glasses.shutdown()
        await voice.shutdown()
    }

    @Test(
        "A32: underruns, a suspend and a device that is often busy lose nothing of an answer", .timeLimit(.minutes(1)))
    func underrunsLoseNothingOfAnAnswer() async throws {
        let device = FaultPCM("channels=1")
        // The faulty PCM is a library with files of its own, which no child may read.
        let conversation = try await ScriptedConversation(
            microphone: FaultPCM().name, speaker: device.name, isolation: .inProcess)
        conversation.answer(1, seconds: 3)
        #expect(await eventually(within: 3) { conversation.journal.audible.started == 1 })
        let began = ContinuousClock.now
        device.set("channels=1 epipe=3 from=5 suspend=1 again=3 serial=1")
        #expect(await eventually(within: 6) { conversation.journal.audible.finished == 1 })
        let lasted = ContinuousClock.now - began
        await conversation.end()
        let clicks = ScriptedConversation.clicks(in: device.played(channels: 1)[...])
        #expect(clicks.count == 30)
        #expect(lasted < .milliseconds(3_000 + 200 + 300), "sound resumed in 200 ms")
        let losses = conversation.pluginLines.all.filter { $0.hasPrefix("speaker_losses") }
        let xruns = try #require(losses.first?.wholeMatch(of: /speaker_losses: 0 frames dropped, (\d+) .*/)?.1)
        // Those of the script; a busy machine may add one of its own.
        #expect([3, 4, 5].contains(Int(xruns)))
        print("A32: 3 s were heard in \(lasted), \(clicks.count) clicks, \(xruns) underruns")
        #expect(conversation.journal.errors.isEmpty)
    }
}
