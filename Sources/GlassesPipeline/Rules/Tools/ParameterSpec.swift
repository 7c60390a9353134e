import GlassesDomain

/// What the rules brain knows of one parameter, read from its JSON schema.
struct ParameterSpec: Sendable {
    /// The kinds of value that can be filled from speech.
    enum Kind: Equatable, Sendable {
        case integer, number, boolean
        case choice([JSONValue])
        case text
        /// A list of texts or choices.
        indirect case list(Kind)
        /// An object, a list of objects …: never filled from speech.
        case other
    }

    var name: String
    var kind: Kind
    var isRequired: Bool
    var minimum: Double?
    var maximum: Double?
    /// The unit that the name or the description gives a duration.
    var timeUnit: TimeUnit?
    /// The unit that the name or the description gives a temperature, length, weight or volume.
    var measureUnit: MeasureUnit?
    var role: TextRole
    /// The words of the name, and of the description, in lower case.
    var nameWords: [String]
    var descriptionWords: [String]
    /// A wanted notation of a clock time, from the description or `format`.
    var wantsTwentyFourHours: Bool

    init(name: String, schema: JSONValue, isRequired: Bool) {
        self.name = name
        self.isRequired = isRequired
        let description = schema["description"]?.stringValue ?? ""
        nameWords = Words.split(identifier: name)
        descriptionWords = Words.split(prose: description)
        kind = Self.kind(of: schema, depth: 0)
        minimum = schema["minimum"]?.doubleValue ?? schema["exclusiveMinimum"]?.doubleValue?.nextUp
        maximum = schema["maximum"]?.doubleValue ?? schema["exclusiveMaximum"]?.doubleValue?.nextDown
        let isNumeric = kind == .integer || kind == .number
        timeUnit = isNumeric ? Self.timeUnit(nameWords, descriptionWords) : nil
        measureUnit = isNumeric ? Self.measureUnit(nameWords, descriptionWords) : nil
        role = kind == .text ? TextRole(nameWords, descriptionWords) : .content
        let notation = description.uppercased()
        wantsTwentyFourHours =
            notation.contains("HH:MM") || notation.contains("24-HOUR") || notation.contains("24 HOUR")
            || Self.describesClock(schema["pattern"]?.stringValue ?? "")
    }

    /// A pattern such as `^[0-2][0-9]:[0-5][0-9]$` or `\\d{2}:\\d{2}`.
    private static func describesClock(_ pattern: String) -> Bool {
        let sides = pattern.split(separator: ":")
        return sides.count == 2 && sides.allSatisfy { $0.contains("\\d") || $0.contains("9]") }
    }

    /// A description names one unit, or leaves open which is meant.
    private static func measureUnit(_ name: [String], _ description: [String]) -> MeasureUnit? {
        if let unit = name.compactMap(MeasureUnit.init(word:)).last { return unit }
        let named = description.compactMap(MeasureUnit.init(word:))
        return named.allSatisfy { $0 == named.first } ? named.first : nil
    }

    /// The words that introduce its value in a sentence.
    var markers: Set<String> {
        // One goes to a destination, and is in a city.
        nameWords.contains("destination")
            ? role.markers.subtracting(["in", "of", "near", "on", "around"]) : role.markers
    }

    /// The stems of name and description.
    var stems: Set<String> { Set((nameWords + descriptionWords).map(Lemma.stem)) }

    private static func kind(of schema: JSONValue, depth: Int) -> Kind {
        if let values = schema["enum"]?.arrayValue, !values.isEmpty { return .choice(values.filter { !$0.isNull }) }
        if let alternatives = (schema["anyOf"] ?? schema["oneOf"])?.arrayValue, depth < 4 {
            let constants = alternatives.compactMap { $0["const"] }
            if !constants.isEmpty { return .choice(constants) }
            let first = alternatives.first { $0["type"]?.stringValue != "null" }
            return first.map { kind(of: $0, depth: depth + 1) } ?? .other
        }
        let type =
            schema["type"]?.stringValue ?? schema["type"]?.arrayValue?.compactMap(\.stringValue).first { $0 != "null" }
        switch type {
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        case "string": return .text
        case "array":
            guard depth < 1, let items = schema["items"] else { return depth < 1 ? .list(.text) : .other }
            let element = kind(of: items, depth: depth + 1)
            return element == .other ? .other : .list(element)
        case nil where schema["properties"] == nil && schema["items"] == nil: return .text
        default: return .other
        }
    }

    private static func timeUnit(_ name: [String], _ description: [String]) -> TimeUnit? {
        // "min" and "s" in a name are as often a minimum and a plural as units.
        if let unit = name.filter({ $0.count > 1 && $0 != "min" }).compactMap(TimeUnit.init(word:)).last { return unit }
        let measuresTime = !Set(name).isDisjoint(with: [
            "duration", "length", "delay", "timeout", "interval", "time", "period", "for", "wait", "snooze", "amount",
            "min", "offset", "position",
        ])
        let named = description.enumerated().first { index, word in
            guard word.count > 2, let unit = TimeUnit(word: word), unit != .second || word != "second" else {
                return false
            }
            let before = index > 0 ? description[index - 1] : ""
            return measuresTime || ["in", "of"].contains(before) || index == 0
        }
        return named.flatMap { TimeUnit(word: $0.element) }
    }
}

/// Cuts identifiers and prose into lower-case words.
enum Words {
    /// The words of `snake_case`, `camelCase`, `kebab-case` and `dotted.names`.
    static func split(identifier: String) -> [String] {
        var words: [String] = []
        var current = ""
        var previousIsLower = false
        for character in identifier {
            let isBoundary = !character.isLetter && !character.isNumber
            if isBoundary || (character.isUppercase && previousIsLower) {
                if !current.isEmpty { words.append(current.lowercased()) }
                current = ""
            }
            if !isBoundary { current.append(character) }
            previousIsLower = character.isLowercase
        }
        return current.isEmpty ? words : words + [current.lowercased()]
    }

    /// The words of a text.
    static func split(prose: String) -> [String] {
        prose.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }
}
