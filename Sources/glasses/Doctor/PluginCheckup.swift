import GlassesPluginHost

/// Looks whether the plugins are there that a conversation needs, and names those that were refused.
enum PluginCheckup {
    /// A plugin of this repository, and the word for it.
    private static let needed = [
        (id: DeviceOptions.Kind.system.pluginID, noun: "system device"),
        (id: DeviceOptions.Kind.null.pluginID, noun: "virtual device"),
    ]

    static func run(_ host: PluginHost) async -> [Finding] { findings(await host.scan()) }

    static func findings(_ scan: PluginScan) -> [Finding] {
        let refused = scan.refused.filter { $0.refusal.code != "shadowed" }
        let devices = needed.map { device($0.id, $0.noun, scan, refused) }
        let others = refused.filter { plugin in !devices.contains { $0.subject == subject(plugin) } }.map { plugin in
            Finding(
                subject: subject(plugin), level: .warning, text: "refused. \(plugin.refusal.description)",
                command: "glasses plugins list")
        }
        return devices + others
    }

    /// What became of a plugin that is needed.
    private static func device(_ id: String, _ noun: String, _ scan: PluginScan, _ refused: [RefusedPlugin]) -> Finding
    {
        let subject = "plugin \(id)"
        if scan.found.contains(where: { $0.manifest.id == id }) {
            return Finding(subject: subject, level: .ok, text: "found")
        }
        if let plugin = refused.first(where: { $0.id == id }) {
            return Finding(
                subject: subject, level: .failed,
                text: "the \(noun) cannot be used. \(plugin.refusal.description)", command: "glasses plugins list")
        }
        return Finding(subject: subject, level: .failed, text: "the \(noun) is not there", command: "swift build")
    }

    private static func subject(_ plugin: RefusedPlugin) -> String { "plugin \(plugin.id ?? plugin.manifestPath)" }
}
