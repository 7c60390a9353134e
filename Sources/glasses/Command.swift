/// One command of the command line.
protocol Command: Sendable {
    /// How it is written, and its help.
    static var spec: CommandSpec { get }
    /// The command with its arguments, which were held against ``spec``.
    init(_ arguments: ParsedArguments) throws(UsageError)
    /// Does its work.
    func run(_ console: Console) async -> ExitStatus
}
