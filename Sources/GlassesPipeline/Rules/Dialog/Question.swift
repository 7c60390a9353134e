import GlassesDomain

/// Words the question for a missing argument, from the parameter's name, type and description.
enum Question {
    /// One question, ending in a question mark.
    static func text(for parameter: ParameterSpec, of tool: String, profiles: [ToolProfile]) -> String {
        let name = parameter.nameWords.joined(separator: " ")
        switch parameter.kind {
        case .integer, .number:
            if let unit = parameter.timeUnit { return "For how many \(unit.plural)?" + range(parameter) }
            let counted = name.hasPrefix("number of ") ? String(name.dropFirst(10)) : name
            let isCount = counted.hasSuffix("s") || parameter.nameWords.contains("count")
            return (isCount ? "How many\(counted == "count" ? "" : " " + counted)?" : "What \(name) should I use?")
                + range(parameter)
        case .boolean: return "Should \(name) be on or off?"
        case .choice(let values): return choice(values, name)
        case .list(.choice(let values)): return choice(values, name)
        case .text, .list, .other: return textQuestion(parameter, name)
        }
    }

    private static func range(_ parameter: ParameterSpec) -> String {
        guard let minimum = parameter.minimum, let maximum = parameter.maximum, abs(minimum) < 1e6, abs(maximum) < 1e6
        else { return "" }
        return " It can be from \(spoken(minimum)) to \(spoken(maximum))."
    }

    private static func spoken(_ value: Double) -> String {
        Int64(exactly: value.rounded()).map { Double($0) == value ? String($0) : String(value) } ?? String(value)
    }

    /// Lists the choices, as long as one can keep them in mind.
    private static func choice(_ values: [JSONValue], _ name: String) -> String {
        let words = values.map {
            $0.stringValue.map { Words.split(identifier: $0).joined(separator: " ") } ?? $0.jsonText
        }
        guard (2...5).contains(words.count), let last = words.last else { return "Which \(name)?" }
        return "Which \(name): \(words.dropLast().joined(separator: ", ")) or \(last)?"
    }

    private static func textQuestion(_ parameter: ParameterSpec, _ name: String) -> String {
        switch parameter.role {
        case .time: "For what time?"
        case .date: "For which day?"
        case .moment: "For when?"
        case .duration: "For how long?"
        case .language: "In which language?"
        case .person:
            ["contact", "recipient", "person", "name", "to", "who"].contains(name)
                ? "Who should that be?" : "Which \(name)?"
        case .place: "Which \(["to", "where", "in", "at"].contains(name) ? "place" : name)?"
        case .origin: "From where?"
        case .creator, .list: "Which \(name)?"
        case .label, .topic: "What should the \(name) be?"
        case .expression: "What should I calculate?"
        case .content:
            ["query", "q", "search query"].contains(name) ? "What should I look for?" : "What should the \(name) be?"
        }
    }
}
