import GlassesCore
import GlassesPluginHost

/// `glasses devices`.
struct DevicesCommand: Command {
    static let check = OptionSpec(
        "--check", help: "Only say whether the default microphone and loudspeaker can be used; exit code 3 if not.")
    static let json = OptionSpec("--json", help: "Print one JSON object.")
    static let spec = CommandSpec(
        "devices", summary: "List microphones, loudspeakers, cameras and device transports.",
        details: [
            "The names are what --mic, --speaker and --camera take; they stay when a device is unplugged and plugged in again. "
                + "Nothing is started unless --check is given."
        ],
        options: [check, json], examples: ["glasses devices", "glasses devices --check --json"])

    private let isCheck: Bool
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) {
        isCheck = arguments.has(Self.check.name)
        isJSON = arguments.has(Self.json.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        let host = PluginHost()
        return isCheck ? await check(console, host) : await list(console, host)
    }

    private func check(_ console: Console, _ host: PluginHost) async -> ExitStatus {
        let problem = await DeviceCheck.run(DeviceOptions(kind: .system), host: host)
        if isJSON {
            console.print(
                JSONValue.object([
                    "usable": .bool(problem == nil), "code": problem.map { .string($0.code) } ?? .null,
                    "message": problem.map { .string($0.sentence) } ?? .null,
                ]).jsonText)
        } else if let problem {
            console.report(problem)
        } else {
            console.print("The default microphone and loudspeaker can be used.")
        }
        return problem == nil ? .ok : .unavailable
    }

    private func list(_ console: Console, _ host: PluginHost) async -> ExitStatus {
        let transports = await host.plugins(kind: .transport)
        switch await DeviceInventory.read(host) {
        case .failure(let problem):
            console.report(problem)
            return .unavailable
        case .success(let inventory):
            if isJSON {
                console.print(inventory.json(transports: transports).jsonText)
            } else {
                for line in inventory.lines(transports: transports, console) { console.print(line) }
            }
            return .ok
        }
    }
}
