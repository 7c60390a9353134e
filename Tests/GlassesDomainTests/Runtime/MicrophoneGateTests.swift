import GlassesDomain
import Testing

@Suite struct MicrophoneGateTests {
    @Test(
        arguments: [
            ([:], MicrophoneGate.open),
            (["privacy_mode": true], .closed(toggle: "privacy_mode")),
            (["privacy_mode": "yes"], .open),
            (["privacy_mode": false, "audio_capture_enabled": false], .closed(toggle: "audio_capture_enabled")),
            (["audio_capture_enabled": nil], .open),
            (["listening_mode": "off"], .closed(toggle: "listening_mode")),
            (["listening_mode": "on_demand"], .open),
            (["listening_mode": 0], .open),
            (["transcription_enabled": false], .open),
            (["privacy_mode": true, "listening_mode": "off"], .closed(toggle: "privacy_mode")),
        ] as [([String: JSONValue], MicrophoneGate)])
    func onlyAnExplicitValueClosesTheGate(values: [String: JSONValue], gate: MicrophoneGate) {
        #expect(MicrophoneGate(Toggles(values: values)) == gate)
    }
}
