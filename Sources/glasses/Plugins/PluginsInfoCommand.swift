import GlassesCore
import GlassesPluginHost

/// `glasses plugins info`.
struct PluginsInfoCommand: Command {
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "plugins info", summary: "Show everything that is known of one plugin, and what is wrong with it.",
        details: [
            "With a file the manifest is checked rule by rule, each finding with its line and column, and none of the plugin's code "
                + "runs."
        ],
        positional: .init(
            name: "PLUGIN", help: "The id of an installed plugin, or a plugin's folder, plugin.json or library."),
        options: [json],
        examples: ["glasses plugins info org.extentos.system-device", "glasses plugins info ./plugin.json"])

    private let word: String
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.words.count == 1, let word = arguments.words.first else {
            throw arguments.error("one PLUGIN can be shown at a time")
        }
        self.word = word
        isJSON = arguments.has(Self.json.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        if word.contains("/") || word.hasSuffix(".so") || word.hasSuffix(".json") { return file(console) }
        let configuration = PluginHostConfiguration()
        let scan = await PluginCatalog(configuration: configuration).scan()
        let places = scan.refused.filter { $0.id == word }
        guard let found = scan.found.first(where: { $0.manifest.id == word }) else { return refused(places, console) }
        var info = PluginInfo(manifest: found.manifest)
        info.add("state", "State", "usable")
        info.add("library", "Library", found.library)
        info.add("factories", "Factories", found.factories)
        info.add("shadowed", "Hides", places.map(\.manifestPath))
        info.print(on: console, isJSON: isJSON)
        return .ok
    }

    private func file(_ console: Console) -> ExitStatus {
        do throws(PluginPackageError) {
            let package = try PluginPackage(path: AbsolutePath.of(word))
            var info = PluginInfo(manifest: package.check.manifest)
            info.add("state", "State", package.check.manifest == nil ? "refused" : "not tried out")
            info.add("manifest", "Manifest", package.manifestPath)
            info.add("library", "Library", package.libraryPath)
            info.add("findings", "Findings", package.check.findings.map(\.description))
            info.print(on: console, isJSON: isJSON)
            return package.check.manifest == nil ? .incomplete : .ok
        } catch {
            console.report(Problem(code: error.code, error.description))
            return .usage
        }
    }

    private func refused(_ places: [RefusedPlugin], _ console: Console) -> ExitStatus {
        guard let first = places.first else {
            let sentence = "There is no plugin \(word.printable)."
            console.report(Problem(code: "plugin_not_installed", sentence, command: "glasses plugins list"))
            return .usage
        }
        var info = PluginInfo(manifest: nil)
        info.add("id", "Id", word)
        info.add("state", "State", "refused")
        info.add("code", "Code", first.refusal.code)
        info.add("reason", "Reason", first.refusal.description)
        info.add("manifest", "Manifest", places.map(\.manifestPath))
        info.print(on: console, isJSON: isJSON)
        return .incomplete
    }
}

/// What is known of one plugin, in the order in which it is shown.
struct PluginInfo: Sendable {
    private var members: [String: JSONValue] = [:]
    private var rows: [(title: String, text: String)] = []

    /// What a manifest says; nothing for nil.
    init(manifest: PluginManifest?) {
        guard let manifest else { return }
        add("id", "Id", manifest.id)
        add("name", "Name", manifest.name)
        add("version", "Version", manifest.version)
        add("vendor", "Vendor", manifest.vendor ?? "")
        add("abi", "ABI", manifest.abi.description)
        add("kinds", "Kinds", manifest.kinds.map(\.rawValue))
        add("capabilities", "Capabilities", manifest.capabilities)
        add("models", "Models", manifest.models)
        add("isolation", "Isolation", manifest.isolation.rawValue)
        let wishes = PluginWishes(manifest)
        add("permissions", "Permissions", manifest.permissions)
        add("unknownPermissions", "Unknown permissions", wishes.unknown)
        add("environment", "Environment", manifest.environment)
        add("withheldEnvironment", "Withheld from it", wishes.withheld)
        add("sha256", "SHA-256", manifest.sha256 ?? "")
    }

    /// Adds a row; an empty text is only shown in JSON.
    mutating func add(_ key: String, _ title: String, _ text: String) {
        members[key] = text.isEmpty ? .null : .string(text)
        if !text.isEmpty { rows.append((title, text)) }
    }

    /// Adds a list; a person sees one line for each element.
    mutating func add(_ key: String, _ title: String, _ texts: [String]) {
        members[key] = .array(texts.map(JSONValue.string))
        for (index, text) in texts.enumerated() { rows.append((index == 0 ? title : "", text)) }
    }

    /// Prints it in one form or the other.
    func print(on console: Console, isJSON: Bool) {
        guard !isJSON else { return console.print(JSONValue.object(members).jsonText) }
        let width = (rows.map(\.title.count).max() ?? 0) + 2
        for row in rows {
            let title = row.title + String(repeating: " ", count: width - row.title.count)
            console.print(console.styled(title, .faint) + row.text.printable)
        }
    }
}
