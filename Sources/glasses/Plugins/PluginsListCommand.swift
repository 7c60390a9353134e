import GlassesCore
import GlassesPluginHost

/// `glasses plugins list`.
struct PluginsListCommand: Command {
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "plugins list", summary: "List the plugins that were found, and those that were refused with the reason.",
        details: [
            "Plugins are looked for in EXTENTOS_PLUGIN_PATH, beside this program, in ~/.local/share/extentos/plugins and in "
                + "/usr/lib/extentos/plugins; of two with the same id the first one counts. An unknown library is tried out in a "
                + "child process first."
        ],
        options: [json], examples: ["glasses plugins list", "glasses plugins list --json"])

    private let isJSON: Bool

    init(_ arguments: ParsedArguments) { isJSON = arguments.has(Self.json.name) }

    func run(_ console: Console) async -> ExitStatus {
        let configuration = PluginHostConfiguration()
        let scan = await PluginCatalog(configuration: configuration).scan()
        PluginReport(scan: scan, searchPath: configuration.searchPath.entries).print(on: console, isJSON: isJSON)
        return .ok
    }
}

/// `glasses plugins scan`.
struct PluginsScanCommand: Command {
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "plugins scan", summary: "Try every plugin out again, and list them as 'plugins list' does.",
        details: [
            "What was found out is remembered by path, size and time of change, so that a start costs nothing. A plugin that was refused "
                + "because something beside its own file was missing is seen again after this."
        ],
        options: [json], examples: ["glasses plugins scan"])

    private let isJSON: Bool

    init(_ arguments: ParsedArguments) { isJSON = arguments.has(Self.json.name) }

    func run(_ console: Console) async -> ExitStatus {
        var configuration = PluginHostConfiguration()
        configuration.probesAgain = true
        let catalog = PluginCatalog(configuration: configuration)
        let scan = await catalog.scan()
        PluginReport(scan: scan, searchPath: configuration.searchPath.entries).print(on: console, isJSON: isJSON)
        let probes = await catalog.startedProbes
        if !isJSON { console.print("\n\(probes) \(probes == 1 ? "library was" : "libraries were") tried out.") }
        return .ok
    }
}
