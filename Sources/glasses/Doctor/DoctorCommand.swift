@_spi(ExtentosTools) import GlassesCore
import GlassesPluginHost

/// `glasses doctor`.
struct DoctorCommand: Command {
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "doctor", summary: "Check packages, plugins, speech engines, brain, audio devices and cameras, or a gateway.",
        details: [
            "Really loads the engines, lets the recogniser hear a synthesised word, asks the chat endpoint of "
                + "--brain or EXTENTOS_BRAIN_URL for a word and opens the audio devices. Prints the "
                + "command that mends each problem. Exit code 0 when all is well, else 3.",
            "With the URL of a gateway, given by --gateway or EXTENTOS_GATEWAY_URL, it goes there step by step as a session "
                + "would: URL, name, port, TLS, upgrade, first event, session.update, close. It ends at the first step that "
                + "fails and says what to do. No audio is sent. With --gateway it checks nothing else. Exit code 0 when all "
                + "steps pass, else 4.",
        ],
        options: [
            GatewayClientOptions.gateway, GatewayClientOptions.authorities, GatewayClientOptions.tokenFile,
            GatewayClientOptions.model,
        ] + BrainOptions.table + [json],
        examples: ["glasses doctor", "glasses doctor --gateway wss://gateway.example/v1 --token-file token"])

    private let isJSON: Bool
    private let gateway: GatewayClientOptions
    private let brain: BrainOptions
    private let checksMachine: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        isJSON = arguments.has(Self.json.name)
        gateway = try GatewayClientOptions(arguments)
        brain = try BrainOptions(arguments)
        checksMachine = !gateway.isRemote || arguments.text(GatewayClientOptions.gateway.name) == nil
    }

    func run(_ console: Console) async -> ExitStatus {
        let report = DoctorReport(console: console, isJSON: isJSON)
        if checksMachine {
            for checkup in Self.checkups(PluginHost(), brain) {
                for finding in await checkup() { report.tell(finding) }
            }
        }
        var isReached = true
        if gateway.isRemote {
            isReached = await GatewayCheckup(options: gateway, ports: .live, tell: report.tell).run()
        }
        return report.conclude(destination: destination, isReached: isReached)
    }

    /// Where a session's audio and text go.
    private var destination: AudioDestination {
        guard !gateway.isRemote else { return gateway.destination }
        do throws(Problem) { return try brain.selection().destination } catch { return .thisMachine }
    }

    private static func checkups(_ host: PluginHost, _ brain: BrainOptions) -> [@Sendable () async -> [Finding]] {
        [
            { await PackageCheckup.run() }, { await PluginCheckup.run(host) }, { IsolationCheckup.run(host) },
            { await EngineCheckup.run(host) }, { await BrainCheckup.run(brain) }, { await AudioCheckup.run(host) },
            { await CameraCheckup.run(host) },
        ]
    }
}
