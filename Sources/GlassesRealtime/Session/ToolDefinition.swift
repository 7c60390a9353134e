import GlassesDomain

/// A tool that the model may call.
public enum ToolDefinition: Sendable, Hashable {
    /// A function that the client runs.
    case function(FunctionTool)
    /// Tools of an MCP server that the *server* runs, as they came: they can hold credentials and are never logged.
    case mcp(serverLabel: String, raw: JSONValue)
    /// A kind that the protocol does not name, as it came.
    case other(JSONValue)
}

/// A function that the client runs.
public struct FunctionTool: Sendable, Hashable {
    /// The name, unique in its session.
    public var name: String
    /// What it does and when to use it.
    public var description: String?
    /// A JSON Schema of the arguments; nil for none.
    public var parameters: JSONValue?

    /// A function by its name.
    public init(name: String, description: String? = nil, parameters: JSONValue? = nil) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

extension ToolDefinition: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        switch try reader.require("type", or: "") {
        case "function":
            let name = try reader.require("name", or: "")
            let description = try reader.take("description", as: String.self)
            self = .function(
                FunctionTool(name: name, description: description, parameters: try reader.take("parameters")))
        case "mcp":
            self = .mcp(serverLabel: try reader.require("server_label", or: ""), raw: wire)
        default:
            self = .other(wire)
        }
    }

    var wire: JSONValue {
        switch self {
        case .function(let tool):
            var writer = ObjectWriter()
            writer.set("type", "function")
            writer.set("name", tool.name)
            writer.set("description", tool.description)
            writer.set("parameters", tool.parameters)
            return writer.value
        case .mcp(_, let raw), .other(let raw):
            return raw
        }
    }
}

/// Whether and which tool the model must call.
public enum ToolChoice: Sendable, Hashable {
    /// The model decides.
    case auto
    /// No tool.
    case none
    /// At least one tool.
    case required
    /// This function.
    case function(name: String)
    /// A tool of this MCP server; nil `name` for any of them.
    case mcp(serverLabel: String, name: String?)
    /// A choice that the protocol does not name, as it came.
    case other(JSONValue)
}

extension ToolChoice: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        switch (wire.stringValue, wire["type"]?.stringValue) {
        case ("auto", _): self = .auto
        case ("none", _): self = .none
        case ("required", _): self = .required
        case (_, "function"):
            // The chat-completions form nests the name; clients mix the two up.
            let nested = wire["function"].flatMap { $0.objectValue == nil ? nil : $0 }
            var reader = try ObjectReader(nested ?? wire, in: context)
            self = .function(name: try reader.require("name", or: ""))
        case (_, "mcp"):
            var reader = try ObjectReader(wire, in: context)
            self = .mcp(serverLabel: try reader.require("server_label", or: ""), name: try reader.take("name"))
        default: self = .other(wire)
        }
    }

    var wire: JSONValue {
        switch self {
        case .auto: return "auto"
        case .none: return "none"
        case .required: return "required"
        case .function(let name): return ["type": "function", "name": .string(name)]
        case .mcp(let serverLabel, let name):
            var writer = ObjectWriter()
            writer.set("type", "mcp")
            writer.set("server_label", serverLabel)
            writer.set("name", name)
            return writer.value
        case .other(let raw): return raw
        }
    }
}
