import GlassesDomain

/// The content of an `error` event, of a failed response or of a failed transcription.
public struct RealtimeErrorInfo: Error, Sendable, Hashable {
    /// One sentence for a person; never logged without the user's wish, since servers may quote content in it.
    public var message: String
    /// The family, such as `invalid_request_error` or `server_error`; empty when the server left it out.
    public var type: String
    /// The machine code, such as `response_cancel_not_active`.
    public var code: String?
    /// The dotted path of the field at fault.
    public var param: String?
    /// The `event_id` of the client event that caused it.
    public var eventId: String?
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue]

    /// An error with the given facts; `type` defaults to the family of all refused client events.
    public init(
        message: String, type: String = "invalid_request_error", code: String?, param: String? = nil,
        eventId: String? = nil, extra: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.type = type
        self.code = code
        self.param = param
        self.eventId = eventId
        self.extra = extra
    }

    /// What a server answers to a client event that could not be decoded.
    public init(_ error: RealtimeCodecError) {
        self.init(message: error.message, code: error.code, param: error.param, eventId: error.eventId)
    }

    static func invalidValue(_ param: String, _ message: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(message: message, code: "invalid_value", param: param)
    }

    static func missing(_ param: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(
            message: "Add the required field '\(param)'.", code: "missing_required_parameter", param: param)
    }
}

extension RealtimeErrorInfo: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        message = try reader.take("message") ?? ""
        type = try reader.take("type") ?? ""
        code = try reader.take("code")
        param = try reader.take("param")
        eventId = try reader.take("event_id")
        extra = reader.extra
    }

    /// Some servers send the sentence alone.
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        if case .string(let sentence) = wire {
            self.init(message: sentence, type: "", code: nil)
        } else {
            var reader = try ObjectReader(wire, in: context)
            try self.init(from: &reader)
        }
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("message", message)
        writer.set("type", type)
        writer.setNullable("code", code)
        writer.setNullable("param", param)
        writer.setNullable("event_id", eventId)
        writer.merge(extra)
    }
}
