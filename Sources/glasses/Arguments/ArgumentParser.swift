/// Reads the arguments of a command by its table.
struct ArgumentParser {
    /// What a call asks for.
    enum Outcome: Sendable, Hashable {
        /// The command's help.
        case help
        /// The command itself.
        case run(ParsedArguments)
    }

    private let spec: CommandSpec
    private var rest: ArraySlice<String>
    private var occurrences: [ParsedArguments.Occurrence] = []
    private var words: [String] = []

    private init(_ spec: CommandSpec, _ arguments: [String]) {
        self.spec = spec
        rest = arguments[...]
    }

    /// Reads `arguments`, those after the command's name. `--name value` and `--name=value` mean the same; after `--` everything is a
    /// word. A value that begins with two dashes has to be given with `=`.
    static func parse(_ arguments: [String], for spec: CommandSpec) throws(UsageError) -> Outcome {
        var parser = ArgumentParser(spec, arguments)
        return try parser.parse()
    }

    private mutating func parse() throws(UsageError) -> Outcome {
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                rest = []
            } else if argument == "--help" || argument == "-h" {
                return .help
            } else if argument.hasPrefix("--") {
                try readOption(argument)
            } else if argument.hasPrefix("-"), argument.count > 1, Double(argument) == nil {
                throw unknown(argument)
            } else {
                words.append(argument)
            }
        }
        try checkWords()
        return .run(ParsedArguments(command: spec.name, occurrences: occurrences, words: words))
    }

    private mutating func readOption(_ argument: String) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = spec.options.first(where: { $0.name == name }) else { throw unknown(name) }
        let value = try readValue(of: option, attached: parts.count == 2 ? String(parts[1]) : nil)
        guard option.isRepeatable || !occurrences.contains(where: { $0.name == name }) else {
            throw error("\(name) was given twice")
        }
        occurrences.append(ParsedArguments.Occurrence(name: name, value: value))
    }

    private mutating func readValue(of option: OptionSpec, attached: String?) throws(UsageError) -> String? {
        if option.value == .flag {
            if attached != nil { throw error("\(option.name) takes no value") }
            return nil
        }
        guard let value = attached ?? nextValue() else { throw error("\(option.name) needs a value: \(option.usage)") }
        if let objection = option.objection(to: value) { throw error(objection) }
        return value
    }

    private mutating func nextValue() -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        return rest.popFirst()
    }

    private func checkWords() throws(UsageError) {
        if let positional = spec.positional {
            if words.isEmpty { throw error("\(positional.name) is missing") }
        } else if let word = words.first {
            throw error("'\(spec.name)' does not know what to do with '\(word)'")
        }
    }

    private func unknown(_ name: String) -> UsageError {
        let near = Suggestion.nearest(to: name, among: spec.allOptions.map(\.name))
        return error("unknown option \(name)" + Suggestion.question(near))
    }

    private func error(_ message: String) -> UsageError { UsageError(message, command: spec.name) }
}
