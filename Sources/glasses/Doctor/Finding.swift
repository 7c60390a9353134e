import GlassesCore

/// What one check found.
struct Finding: Sendable, Hashable {
    /// How bad it is.
    enum Level: String, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing; nothing that is needed is missing.
        case warning
        /// Something that is needed does not work.
        case failed
    }

    /// What was checked.
    let subject: String
    /// How bad it is.
    let level: Level
    /// What was found.
    let text: String
    /// The command that mends it.
    var command: String?
    /// How long the check took, where that tells something.
    var milliseconds: Int?

    /// The finding as JSON.
    var json: JSONValue {
        [
            "check": .string(subject), "level": .string(level.rawValue), "message": .string(text),
            "command": command.map(JSONValue.string) ?? .null,
            "milliseconds": milliseconds.map { .int(Int64($0)) } ?? .null,
        ]
    }

    /// The finding for a person.
    func line(_ console: Console) -> String {
        let word =
            switch level {
            case .ok: console.styled("ok     ", .green)
            case .warning: console.styled("warning", .yellow)
            case .failed: console.styled("failed ", .red)
            }
        let mend = command.map { "\n         mend it with: \(console.styled($0, .bold))" } ?? ""
        let time = milliseconds.map { " (\($0) ms)" } ?? ""
        return "\(word)  \(subject): \(text)\(time)" + mend
    }
}

extension Finding {
    /// A problem that was found.
    init(_ subject: String, _ problem: Problem) {
        self.init(subject: subject, level: .failed, text: problem.sentence, command: problem.command)
    }
}
