import GlassesPluginHost

/// Says where plugins run, and what holds them to what they were granted.
enum IsolationCheckup {
    static func run(_ host: PluginHost) -> [Finding] { [finding(program: host.childProgram, on: .current())] }

    /// Judges the program that carries plugins, and what the kernel can enforce.
    static func finding(program: String?, on support: SandboxSupport) -> Finding {
        let subject = "plugin processes"
        guard program != nil else {
            return Finding(
                subject: subject, level: .failed,
                text: "the program glasses-plugin-host is not there, so no plugin can be used", command: "swift build")
        }
        let place = "each plugin runs in a process of its own"
        var measures: [String] = []
        if support.hasSeccomp { measures.append("seccomp") }
        if support.landlockABI > 0 { measures.append("Landlock (ABI \(support.landlockABI))") }
        guard measures.count == 2 else {
            let rest = measures.isEmpty ? "" : ", only \(measures.joined())"
            return Finding(
                subject: subject, level: .warning,
                text: "\(place), but this kernel cannot hold it to all of its permissions\(rest)")
        }
        return Finding(
            subject: subject, level: .ok,
            text: "\(place), held to its permissions by \(measures.joined(separator: " and "))")
    }
}
