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
        let devices = needed.map { plugin in
            let isThere = scan.found.contains { $0.manifest.id == plugin.id }
            return Finding(
                subject: "plugin \(plugin.id)", level: isThere ? .ok : .failed,
                text: isThere ? "found" : "the \(plugin.noun) is not there", command: isThere ? nil : "swift build")
        }
        let refused = scan.refused.filter { $0.refusal.code != "shadowed" }.map { plugin in
            Finding(
                subject: "plugin \(plugin.id ?? plugin.manifestPath)", level: .warning,
                text: "refused. \(plugin.refusal.description)", command: "glasses plugins list")
        }
        return devices + refused
    }
}
