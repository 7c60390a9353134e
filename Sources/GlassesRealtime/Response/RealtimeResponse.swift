import GlassesDomain

/// One answer of the model, as `response.created` and `response.done` carry it.
public struct RealtimeResponse: Sendable, Hashable {
    /// The id; empty when the server left it out.
    public var id: String
    /// How far it is.
    public var status: ResponseStatus
    /// Why it ended so.
    public var statusDetails: ResponseStatusDetails?
    /// Its items, without audio bytes.
    public var output: [ConversationItem]
    /// The conversation; nil when the response is out of band.
    public var conversationId: String?
    /// What it produces; nil when the server did not say.
    public var outputModalities: [Modality]?
    /// The format of its audio.
    public var audioFormat: AudioFormat?
    /// Its voice.
    public var voice: Voice?
    /// The longest answer.
    public var maxOutputTokens: TokenLimit?
    /// The pairs of the `response.create` that asked for it.
    public var metadata: [String: String]?
    /// Its tokens; nil until it is done.
    public var usage: Usage?
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// A response.
    public init(
        id: String, status: ResponseStatus, statusDetails: ResponseStatusDetails? = nil,
        output: [ConversationItem] = [], conversationId: String? = nil, metadata: [String: String]? = nil,
        usage: Usage? = nil
    ) {
        self.id = id
        self.status = status
        self.statusDetails = statusDetails
        self.output = output
        self.conversationId = conversationId
        self.metadata = metadata
        self.usage = usage
    }
}

/// How far a response is.
public enum ResponseStatus: String, Sendable, Hashable, CaseIterable {
    case inProgress = "in_progress"
    case completed
    case cancelled
    case failed
    case incomplete
}

/// Why a response ended as it did.
public struct ResponseStatusDetails: Sendable, Hashable {
    /// The status again; nil when the server left it out.
    public var type: ResponseStatus?
    /// Why it was cancelled or is incomplete.
    public var reason: ResponseEndReason?
    /// Why it failed.
    public var error: RealtimeErrorInfo?

    /// Details.
    public init(type: ResponseStatus?, reason: ResponseEndReason? = nil, error: RealtimeErrorInfo? = nil) {
        self.type = type
        self.reason = reason
        self.error = error
    }
}

/// Why a response was cancelled or is incomplete; servers may have reasons of their own.
public struct ResponseEndReason: WireName, Sendable, Hashable {
    /// The name on the wire.
    public var rawValue: String
    /// A reason by its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The user began to speak.
    public static let turnDetected = ResponseEndReason(rawValue: "turn_detected")
    /// The client sent `response.cancel`.
    public static let clientCancelled = ResponseEndReason(rawValue: "client_cancelled")
    /// The answer reached its longest length.
    public static let maxOutputTokens = ResponseEndReason(rawValue: "max_output_tokens")
    /// The answer was held back.
    public static let contentFilter = ResponseEndReason(rawValue: "content_filter")
}

extension RealtimeResponse: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        let id = try reader.require("id", or: "")
        reader.discard("object")
        self.init(id: id, status: try reader.require("status", or: .inProgress))
        statusDetails = try reader.take("status_details")
        output = try reader.take("output") ?? []
        conversationId = try reader.take("conversation_id")
        let betaModalities = try reader.take("modalities", as: [Modality].self)
        outputModalities = try reader.take("output_modalities") ?? betaModalities
        let audio = try reader.take("audio", as: ResponseAudio.self)
        audioFormat = try reader.take("output_audio_format") ?? audio?.format
        voice = try reader.take("voice") ?? audio?.voice
        maxOutputTokens = try reader.take("max_output_tokens")
        metadata = try reader.take("metadata")
        usage = try reader.take("usage")
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("id", id)
        writer.set("object", "realtime.response")
        writer.set("status", status)
        writer.setNullable("status_details", statusDetails)
        writer.set("output", output)
        writer.setNullable("conversation_id", conversationId)
        writer.set("output_modalities", outputModalities)
        writer.set("audio", ResponseAudio(format: audioFormat, voice: voice))
        writer.set("max_output_tokens", maxOutputTokens)
        writer.setNullable("metadata", metadata)
        writer.setNullable("usage", usage)
        writer.merge(extra)
    }
}

extension ResponseStatus: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let status = ResponseStatus(rawValue: try String(wire: wire, in: context)) else {
            throw context.wrongValue(expected: "one of the five response states")
        }
        self = status
    }

    var wire: JSONValue { .string(rawValue) }
}

extension ResponseStatusDetails: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        type = try reader.take("type")
        reason = try reader.take("reason")
        error = try reader.take("error")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("type", type)
        writer.set("reason", reason)
        writer.set("error", error)
    }
}
