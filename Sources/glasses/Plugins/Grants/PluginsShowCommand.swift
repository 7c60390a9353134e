/// `glasses plugins show`.
struct PluginsShowCommand: Command {
    static let spec = CommandSpec(
        "plugins show", summary: "Show what a plugin asks for, what it is granted, and what enforces that.",
        details: [
            "For each permission it says by what a plugin without it is kept from what it names, or that it is declared only: "
                + "that nothing on this machine does."
        ],
        positional: CommandSpec.Positional(name: "ID", help: "The plugin's id."), options: [GrantArguments.json],
        examples: ["glasses plugins show org.extentos.system-device"])

    private let arguments: GrantArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.words.count == 1 else { throw arguments.error("only one plugin can be shown") }
        self.arguments = try GrantArguments(arguments)
    }

    func run(_ console: Console) async -> ExitStatus { await arguments.run(console) { _, _ in } }
}
