import GlassesDomain
import GlassesPipeline
import GlassesRealtime

/// The body of `POST /v1/chat/completions`, as far as a gateway looks into it.
struct ChatRequest: Equatable {
    /// The most messages of one request: far more than a conversation keeps.
    static let messageLimit = 2_048

    /// The model that is asked for; nil when the body names none.
    let model: String?
    /// Whether the answer is wanted in pieces, as server-sent events.
    let isStreamed: Bool
    /// Whether the last piece shall tell the usage.
    let wantsUsage: Bool
    /// The whole body, for a relay.
    let body: [String: JSONValue]

    /// Reads what every destination needs to know.
    init(body bytes: [UInt8]) throws(RealtimeErrorInfo) {
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: bytes)
        } catch {
            throw .invalidRequest(nil, "Send a JSON object as the body: \(error).", code: "invalid_json")
        }
        guard let members = tree.objectValue else {
            throw .invalidRequest(nil, "Send a JSON object as the body.", code: "invalid_json")
        }
        body = members
        model = try Self.optional(members, "model", "a text") { $0.stringValue }
        isStreamed = try Self.optional(members, "stream", "true or false") { $0.boolValue } ?? false
        let options = try Self.optional(members, "stream_options", "an object") { $0.objectValue } ?? [:]
        wantsUsage = options["include_usage"]?.boolValue ?? false
        let messages = try Self.optional(members, "messages", "a list") { $0.arrayValue } ?? []
        guard (1...Self.messageLimit).contains(messages.count) else {
            throw .invalidRequest("messages", "Send 1 to \(Self.messageLimit) messages.")
        }
    }

    /// A member that may be absent or null but must not be anything else.
    static func optional<Value>(
        _ members: [String: JSONValue], _ name: String, _ kind: String, at place: String = "",
        read: (JSONValue) -> Value?
    ) throws(RealtimeErrorInfo) -> Value? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let read = read(value) else {
            throw .invalidRequest(place + name, "Send \(kind).", code: "invalid_type")
        }
        return read
    }
}
