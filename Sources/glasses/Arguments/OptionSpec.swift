/// An option of a command: its name, what follows it, and its line in the help.
struct OptionSpec: Sendable, Hashable {
    /// What follows the option's name.
    enum Value: Sendable, Hashable {
        /// Nothing: the option is there or not.
        case flag
        /// Any text; the name stands in the help.
        case text(String)
        /// One of these words.
        case choice([String])
        /// A number in a range; the name stands in the help.
        case number(String, ClosedRange<Double>)
    }

    /// The name with its two dashes.
    let name: String
    /// What follows it.
    let value: Value
    /// Whether it may be given several times.
    let isRepeatable: Bool
    /// What it does, for the help.
    let help: String

    init(_ name: String, _ value: Value = .flag, isRepeatable: Bool = false, help: String) {
        self.name = name
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// The option as the help writes it, such as `--device system|null`.
    var usage: String {
        switch value {
        case .flag: name
        case .text(let placeholder), .number(let placeholder, _): name + " " + placeholder
        case .choice(let words): name + " " + words.joined(separator: "|")
        }
    }

    /// Why `text` is no value of this option; nil when it is one.
    func objection(to text: String) -> String? {
        switch value {
        case .flag, .text: return nil
        case .choice(let words):
            if words.contains(text) { return nil }
            let near = Suggestion.nearest(to: text, among: words)
            return "\(name) takes \(words.joined(separator: " or ")), not '\(text)'" + Suggestion.question(near)
        case .number(_, let range):
            if let number = Double(text), range.contains(number) { return nil }
            return "\(name) takes a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound)), "
                + "not '\(text)'"
        }
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

extension OptionSpec {
    static let help = OptionSpec("--help", help: "Show this help.")
}
