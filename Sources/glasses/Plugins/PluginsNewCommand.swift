import GlassesCore
import GlassesPluginConformance
import GlassesPluginHost

/// `glasses plugins new`.
struct PluginsNewCommand: Command {
    static let language = OptionSpec(
        "--lang", .choice(PluginScaffold.Language.allCases.map(\.rawValue)),
        help: "What it is written in; swift without it.")
    static let output = OptionSpec(
        "--output", .text("FOLDER"),
        help: "The folder in which the package's folder is made; the working directory without it.")
    static let runtime = OptionSpec(
        "--runtime", .text("FOLDER"),
        help: "A checkout of Extentos for Linux; without it the one that this program was built in.")
    static let spec = CommandSpec(
        "plugins new", summary: "Make the package of a new plugin, which builds and passes the validation.",
        details: [
            "The package is a whole transport whose microphone hears a hum: change it piece by piece. In Swift it depends on the "
                + "checkout, in C it has the headers of the ABI in itself."
        ],
        positional: .init(name: "NAME", help: "Letters, digits and -, such as my-glasses."),
        options: [language, output, runtime],
        examples: ["glasses plugins new my-glasses --lang c", "glasses plugins new my-glasses --output ~/src"])

    private let names: PluginScaffold.Names
    private let language: PluginScaffold.Language
    private let output: String
    private let runtime: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.words.count == 1, let word = arguments.words.first else {
            throw arguments.error("one NAME can be given")
        }
        guard let names = PluginScaffold.Names(word) else {
            throw arguments.error("NAME has to begin with a letter and hold only letters, digits and -, not '\(word)'")
        }
        self.names = names
        language = arguments.text(Self.language.name).flatMap(PluginScaffold.Language.init(rawValue:)) ?? .swift
        output = arguments.text(Self.output.name) ?? "."
        runtime = arguments.text(Self.runtime.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        let found = runtime.map(AbsolutePath.of) ?? PluginScaffold.runtime(above: ExecutableFolder.current)
        let folder = AbsolutePath.of(output) + "/" + names.kebab
        do throws(PluginScaffoldError) {
            guard let found else { throw .noRuntime }
            let files = try PluginScaffold(language: language, names: names, runtime: found).make(at: folder)
            for file in files { console.print("  \(names.kebab)/\(file)") }
            console.print("")
            console.print("Build and validate it:")
            for step in steps(folder) { console.print("  " + step) }
            return .ok
        } catch {
            console.report(Problem(code: error.code, error.description))
            return .incomplete
        }
    }

    private func steps(_ folder: String) -> [String] {
        switch language {
        case .swift:
            [
                "cd \(folder) && swift build",
                "glasses plugins validate .build/debug/lib\(names.camel).so",
            ]
        case .c: ["make -C \(folder)", "glasses plugins validate \(folder)"]
        }
    }
}
