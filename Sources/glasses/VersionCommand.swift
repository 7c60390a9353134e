import GlassesCore
import GlassesPluginHost

/// `glasses version`.
struct VersionCommand: Command {
    static let spec = CommandSpec("version", summary: "Show the version of this program and of the plugin ABI.")

    init(_ arguments: ParsedArguments) {}

    func run(_ console: Console) async -> ExitStatus {
        console.print("glasses \(Extentos.version) (plugin ABI \(PluginABIVersion.host))")
        return .ok
    }
}
