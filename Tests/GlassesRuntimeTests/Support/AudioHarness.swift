import Foundation
import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// The audio sub-client on a simulated device and a clock that the test moves.
final class AudioHarness: Sendable {
    let clock = ManualClock()
    let device: SimulatedDevice
    let events: EventLog
    let hub: MicrophoneHub
    let output: PlaybackOutput
    let audio: AudioDriver

    init(synthesizer: FakeSynthesizer? = nil, recognizer: FakeRecognizer? = nil) {
        device = SimulatedDevice(clock: clock.port)
        events = .forTests(clock)
        hub = MicrophoneHub(events: events, recorder: nil)
        output = PlaybackOutput(clock: clock.port, events: events, recorder: nil)
        audio = AudioDriver(
            hub: hub, output: output,
            speech: SpeechEngines(speechToText: { recognizer }, textToSpeech: { synthesizer }), clock: clock.port,
            events: events)
    }

    func connect() async {
        await hub.setPort(device.simulatedMicrophone)
        await output.setPort(device.simulatedSpeaker)
        await hub.setConnected(true)
        await output.setConnected(true)
    }

    /// What has left the loudspeaker.
    var heard: [Int16] { device.simulatedSpeaker.heard }

    /// Moves the clock in steps of 10 ms until the condition holds, at most a minute of its time.
    func run(until condition: () -> Bool) async {
        for _ in 0..<6_000 where !condition() {
            clock.advance(by: .milliseconds(10))
            for _ in 0..<3 { await pause() }
        }
    }

    /// Waits until the loudspeaker was given something.
    func untilWritten(_ what: String) async {
        await eventually("\(what) reaches the loudspeaker") { device.simulatedSpeaker.writtenFrames > 0 }
    }

    /// The microphone hears half a second of quiet, a second of a loud tone and a second and a half of quiet.
    func hearUtterance() {
        let quiet = [Int16](repeating: 0, count: 320)
        let tone = (0..<320).map { Int16(8_000 * sin(Double($0) * 2 * .pi * 400 / 16_000)) }
        for block in 0..<150 { device.simulatedMicrophone.hear((25..<75).contains(block) ? tone : quiet) }
    }
}

extension MicrophoneHub {
    /// What the toggles do when the user moves the gate.
    func setGate(_ gate: MicrophoneGate) async {
        applyGate(gate)
        await gateSettled()
    }
}
