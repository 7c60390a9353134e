import GlassesPluginHost

/// Opens the default microphone and the default loudspeaker, each by itself.
enum AudioCheckup {
    static func run(_ host: PluginHost) async -> [Finding] {
        let system = DeviceOptions(kind: .system)
        return [
            finding("microphone", await DeviceCheck.run(system.withoutSpeaker, host: host)),
            finding("loudspeaker", await DeviceCheck.run(system.withoutMicrophone, host: host)),
        ]
    }

    private static func finding(_ subject: String, _ problem: Problem?) -> Finding {
        problem.map { Finding(subject, $0) }
            ?? Finding(subject: subject, level: .ok, text: "the default one can be opened")
    }
}
