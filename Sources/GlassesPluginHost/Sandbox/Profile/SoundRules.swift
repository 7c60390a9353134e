/// What ALSA and the clients of sound servers read and open.
enum SoundRules {
    /// Configuration and cookies: the system's, and those that granted variables lead to.
    static func files(_ variables: [String: String]) -> [SandboxRule] {
        var paths = [
            "/etc/asound.conf", "/etc/alsa", "/etc/pulse", "/etc/pipewire", "/etc/machine-id",
            "/var/lib/dbus/machine-id", "/proc/asound", "/sys/class/sound",
        ]
        let variable = { (name: String) in variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // ALSA takes several files, separated by colons.
        paths += (variable("ALSA_CONFIG_PATH") ?? "").split(separator: ":").map(String.init)
        paths += ["ALSA_CONFIG_DIR", "PULSE_COOKIE", "PULSE_CLIENTCONFIG", "PULSE_RUNTIME_PATH"].compactMap(variable)
        if let home = variable("HOME") {
            paths += [".asoundrc", ".pulse", ".pulse-cookie"].map { home + "/" + $0 }
        }
        if let configuration = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ $0 + "/.config" }) {
            paths += ["alsa", "pulse", "pipewire"].map { configuration + "/" + $0 }
        }
        if let runtime = variable("XDG_RUNTIME_DIR") { paths.append(runtime + "/pulse") }
        return paths.filter { $0.hasPrefix("/") }.map { SandboxRule($0, .read) }
    }

    /// The nodes of sound cards. With both permissions the whole folder, so that a card that is plugged in later is reached too;
    /// with one, the nodes of its direction and those that belong to neither.
    static func devices(_ places: SandboxPlaces, microphone: Bool, speaker: Bool) -> [SandboxRule] {
        guard microphone != speaker else { return [SandboxRule(places.devices + "/snd", .device)] }
        let direction = places.nodes(["pcm"], in: "/snd", suffix: microphone ? "c" : "p")
        let shared = places.nodes(["control", "timer"], in: "/snd")
        return [SandboxRule(places.devices + "/snd", .list)] + (direction + shared).map { SandboxRule($0, .device) }
    }
}
