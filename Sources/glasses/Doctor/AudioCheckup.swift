import GlassesCore
import GlassesPluginHost

/// Opens the default microphone and the default loudspeaker, each by itself, and asks what is done about the echo.
enum AudioCheckup {
    static func run(_ host: PluginHost) async -> [Finding] {
        let system = DeviceOptions(kind: .system)
        var findings = [
            finding("microphone", await DeviceCheck.run(system.withoutSpeaker, host: host)),
            finding("loudspeaker", await DeviceCheck.run(system.withoutMicrophone, host: host)),
        ]
        // A plugin that does not load was named by the two.
        if case .success(let transport) = await host.transport(id: system.kind.pluginID) {
            findings.append(echo(transport.facts.details["processing"]))
            await transport.shutdown()
        }
        return findings
    }

    private static func finding(_ subject: String, _ problem: Problem?) -> Finding {
        problem.map { Finding(subject, $0) }
            ?? Finding(subject: subject, level: .ok, text: "the default one can be opened")
    }

    /// Judges what the system device says of its processing.
    static func echo(_ processing: JSONValue?) -> Finding {
        let subject = "echo cancellation"
        if processing?["echoCancellation"]?.boolValue == true {
            return Finding(subject: subject, level: .ok, text: "on")
        }
        guard processing?["reason"]?.stringValue == "libraryMissing" else {
            return Finding(subject: subject, level: .ok, text: "off: the loudspeaker is a headset")
        }
        return Finding(
            subject: subject, level: .warning, text: "off: its library is missing, so the assistant may hear itself",
            command: "sudo apt-get install --no-install-recommends libwebrtc-audio-processing1")
    }
}
