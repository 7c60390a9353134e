import GlassesDomain

/// A question that was asked, and the calls that wait for its answer.
struct PendingQuestion: Sendable {
    /// One call, perhaps not complete yet.
    struct Step: Sendable {
        var tool: String
        var arguments: [String: JSONValue]
        var missing: [ParameterSpec]

        init(match: ToolMatch, profiles: [ToolProfile]) {
            tool = profiles[match.tool].tool.name
            arguments = match.arguments
            missing = match.missing
        }

        var call: BrainCall { BrainCall(name: tool, arguments: .object(arguments)) }
    }

    var steps: [Step]
    /// The step that the question is about.
    var open: Int
    var parameter: ParameterSpec
    var question: String
    var asked: Int

    var tool: String { steps[open].tool }

    /// The steps that lack nothing.
    var completeSteps: [Step] { steps.filter(\.missing.isEmpty) }

    /// Puts the answer in.
    mutating func fill(_ value: JSONValue) {
        steps[open].arguments[parameter.name] = value
        steps[open].missing.removeAll { $0.name == parameter.name }
    }
}
