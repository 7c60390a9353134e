import GlassesDomain

/// A turn, or a part of one: who says it and its pieces.
public struct GeminiContent: Sendable, Hashable {
    /// `user` or `model`; nil when the peer left it out.
    public var role: String?
    /// The pieces in order.
    public var parts: [GeminiPart]

    /// Pieces that `role` says.
    public init(role: String?, parts: [GeminiPart]) {
        self.role = role
        self.parts = parts
    }

    /// What the user says.
    public static func user(_ parts: GeminiPart...) -> GeminiContent { GeminiContent(role: "user", parts: parts) }
    /// What the model said.
    public static func model(_ parts: GeminiPart...) -> GeminiContent { GeminiContent(role: "model", parts: parts) }
}

/// One piece of a turn.
public enum GeminiPart: Sendable, Hashable {
    /// Words; a thought is not meant for the user.
    case text(String, isThought: Bool)
    /// Audio or a picture.
    case inlineData(GeminiBlob)
    /// The model wants a function called.
    case functionCall(GeminiFunctionCall)
    /// The result of a call.
    case functionResponse(GeminiFunctionResponse)
    /// A kind that is not known here, as it came.
    case unknown(JSONValue)

    /// Words for the user.
    public static func text(_ text: String) -> GeminiPart { .text(text, isThought: false) }
}

/// A call of a function.
public struct GeminiFunctionCall: Sendable, Hashable {
    /// The id that the result names; empty when the peer left it out.
    public var id: String
    /// The function.
    public var name: String
    /// The arguments, an object.
    public var arguments: JSONValue

    /// A call.
    public init(id: String, name: String, arguments: JSONValue) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// The result of a call.
public struct GeminiFunctionResponse: Sendable, Hashable {
    /// The call that it answers; empty when the peer left it out.
    public var id: String
    /// The function that was called.
    public var name: String
    /// The result, an object: `output` or `error` by convention.
    public var response: JSONValue

    /// A result.
    public init(id: String, name: String, response: JSONValue) {
        self.id = id
        self.name = name
        self.response = response
    }
}

extension GeminiContent: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        role = try reader.take("role")
        parts = try reader.take("parts") ?? []
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("role", role)
        writer.set("parts", parts)
    }
}

extension GeminiPart: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        if let text = try reader.take("text", as: String.self) {
            self = .text(text, isThought: try reader.take("thought") ?? false)
        } else if let blob = try reader.takeSpelled("inlineData", as: GeminiBlob.self) {
            self = .inlineData(blob)
        } else if let call = try reader.takeSpelled("functionCall", as: GeminiFunctionCall.self) {
            self = .functionCall(call)
        } else if let response = try reader.takeSpelled("functionResponse", as: GeminiFunctionResponse.self) {
            self = .functionResponse(response)
        } else {
            self = .unknown(wire)
        }
    }

    var wire: JSONValue {
        var writer = ObjectWriter()
        switch self {
        case .text(let text, let isThought):
            writer.set("text", text)
            if isThought { writer.set("thought", true) }
        case .inlineData(let blob): writer.set("inlineData", blob)
        case .functionCall(let call): writer.set("functionCall", call)
        case .functionResponse(let response): writer.set("functionResponse", response)
        case .unknown(let raw): return raw
        }
        return writer.value
    }
}

extension GeminiFunctionCall: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        id = try reader.take("id") ?? ""
        name = try reader.require("name", or: "")
        arguments = try reader.take("args") ?? [:]
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("id", id.isEmpty ? nil : id)
        writer.set("name", name)
        writer.set("args", arguments)
    }
}

extension GeminiFunctionResponse: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        id = try reader.take("id") ?? ""
        name = try reader.take("name") ?? ""
        response = try reader.take("response") ?? [:]
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("id", id.isEmpty ? nil : id)
        writer.set("name", name)
        writer.set("response", response)
    }
}
