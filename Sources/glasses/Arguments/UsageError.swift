/// A command line that is not understood; exit code 2.
struct UsageError: Error, Sendable, Hashable {
    /// What is wrong, without a full stop.
    let message: String
    /// The command whose help says how it is right; nil for the list of commands.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    /// The lines for a person.
    var text: String {
        let help = ["glasses help", command].compactMap { $0 }.joined(separator: " ")
        return "glasses: \(message)\(message.hasSuffix("?") ? "" : ".")\nSee '\(help)'."
    }
}
