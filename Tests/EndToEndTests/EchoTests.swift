import Foundation
import GlassesDomain
import SoundServer
import Testing

/// An assistant whose loudspeaker is heard by its own microphone: 10 dB weaker and 80 ms later, of which no timestamp tells.
@Suite(.serialized) struct EchoTests {
    @Test(.timeLimit(.minutes(3)))
    func oneQuestionIsHeardOnceAndItsAnswerIsNotCutByItself() async throws {
        let voice = try await SpokenTestVoice()
        try await PrivatePulse.with { pulse in
            let room = try await Room(pulse)
            let talk = try await room.talk()
            #expect(talk.events("ready").first?["echoCancellation"] == true)
            _ = try pulse.play(try await voice.speech("set a timer for five minutes"), to: "mic").wait()
            try #require(
                await talk.prints(of: "assistantAudioFinished", within: .seconds(20)), "\(talk.events.map(\.jsonText))")
            // Longer than a turn takes that the echo of the answer would have begun.
            let spokeAgain = await talk.prints(2, of: "userSpoke", within: .seconds(4))
            #expect(!spokeAgain, "\(talk.events.map(\.jsonText))")
            #expect(talk.end() == 0)
            let answers = talk.events("assistantSpoke").compactMap { $0["transcript"]?.stringValue }
            print("with its own echo: \(talk.events("userSpoke").map(\.jsonText)) \(answers)")
            #expect(talk.events("userSpoke").count == 1)
            #expect(talk.events("toolCalled").count == 1)
            #expect(answers.count == 1)
            let whole = Double(try await voice.speech(answers.last ?? "").count - 48_000) / 48_000
            let times = ["assistantAudioStarted", "assistantAudioFinished"].map { name in
                talk.events(name).first?["t"]?.doubleValue ?? .nan
            }
            #expect(times[1] - times[0] > whole - 0.3, "heard for \(times[1] - times[0]) s of \(whole) s")
            room.end()
        }
        await voice.shutdown()
    }

    @Test(.timeLimit(.minutes(3)))
    func aQuestionOverAnAnswerIsHeardAndCutsIt() async throws {
        let voice = try await SpokenTestVoice()
        try await PrivatePulse.with { pulse in
            let room = try await Room(pulse)
            let talk = try await room.talk()
            // The echo is learned while the first answer is played.
            for (index, sentence) in ["remember that my keys are in the kitchen", "what did i ask you to remember"]
                .enumerated()
            {
                _ = try pulse.play(try await voice.speech(sentence), to: "mic").wait()
                let name = index == 0 ? "assistantAudioFinished" : "assistantAudioStarted"
                try #require(
                    await talk.prints(index + 1, of: name, within: .seconds(20)), "\(talk.events.map(\.jsonText))")
            }
            let second = try await voice.speech("set a timer for five minutes").dropFirst(24_000)
            _ = try pulse.play(Array(second), to: "mic").wait()
            let isHeard = await talk.prints(3, of: "userSpoke", within: .seconds(20))
            #expect(isHeard, "\(talk.events.map(\.jsonText))")
            #expect(await talk.prints(3, of: "assistantAudioFinished", within: .seconds(20)))
            #expect(talk.end() == 0)
            let answers = talk.events("assistantSpoke").compactMap { $0["transcript"]?.stringValue }
            print("a question over an answer: \(talk.events("userSpoke").map(\.jsonText)) \(answers)")
            #expect(talk.events("userSpoke").count == 3)
            try #require(answers.count == 3)
            let whole = Double(try await voice.speech(answers[1]).count - 48_000) / 48_000
            let times = ["assistantAudioStarted", "assistantAudioFinished"].map { name in
                talk.events(name).dropFirst().first?["t"]?.doubleValue ?? .nan
            }
            print("the answer of \(whole) s was heard for \(times[1] - times[0]) s")
            #expect(times[1] - times[0] < whole - 0.3)
            room.end()
        }
        await voice.shutdown()
    }

    /// The way from the loudspeaker to the microphone, and what keeps both at a low latency.
    private struct Room {
        private let pulse: PrivatePulse
        private let recordings: [MonitorRecording]

        init(_ pulse: PrivatePulse) async throws {
            self.pulse = pulse
            recordings = [try await MonitorRecording(pulse), try await MonitorRecording(pulse, device: "mic.monitor")]
            let loop = ["load-module", "module-loopback", "source=spk.monitor", "sink=mic", "latency_msec=80"]
            try #require(pulse.launch("/usr/bin/pactl", loop).wait() == 0)
            // Nothing else plays yet, so the loop is the first input of a sink. The volume's scale is cubic: this is -10 dB.
            try #require(pulse.launch("/usr/bin/pactl", ["set-sink-input-volume", "0", "68%"]).wait() == 0)
        }

        /// A conversation that is ready.
        func talk() async throws -> TalkProcess {
            let talk = try TalkProcess(
                pulse, ["--device", "system", "--mic", pulse.microphone, "--speaker", pulse.speaker])
            try #require(await talk.prints(of: "ready", within: .seconds(30)), "it gets ready")
            return talk
        }

        func end() { for recording in recordings { recording.stop() } }
    }
}
