@_spi(ExtentosTools) import GlassesCore
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime

/// `glasses doctor`.
struct DoctorCommand: Command {
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "doctor", summary: "Check packages, plugins, speech engines and audio devices.",
        details: [
            "Really loads the engines, lets the recogniser hear a synthesised word and opens the audio devices. Prints the "
                + "command that mends each problem. Exit code 0 when all is well, else 3."
        ],
        options: [json])

    private let isJSON: Bool

    init(_ arguments: ParsedArguments) { isJSON = arguments.has(Self.json.name) }

    func run(_ console: Console) async -> ExitStatus {
        let glasses = Extentos.create(config: ExtentosConfig(), recorders: .init())
        let destination = "Audio \(glasses.audioDestination)."
        var findings: [Finding] = []
        for checkup in Self.checkups(PluginHost()) {
            let found = await checkup()
            findings += found
            if !isJSON { for finding in found { console.print(finding.line(console)) } }
        }
        let isWell = findings.allSatisfy { $0.level != .failed }
        if isJSON {
            console.print(
                JSONValue.object([
                    "ok": .bool(isWell), "checks": .array(findings.map(\.json)),
                    "audioDestination": .string(destination),
                ]).jsonText)
        } else {
            console.print("")
            console.print(destination)
            console.print(
                isWell ? "All is well." : "Something is missing: run the commands above, then this one again.")
        }
        return isWell ? .ok : .unavailable
    }

    private static func checkups(_ host: PluginHost) -> [@Sendable () async -> [Finding]] {
        [
            { await PackageCheckup.run() }, { await PluginCheckup.run(host) }, { await EngineCheckup.run(host) },
            { await AudioCheckup.run(host) },
        ]
    }
}
