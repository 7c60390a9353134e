import GlassesDomain

/// What a tool answered to one call.
public struct ToolAnswer: Sendable, Hashable {
    /// The call.
    public var call: BrainCall
    /// The output as the runtime sent it: plain text or JSON text.
    public var output: String
    /// Whether the tool failed.
    public var isError: Bool

    /// An answer whose failure is known.
    public init(call: BrainCall, output: String, isError: Bool) {
        self.call = call
        self.output = output
        self.isError = isError
    }

    /// The answer in a `function_call_output` item, whose wire form has no error flag.
    ///
    /// The runtime sends a failure as a JSON object whose only member is `error` with a text: `{"error":"no camera"}`.
    /// Exactly that counts as an error; an object with more members is a result.
    public init(call: BrainCall, output: String) {
        self.init(call: call, output: output, isError: SpokenResult.errorReason(in: output) != nil)
    }
}

/// Puts tool results into words.
public enum SpokenResult {
    /// The most "name: value" pairs of a result without a spoken field: a listener keeps no more in mind.
    public static let maximumScalars = 3

    /// What is said for the results of one round of calls, in call order, as one answer.
    ///
    /// Plain text is said as it is; JSON by its `speech`, `message` or `summary` field, or else as "name: value"
    /// for at most
    /// three scalars; an error as one sentence with its reason. A tool that answered nothing gets "Done."
    public static func spokenAnswer(for answers: [ToolAnswer]) -> String {
        let parts = answers.map(text).filter { !$0.isEmpty }
        guard !parts.isEmpty else { return "Done." }
        return parts.count == 1 ? parts[0] : parts.map(closed).joined(separator: " ")
    }

    /// The reason in `{"error":"…"}`; nil for any other text.
    static func errorReason(in output: String) -> String? {
        guard case .object(let members)? = json(output), members.count == 1 else { return nil }
        return members["error"]?.stringValue
    }

    private static func text(_ answer: ToolAnswer) -> String {
        let name = Words.split(identifier: answer.call.name).joined(separator: " ")
        if answer.isError {
            let reason = errorReason(in: answer.output) ?? answer.output
            let cleaned = reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return cleaned.isEmpty ? "Sorry, \(name) did not work." : closed("Sorry, \(name) did not work: \(cleaned)")
        }
        guard let value = json(answer.output) else { return answer.output.trimmed }
        return spoken(value)
    }

    private static func spoken(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            for key in ["speech", "message", "summary"] {
                if let text = members[key]?.stringValue?.trimmed, !text.isEmpty { return text }
            }
            let scalars = members.keys.sorted().compactMap { key in
                members[key].flatMap(scalar).map { "\(Words.split(identifier: key).joined(separator: " ")): \($0)" }
            }
            return scalars.prefix(maximumScalars).joined(separator: ", ")
        case .array(let elements): return elements.compactMap(scalar).prefix(maximumScalars).joined(separator: ", ")
        case .string, .int, .double, .bool: return scalar(value) ?? ""
        case .null: return ""
        }
    }

    private static func scalar(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text.trimmed
        case .int(let number): String(number)
        case .double(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .bool(let flag): flag ? "yes" : "no"
        case .object, .array, .null: nil
        }
    }

    /// JSON objects, arrays, strings and words; a bare number is plain text anyway.
    private static func json(_ output: String) -> JSONValue? {
        do { return try JSONValue(jsonText: output) } catch {
            // Not JSON, so it is plain text and said as it is.
            return nil
        }
    }

    private static func closed(_ sentence: String) -> String {
        guard let last = sentence.last, !".!?".contains(last) else { return sentence }
        return sentence + "."
    }
}

extension String {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
