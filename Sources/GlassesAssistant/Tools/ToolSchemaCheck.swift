import GlassesDomain

/// What was wrong with a registered tool.
public struct ToolSchemaProblem: Sendable, Hashable, CustomStringConvertible {
    /// The tool's name.
    public var toolName: String
    /// The machine code: `invalid_name`, `duplicate_name`, `schema_not_object`, `schema_too_deep` or `schema_repaired`.
    public var code: String
    /// What was found, in words.
    public var detail: String
    /// Whether the tool is left out of the session; otherwise its schema was mended.
    public var isRejected: Bool

    /// A sentence with the next step.
    public var description: String {
        "Tool \"\(toolName)\" \(isRejected ? "is left out" : "was mended"): \(detail). Correct it where the tool is registered."
    }
}

/// Checks tools when they are registered, so that one bad schema cannot make a provider refuse the whole list.
public enum ToolSchemaCheck {
    /// A tool as it was registered; a nil schema means no arguments.
    public struct Candidate: Sendable, Hashable {
        /// The name that the model calls.
        public var name: String
        /// The JSON schema of its arguments.
        public var schema: JSONValue?
        /// A candidate.
        public init(name: String, schema: JSONValue?) {
            self.name = name
            self.schema = schema
        }
    }

    /// A tool that may be offered to a provider.
    public struct Accepted: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The schema, always an object schema.
        public var schema: JSONValue
    }

    /// The longest name that providers take.
    public static let longestName = 64
    /// The deepest schema that providers take is far below this.
    static let maximumDepth = 32

    /// The usable tools in their order, and one problem for each tool that was mended or left out.
    public static func check(_ candidates: [Candidate]) -> (accepted: [Accepted], problems: [ToolSchemaProblem]) {
        var accepted: [Accepted] = []
        var problems: [ToolSchemaProblem] = []
        var names: Set<String> = []
        for candidate in candidates {
            if let problem = nameProblem(candidate.name, taken: names) {
                problems.append(problem)
                continue
            }
            names.insert(candidate.name)
            var mender = ToolSchemaMender()
            switch mender.mend(candidate.schema) {
            case .success(let schema):
                accepted.append(Accepted(name: candidate.name, schema: schema))
                guard !mender.repairs.isEmpty else { continue }
                problems.append(
                    ToolSchemaProblem(
                        toolName: candidate.name, code: "schema_repaired",
                        detail: mender.repairs.joined(separator: "; "), isRejected: false))
            case .failure(let fault):
                problems.append(
                    ToolSchemaProblem(
                        toolName: candidate.name, code: fault.code, detail: fault.detail, isRejected: true))
            }
        }
        return (accepted, problems)
    }

    private static func nameProblem(_ name: String, taken: Set<String>) -> ToolSchemaProblem? {
        func problem(_ code: String, _ detail: String) -> ToolSchemaProblem {
            ToolSchemaProblem(toolName: name, code: code, detail: detail, isRejected: true)
        }
        if name.isEmpty { return problem("invalid_name", "its name is empty") }
        if name.utf8.count > longestName {
            return problem("invalid_name", "its name has more than \(longestName) characters")
        }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        if !isPlain { return problem("invalid_name", "its name may hold only letters, digits, _ and -") }
        if taken.contains(name) { return problem("duplicate_name", "another tool has the same name") }
        return nil
    }
}
