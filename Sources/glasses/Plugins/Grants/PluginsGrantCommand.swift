import GlassesPluginHost

/// `glasses plugins grant`.
struct PluginsGrantCommand: Command {
    static let spec = CommandSpec(
        "plugins grant", summary: "Let a plugin use what its manifest asks for.",
        details: [
            "A grant belongs to the plugin's id and to its library's SHA-256: a replaced file does not have it. It holds from "
                + "the plugin's next start on. Plugins that came with this program have what they ask for from the beginning."
        ],
        positional: GrantArguments.permissions, options: [GrantArguments.environment, GrantArguments.json],
        examples: [
            "glasses plugins grant org.example.lamp network",
            "glasses plugins grant org.example.album files:read:~/Pictures --env LANG",
        ])

    private let arguments: GrantArguments

    init(_ arguments: ParsedArguments) throws(UsageError) { self.arguments = try GrantArguments(arguments) }

    func run(_ console: Console) async -> ExitStatus {
        await arguments.run(console) { store, plugin throws(PluginGrantsError) in
            try store.grant(arguments.change, to: plugin)
        }
    }
}
