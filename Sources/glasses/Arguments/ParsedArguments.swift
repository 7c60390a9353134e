/// The arguments of one call, held against the command's table.
struct ParsedArguments: Sendable, Hashable {
    /// One option as it was given.
    struct Occurrence: Sendable, Hashable {
        /// The option's name.
        let name: String
        /// Its value; nil for a flag.
        let value: String?
    }

    /// The command's name.
    let command: String
    /// The options in the order in which they were given.
    let occurrences: [Occurrence]
    /// The other words.
    let words: [String]

    /// Whether the flag was given.
    func has(_ name: String) -> Bool { occurrences.contains { $0.name == name } }

    /// The value of an option; nil when it was not given.
    func text(_ name: String) -> String? { occurrences.last { $0.name == name }?.value }

    /// The value of an option that takes a number; nil when it was not given.
    func number(_ name: String) -> Double? { text(name).flatMap(Double.init) }

    /// A usage error of this command.
    func error(_ message: String) -> UsageError { UsageError(message, command: command) }
}
