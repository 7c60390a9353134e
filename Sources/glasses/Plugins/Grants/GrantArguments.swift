import GlassesCore
import GlassesPluginHost

/// The arguments that `plugins show`, `grant` and `revoke` share.
struct GrantArguments: Sendable {
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let environment = OptionSpec(
        "--env", .text("NAME"), isRepeatable: true, help: "An environment variable that the plugin asks for.")
    static let permissions = CommandSpec.Positional(
        name: "ID [PERMISSION...]",
        help:
            "The plugin's id, then microphone, speaker, camera, network, bluetooth, localSockets, files:read:PATH or files:write:PATH; "
            + "without any: all that its manifest asks for.")

    /// The plugin's id.
    let id: String
    /// What to grant or to revoke.
    let change: PluginGrantChange
    /// Whether the answer is JSON.
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        id = arguments.words.first ?? ""
        var permissions: [SandboxPermission] = []
        for word in arguments.words.dropFirst() {
            do {
                permissions.append(try SandboxPermission(word))
            } catch {
                throw arguments.error(String(error.description.dropLast()))
            }
        }
        let names = arguments.occurrences.filter { $0.name == Self.environment.name }.compactMap(\.value)
        change = PluginGrantChange(permissions: permissions, environment: names)
        isJSON = arguments.has(Self.json.name)
    }

    /// Finds the plugin, lets `body` change something, and prints what holds then.
    func run(
        _ console: Console, _ body: (PluginGrantsStore, FoundPlugin) throws(PluginGrantsError) -> Void
    ) async -> ExitStatus {
        guard let store = PluginGrantsStore.standard() else {
            console.note("glasses: There is no place for grants. Set HOME or XDG_CONFIG_HOME.")
            return .unavailable
        }
        let scan = await PluginHost().scan()
        guard let plugin = scan.found.first(where: { $0.manifest.id == id }) else {
            console.note("glasses: " + Self.absence(of: id, scan))
            return .unavailable
        }
        do {
            try body(store, plugin)
            let report = GrantReport(
                plugin: plugin, decision: try store.decision(on: plugin), support: .current(), file: store.path)
            if isJSON {
                console.print(report.json.jsonText)
            } else {
                for line in report.lines(console) { console.print(line) }
            }
            return .ok
        } catch {
            console.note("glasses: \(error.description)")
            return error.isWrongUse ? .usage : .unavailable
        }
    }

    private static func absence(of id: String, _ scan: PluginScan) -> String {
        if let refused = scan.refused.first(where: { $0.id == id }) {
            return "The plugin \(id) cannot be used. \(refused.refusal.description)"
        }
        let near = Suggestion.nearest(to: id, among: scan.found.map(\.manifest.id))
        let question = near.map { " Did you mean '\($0)'?" } ?? ""
        return "The plugin \(id) is not installed; 'glasses plugins list' shows what was found.\(question)"
    }
}

extension PluginGrantsError {
    /// Whether the command line asks for something that cannot be granted, as opposed to a file that fails.
    fileprivate var isWrongUse: Bool {
        switch self {
        case .notAskedFor, .filesWithoutPath, .partOfGrant, .withheld: true
        case .unreadable, .broken, .unsafe, .notWritten, .busy, .libraryUnreadable: false
        }
    }
}
