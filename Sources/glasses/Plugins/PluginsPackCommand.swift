import GlassesCore
import GlassesPluginConformance
import GlassesPluginHost

/// `glasses plugins pack`.
struct PluginsPackCommand: Command {
    static let output = OptionSpec(
        "--output", .text("FOLDER"),
        help: "The folder in which the plugin's folder is made; the working directory without it.")
    static let replace = OptionSpec("--replace", help: "Take the place of a folder that is there already.")
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "plugins pack", summary: "Make an installable folder of a plugin, with the SHA-256 of its library.",
        details: [
            "The folder is named after the plugin's id and holds its library and its plugin.json. It appears whole or not at all. "
                + "Copy it to ~/.local/share/extentos/plugins or /usr/lib/extentos/plugins to install it."
        ],
        positional: .init(name: "FILE", help: "A plugin's folder, its plugin.json or its library."),
        options: [output, replace, json],
        examples: [
            "glasses plugins pack .build/release/libMyGlasses.so \\",
            "    --output ~/.local/share/extentos/plugins",
        ])

    private let file: String
    private let output: String
    private let replaces: Bool
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.words.count == 1, let file = arguments.words.first else {
            throw arguments.error("one FILE can be packed at a time")
        }
        self.file = file
        output = arguments.text(Self.output.name) ?? "."
        replaces = arguments.has(Self.replace.name)
        isJSON = arguments.has(Self.json.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        do throws(PluginPackageError) {
            return pack(try PluginPackage(path: AbsolutePath.of(file)), console)
        } catch {
            console.report(Problem(code: error.code, error.description))
            return .usage
        }
    }

    private func pack(_ package: PluginPackage, _ console: Console) -> ExitStatus {
        do throws(PluginPackError) {
            let packed = try PluginPacker(package).pack(into: AbsolutePath.of(output), replaces: replaces)
            let json: JSONValue = ["folder": .string(packed.folder), "sha256": .string(packed.sha256)]
            console.print(isJSON ? json.jsonText : "\(packed.folder)\nsha256 \(packed.sha256)")
            return .ok
        } catch {
            console.report(Problem(code: error.code, error.description))
            return .incomplete
        }
    }
}
