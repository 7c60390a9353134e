import GlassesPluginHost

/// `glasses plugins revoke`.
struct PluginsRevokeCommand: Command {
    static let spec = CommandSpec(
        "plugins revoke", summary: "Take from a plugin what it was granted.",
        details: [
            "It holds from the plugin's next start on. What is taken from a plugin that came with this program stays taken, also "
                + "from its later versions, until it is granted again."
        ],
        positional: GrantArguments.permissions, options: [GrantArguments.environment, GrantArguments.json],
        examples: [
            "glasses plugins revoke org.example.lamp", "glasses plugins revoke org.example.album files",
        ])

    private let arguments: GrantArguments

    init(_ arguments: ParsedArguments) throws(UsageError) { self.arguments = try GrantArguments(arguments) }

    func run(_ console: Console) async -> ExitStatus {
        await arguments.run(console) { store, plugin throws(PluginGrantsError) in
            try store.revoke(arguments.change, from: plugin)
        }
    }
}
