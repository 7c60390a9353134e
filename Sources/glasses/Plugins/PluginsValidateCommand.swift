import GlassesCore
import GlassesPluginConformance
import GlassesPluginHost

/// `glasses plugins validate`.
struct PluginsValidateCommand: Command {
    static let json = OptionSpec("--json", help: "Print one JSON object at the end.")
    static let settings = OptionSpec(
        "--settings", .text("JSON"), help: "The settings for every instance, an object whose keys the plugin documents."
    )
    static let only = OptionSpec(
        "--only", .text("PROMISE"), isRepeatable: true,
        help: "Try only this promise, such as microphone.blocks, and what it needs. May be given several times.")
    static let cycles = OptionSpec(
        "--cycles", .number("N", 10...100_000),
        help: "How often the promises about growth repeat what they do; 1000 without it.")
    static let jobs = OptionSpec(
        "--jobs", .number("N", 1...16), help: "How many promises are tried at the same time; 1 without it.")
    static let spec = CommandSpec(
        "plugins validate", summary: "Hold a plugin against every promise of the plugin ABI.",
        details: [
            "Each promise is tried in a process of its own, so that a crash and a hang are verdicts like any other: pass, fail, crash, "
                + "hang, or skipped with the reason. A transport is connected and its streams run: no other program should use the "
                + "device meanwhile.",
            "Exit codes: 0 no promise is broken, 1 one is, 2 there is no plugin to be read.",
        ],
        positional: .init(name: "FILE", help: "A plugin's folder, its plugin.json or its library."),
        options: [settings, only, cycles, jobs, json],
        examples: [
            "glasses plugins validate ~/.local/share/extentos/plugins/org.example.device",
            "glasses plugins validate .build/debug/libMyGlasses.so --only microphone.blocks",
        ])

    private let file: String
    private let isJSON: Bool
    private let options: ConformanceRunner.Options

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.words.count == 1, let file = arguments.words.first else {
            throw arguments.error("one FILE can be validated at a time")
        }
        self.file = file
        isJSON = arguments.has(Self.json.name)
        var options = ConformanceRunner.Options()
        if let text = arguments.text(Self.settings.name) { options.settings = try Self.object(text, arguments) }
        let only = arguments.occurrences.filter { $0.name == Self.only.name }.compactMap(\.value)
        if !only.isEmpty { options.only = Set(only) }
        if let cycles = arguments.number(Self.cycles.name) { options.cycles = Int(cycles) }
        if let jobs = arguments.number(Self.jobs.name) { options.width = Int(jobs) }
        self.options = options
    }

    private static func object(_ text: String, _ arguments: ParsedArguments) throws(UsageError) -> JSONValue {
        do {
            let value = try JSONValue(jsonText: text)
            if case .object = value { return value }
        } catch {
            throw arguments.error("--settings is \(error.description)")
        }
        throw arguments.error("--settings has to be a JSON object")
    }

    func run(_ console: Console) async -> ExitStatus {
        do {
            let package = try PluginPackage(path: AbsolutePath.of(file))
            let table = ValidationTable(package: package, console: console)
            let runner = ConformanceRunner(options: options)
            guard !isJSON else {
                let report = try await runner.run(package)
                console.print(table.json(report).jsonText)
                return report.isPassed ? .ok : .incomplete
            }
            table.begin()
            let report = try await runner.run(package) { table.row($0) }
            table.end(report)
            return report.isPassed ? .ok : .incomplete
        } catch let error as PluginPackageError {
            console.report(Problem(code: error.code, error.description))
        } catch let error as ConformanceError {
            console.report(Problem(code: error.code, error.description))
        } catch {
            console.report(Problem(code: "unexpected", String(describing: error)))
        }
        return .usage
    }
}
