import GlassesDomain

/// Why bytes of a peer are not a realtime event.
///
/// It names the field and never quotes the content. A server answers a client's broken event with
/// ``RealtimeErrorInfo/init(_:)`` and keeps the session; a client counts a server's and goes on.
public struct RealtimeCodecError: Error, Sendable, Hashable {
    /// The kinds of failure; the raw value is the machine code.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The message is longer than the limit of the role.
        case messageTooLarge = "message_too_large"
        /// The message is not JSON.
        case invalidJSON = "invalid_json"
        /// The message is JSON, but no object with a `type`.
        case invalidEvent = "invalid_event"
        /// A required field is absent or null.
        case missingRequiredParameter = "missing_required_parameter"
        /// A field has the wrong JSON kind.
        case invalidType = "invalid_type"
        /// A field has the right kind and an impossible value.
        case invalidValue = "invalid_value"
    }

    /// What kind of failure it is.
    public let kind: Code
    /// The dotted path of the field, such as `session.audio.output.speed`; nil when no field is at fault.
    public let param: String?
    /// One sentence with the next step, without content of the message.
    public let message: String
    /// The `event_id` of the broken event, if it could be read.
    public internal(set) var eventId: String?

    init(_ kind: Code, param: String? = nil, message: String) {
        self.kind = kind
        self.param = param
        self.message = message
    }
}

extension RealtimeCodecError: ExtentosErrorDescription {
    /// The machine code, such as `invalid_json`.
    public var code: String { kind.rawValue }
    /// Always the peer: only received bytes are decoded.
    public var blame: Blame { .remote }
    /// The sentence.
    public var description: String { message }
}
