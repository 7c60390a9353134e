/// Finds the command that was called, and runs it.
enum CommandLineTool {
    static let commands: [any Command.Type] = [
        TalkCommand.self, ReplayCommand.self, SayCommand.self, ListenCommand.self, TranscribeCommand.self,
        PhotoCommand.self,
        RecordCommand.self, DevicesCommand.self,
        PluginsListCommand.self, PluginsInfoCommand.self, PluginsScanCommand.self, PluginsShowCommand.self,
        PluginsGrantCommand.self, PluginsRevokeCommand.self, PluginsValidateCommand.self, PluginsPackCommand.self,
        PluginsNewCommand.self, DoctorCommand.self, GatewayCommand.self, MockCommand.self,
        BenchAnswerCommand.self, BenchBargeInCommand.self, BenchClientCommand.self, VersionCommand.self,
    ]

    /// What a command line asks for.
    enum Call {
        /// A text for standard output.
        case help(String)
        /// A command to run.
        case run(any Command)
    }

    private static var specs: [CommandSpec] { commands.map { $0.spec } }

    /// Runs the command that `arguments` call, and answers how the program ends.
    static func run(_ arguments: [String], console: Console = Console()) async -> ExitStatus {
        do throws(UsageError) {
            switch try call(arguments) {
            case .help(let text): console.print(text)
            case .run(let command): return await command.run(console)
            }
            return .ok
        } catch {
            console.note(error.text)
            return .usage
        }
    }

    /// Reads `arguments`, those after the program's name.
    static func call(_ arguments: [String]) throws(UsageError) -> Call {
        switch arguments.first {
        case nil: throw UsageError("a command is missing: \(names.joined(separator: ", "))")
        case "--help", "-h": return .help(HelpText.overview(of: specs))
        case "help": return .help(try help(for: Array(arguments.dropFirst())))
        case "--version": return .run(VersionCommand(noArguments(of: VersionCommand.spec)))
        default: return try command(arguments)
        }
    }

    private static func command(_ arguments: [String]) throws(UsageError) -> Call {
        guard let (command, rest) = match(arguments) else {
            if let group = group(arguments.first),
                arguments.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" })
            {
                return .help(HelpText.overview(of: specs, prefix: group))
            }
            throw unknown(arguments)
        }
        switch try ArgumentParser.parse(rest, for: command.spec) {
        case .help: return .help(HelpText.text(of: command.spec))
        case .run(let parsed): return .run(try command.init(parsed))
        }
    }

    private static func help(for words: [String]) throws(UsageError) -> String {
        guard let first = words.first, !first.hasPrefix("-") else { return HelpText.overview(of: specs) }
        if let (command, rest) = match(words), rest.isEmpty { return HelpText.text(of: command.spec) }
        if words.count == 1, let group = group(first) { return HelpText.overview(of: specs, prefix: group) }
        throw unknown(words)
    }

    /// The command whose words `arguments` begin with, and what follows them.
    private static func match(_ arguments: [String]) -> (any Command.Type, [String])? {
        for command in commands {
            let words = command.spec.name.split(separator: " ").map(String.init)
            if arguments.starts(with: words) { return (command, Array(arguments.dropFirst(words.count))) }
        }
        return nil
    }

    private static func group(_ word: String?) -> String? {
        guard let word, specs.contains(where: { $0.name.hasPrefix(word + " ") }) else { return nil }
        return word
    }

    private static func unknown(_ words: [String]) -> UsageError {
        let first = words.first ?? ""
        if let group = group(first) {
            let members = names.filter { $0.hasPrefix(group + " ") }
            return UsageError("'\(group)' needs one of: \(members.joined(separator: ", "))", command: group)
        }
        let near = Suggestion.nearest(to: first, among: names.map { String($0.prefix { $0 != " " }) } + ["help"])
        return UsageError("unknown command '\(first)'" + Suggestion.question(near))
    }

    private static var names: [String] { specs.map(\.name) }

    private static func noArguments(of spec: CommandSpec) -> ParsedArguments {
        ParsedArguments(command: spec.name, occurrences: [], words: [])
    }
}
