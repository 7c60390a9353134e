/// Everything that the command line knows of a command: how it is written, and its help.
struct CommandSpec: Sendable, Hashable {
    /// The words after the options.
    struct Positional: Sendable, Hashable {
        /// The name in the help.
        let name: String
        /// What it is, for the help.
        let help: String
    }

    /// The words that call it, such as `plugins list`.
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// Paragraphs for its own help.
    let details: [String]
    /// What it takes beside options, one word or more; nil for nothing.
    let positional: Positional?
    /// Its options without `--help`, which every command has.
    let options: [OptionSpec]
    /// Calls that a reader can copy.
    let examples: [String]

    init(
        _ name: String, summary: String, details: [String] = [], positional: Positional? = nil,
        options: [OptionSpec] = [], examples: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.positional = positional
        self.options = options
        self.examples = examples
    }

    /// All options, `--help` last.
    var allOptions: [OptionSpec] { options + [.help] }
}
