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
        let scan = await PluginHost(configuration: configuration).scan()
        let report = PluginReport(scan: scan, searchPath: configuration.searchPath.entries)
        if isJSON {
            console.print(report.json.jsonText)
        } else {
            for line in report.lines(console) { console.print(line) }
        }
        if let problem = scan.memoryProblem { console.note("glasses: \(problem)") }
        return .ok
    }
}
