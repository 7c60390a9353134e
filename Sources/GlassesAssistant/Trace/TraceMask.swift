import GlassesDomain

/// What a trace keeps of the values of a session: ids, times, numbers, codes and the names of tools; of everything else the mask of its
/// letters (``LetterMask``).
///
/// It works on the JSON form, by the names of members, and whatever it does not know is masked: a member that somebody adds is private
/// until it is named here.
struct TraceMask: Sendable {
    private let isOn: Bool
    /// The names of tools and of their parameters, which are the app's own code.
    private let words: Set<String>
    private var letters = LetterMask()

    /// The mask for sessions of a configuration; `isOn` false keeps everything.
    init(_ configuration: SessionConfiguration, isOn: Bool) {
        self.isOn = isOn
        words = configuration.tools.reduce(into: Set(["name"])) { words, tool in
            words.insert(tool.name)
            Self.collectParameters(of: tool.schema, into: &words)
        }
    }

    private static func collectParameters(of schema: JSONValue, into words: inout Set<String>) {
        switch schema {
        case .object(let members):
            if case .object(let properties) = members["properties"] { words.formUnion(properties.keys) }
            for member in members.values { collectParameters(of: member, into: &words) }
        case .array(let elements): for element in elements { collectParameters(of: element, into: &words) }
        case .string, .int, .double, .bool, .null: break
        }
    }

    // MARK: - The parts of a trace

    /// An input.
    mutating func input(_ json: JSONValue) -> JSONValue { isOn ? masked(json, "") : json }

    /// An action; of a long list the number, a hash and the last element.
    mutating func action(_ json: JSONValue) -> JSONValue { Self.shortened(isOn ? masked(json, "") : json) }

    /// A configuration.
    mutating func configuration(_ json: JSONValue) -> JSONValue { isOn ? masked(json, "") : json }

    /// A verdict.
    mutating func verdict(_ verdict: TextVerdict) -> TextVerdict {
        guard isOn else { return verdict }
        let answer: JSONValue =
            switch verdict.question {
            case .sleepPhrase, .cancelPhrase, .wordsInterrupt, .toolKnown, .consentGiven, .consentAsked, .wordsChanged,
                .turnsChanged:
                verdict.answer
            case .argumentsValue, .argumentsFault, .argumentsProblem, .consentSentence: content(verdict.answer)
            case .callsNamed: masked(verdict.answer, "callID")
            }
        return TextVerdict(verdict.question, answer)
    }

    private static func shortened(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members): return .object(members.mapValues(shortened))
        case .array(let elements):
            guard elements.count > TraceLimits.listed, let last = elements.last else {
                return .array(elements.map(shortened))
            }
            let hash = TraceHash.text(of: json.jsonText.utf8)
            return ["count": .int(Int64(elements.count)), "hash": .string(hash), "last": shortened(last)]
        case .string, .int, .double, .bool, .null: return json
        }
    }

    // MARK: - By the names of members

    /// Members whose texts are ids, codes and names that the provider, the app's code or this program has given.
    private static let identifiers: Set<String> = [
        "id", "responseID", "itemID", "callID", "eventID", "previousItemID", "callId", "after", "code", "kind", "model",
        "voice", "provider", "providerName", "defaultModel", "reason", "detail", "enter", "hash", "randomSeed",
        "type", "required", "format",
    ]

    private mutating func masked(_ json: JSONValue, _ label: String) -> JSONValue {
        switch json {
        case .object(let members):
            if label == "metadata" { return ownMetadata(members) }
            var result: [String: JSONValue] = [:]
            for (key, value) in members {
                // Members without a name have that of what they belong to.
                let name = key.hasPrefix("_") ? label : key
                result[key] = name == "arguments" || name == "args" ? content(value) : masked(value, name)
            }
            return .object(result)
        case .array(let elements): return .array(elements.map { masked($0, label) })
        case .string(let text): return .string(masked(text, label))
        case .int, .double, .bool, .null: return json
        }
    }

    private mutating func masked(_ text: String, _ label: String) -> String {
        if Self.identifiers.contains(label) { return Self.identifier(text) }
        if label == "name", words.contains(text) { return text }
        // A summary is known by its beginning, which the session itself has written.
        if label == "text", text.hasPrefix(ConversationSummary.mark) {
            return ConversationSummary.mark + letters.masked(String(text.dropFirst(ConversationSummary.mark.count)))
        }
        return letters.masked(text)
    }

    /// What is no identifier by its looks may be somebody's words: its hash tells it apart as well.
    private static func identifier(_ text: String) -> String {
        let isPlain =
            text.utf8.count <= longestIdentifier
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ":", "/", "$": true
                default: false
                }
            }
        return isPlain ? text : "hash-" + TraceHash.text(of: text.utf8)
    }

    private static let longestIdentifier = 128

    /// Of what comes with an answer a session reads its own notes only.
    private func ownMetadata(_ members: [String: JSONValue]) -> JSONValue {
        .object(
            members.filter { $0.key == AnswerRequest.requestKey || $0.key == AnswerRequest.sayKey }.mapValues {
                .string(Self.identifier($0.stringValue ?? ""))
            })
    }

    // MARK: - What was said and done

    /// A value of a model's: its texts masked, its numbers as long as they were, its truths true.
    private mutating func content(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            var result: [String: JSONValue] = [:]
            for key in members.keys.sorted() {
                let name = words.contains(key) ? key : letters.masked(key)
                if result[name] == nil { result[name] = content(members[key] ?? .null) }
            }
            return .object(result)
        case .array(let elements): return .array(elements.map { content($0) })
        case .string(let text): return .string(letters.masked(text))
        case .int, .double: return Self.number(json)
        case .bool: return true
        case .null: return .null
        }
    }

    private static func number(_ json: JSONValue) -> JSONValue {
        let ones = String(json.jsonText.map { $0.isNumber ? "1" : $0 })
        if case .int = json { return Int64(ones).map(JSONValue.int) ?? .int(1) }
        return Double(ones).map(JSONValue.double) ?? .double(1.5)
    }
}
