import GlassesDomain
import GlassesRealtime

/// The request of a chat brain as JSON.
enum ChatRequestBody {
    static func json(of request: BrainRequest, model: String?, messages: [JSONValue]) -> JSONValue {
        var members: [String: JSONValue] = [
            "messages": .array(messages), "stream": true, "stream_options": ["include_usage": true],
        ]
        if let model { members["model"] = .string(model) }
        if let limit = request.maxTokens { members["max_completion_tokens"] = .int(Int64(limit)) }
        let choice = choice(request.toolChoice)
        if !request.tools.isEmpty, choice != "none" {
            members["tools"] = .array(request.tools.map(tool))
            // What servers do anyway is not said: some do not know the field.
            if choice != "auto" { members["tool_choice"] = choice }
        }
        return .object(members)
    }

    private static func tool(_ tool: FunctionTool) -> JSONValue {
        var function: [String: JSONValue] = [
            "name": .string(tool.name),
            "parameters": tool.parameters ?? ["type": "object", "properties": [:]],
        ]
        if let description = tool.description { function["description"] = .string(description) }
        return ["type": "function", "function": .object(function)]
    }

    private static func choice(_ choice: GlassesRealtime.ToolChoice) -> JSONValue {
        switch choice {
        case .auto: "auto"
        case .required: "required"
        case .function(let name): ["type": "function", "function": ["name": .string(name)]]
        // Tools of servers and choices that nobody knows are not there.
        case .none, .mcp, .other: "none"
        }
    }
}
