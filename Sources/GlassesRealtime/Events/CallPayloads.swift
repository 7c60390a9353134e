import GlassesDomain

/// Which function call of a response an event is about.
public struct CallReference: Sendable, Hashable {
    /// The response; empty when the server left it out.
    public var responseId: String
    /// The call's item; empty when the server left it out.
    public var itemId: String
    /// The item's place in the response; 0 when the server left it out.
    public var outputIndex: Int
    /// The id that the result names; empty when the server left it out.
    public var callId: String

    /// A call.
    public init(responseId: String, itemId: String, outputIndex: Int = 0, callId: String) {
        self.responseId = responseId
        self.itemId = itemId
        self.outputIndex = outputIndex
        self.callId = callId
    }
}

/// A piece of a call's arguments.
public struct FunctionArgumentsDelta: Sendable, Hashable {
    /// The call.
    public var call: CallReference
    /// The new piece of JSON text.
    public var delta: String

    /// A piece of arguments.
    public init(call: CallReference, delta: String) {
        self.call = call
        self.delta = delta
    }
}

/// A call's arguments are complete.
public struct FunctionArgumentsDone: Sendable, Hashable {
    /// The call.
    public var call: CallReference
    /// The function; empty with beta servers: take it from the item then.
    public var name: String
    /// All arguments as JSON text.
    public var arguments: String

    /// Complete arguments.
    public init(call: CallReference, name: String, arguments: String) {
        self.call = call
        self.name = name
        self.arguments = arguments
    }
}

/// A piece of the arguments of an MCP call.
public struct MCPArgumentsDelta: Sendable, Hashable {
    /// The response; empty when the server left it out.
    public var responseId: String
    /// The call.
    public var call: MCPCallReference
    /// The new piece of JSON text.
    public var delta: String
    /// Random text that hides the length of the piece.
    public var obfuscation: String?

    /// A piece of arguments.
    public init(responseId: String, call: MCPCallReference, delta: String, obfuscation: String? = nil) {
        self.responseId = responseId
        self.call = call
        self.delta = delta
        self.obfuscation = obfuscation
    }
}

/// The arguments of an MCP call are complete.
public struct MCPArgumentsDone: Sendable, Hashable {
    /// The response; empty when the server left it out.
    public var responseId: String
    /// The call.
    public var call: MCPCallReference
    /// All arguments as JSON text.
    public var arguments: String

    /// Complete arguments.
    public init(responseId: String, call: MCPCallReference, arguments: String) {
        self.responseId = responseId
        self.call = call
        self.arguments = arguments
    }
}

/// Which MCP call an event is about.
public struct MCPCallReference: Sendable, Hashable {
    /// The call's item; empty when the server left it out.
    public var itemId: String
    /// The item's place in the response; 0 when the server left it out.
    public var outputIndex: Int

    /// A call.
    public init(itemId: String, outputIndex: Int = 0) {
        self.itemId = itemId
        self.outputIndex = outputIndex
    }
}

extension CallReference: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        responseId = try reader.require("response_id", or: "")
        itemId = try reader.require("item_id", or: "")
        outputIndex = try reader.take("output_index") ?? 0
        callId = try reader.require("call_id", or: "")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("response_id", responseId)
        writer.set("item_id", itemId)
        writer.set("output_index", outputIndex)
        writer.set("call_id", callId)
    }
}

extension FunctionArgumentsDelta: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        call = try CallReference(from: &reader)
        delta = try reader.require("delta", or: "")
    }

    func write(to writer: inout ObjectWriter) {
        call.write(to: &writer)
        writer.set("delta", delta)
    }
}

extension FunctionArgumentsDone: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        call = try CallReference(from: &reader)
        name = try reader.require("name", or: "")
        arguments = try reader.require("arguments", or: "")
    }

    func write(to writer: inout ObjectWriter) {
        call.write(to: &writer)
        writer.set("name", name)
        writer.set("arguments", arguments)
    }
}

extension MCPCallReference: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        outputIndex = try reader.take("output_index") ?? 0
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("output_index", outputIndex)
    }
}

extension MCPArgumentsDelta: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        responseId = try reader.require("response_id", or: "")
        call = try MCPCallReference(from: &reader)
        delta = try reader.require("delta", or: "")
        obfuscation = try reader.take("obfuscation")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("response_id", responseId)
        call.write(to: &writer)
        writer.set("delta", delta)
        writer.set("obfuscation", obfuscation)
    }
}

extension MCPArgumentsDone: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        responseId = try reader.require("response_id", or: "")
        call = try MCPCallReference(from: &reader)
        arguments = try reader.require("arguments", or: "")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("response_id", responseId)
        call.write(to: &writer)
        writer.set("arguments", arguments)
    }
}
