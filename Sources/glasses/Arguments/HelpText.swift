/// Writes help from the tables, 80 columns wide.
enum HelpText {
    private static let width = 80

    /// The help of one command.
    static func text(of spec: CommandSpec) -> String {
        let positional = spec.positional.map { " " + $0.name } ?? ""
        var sections = ["Usage: glasses \(spec.name) [options]\(positional)"]
        sections += ([spec.summary] + spec.details).map { wrapped($0, indent: 0) }
        if let positional = spec.positional {
            sections.append("Arguments:\n" + table([(positional.name, positional.help)]))
        }
        sections.append("Options:\n" + table(spec.allOptions.map { ($0.usage, $0.help) }))
        if !spec.examples.isEmpty {
            sections.append("Examples:\n" + spec.examples.map { "  " + $0 }.joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n")
    }

    /// The list of commands whose names begin with `prefix`, or of all.
    static func overview(of specs: [CommandSpec], prefix: String? = nil) -> String {
        let listed = specs.filter { spec in prefix.map { spec.name.hasPrefix($0 + " ") } ?? true }
        let command = prefix.map { $0 + " COMMAND" } ?? "COMMAND"
        return [
            "Usage: glasses \(command) [options]",
            wrapped("A voice assistant for smart glasses and everything that can stand in for them.", indent: 0),
            "Commands:\n" + table(listed.map { ($0.name, $0.summary) }),
            wrapped(
                "'glasses help COMMAND' or 'glasses COMMAND --help' shows a command's options. Exit codes: 0 all is well, 1 a "
                    + "part of the work could not be done, 2 the command line is wrong, 3 a device, plugin or speech engine is not available, 4 the gateway refused, "
                    + "or an answer did not come.", indent: 0),
        ].joined(separator: "\n\n")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let column = min(26, (rows.map(\.0.count).max() ?? 0) + 4)
        return rows.map { left, right in
            let text = wrapped(right, indent: column)
            if left.count + 3 > column { return "  \(left)\n\(text)" }
            return "  " + left + text.dropFirst(left.count + 2)
        }.joined(separator: "\n")
    }

    /// Breaks `text` between words; every line begins with `indent` spaces.
    static func wrapped(_ text: String, indent: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(line)
        let margin = String(repeating: " ", count: indent)
        return lines.map { margin + $0 }.joined(separator: "\n")
    }
}
