import GlassesDomain

/// Bytes of the OpenAI Realtime protocol to events and back, in both roles.
///
/// Decoding is liberal with servers and exact with clients; encoding is always the strict GA form. Pure functions,
/// callable on any thread.
public enum RealtimeCodec {
    /// Reads a server's message; throws ``RealtimeCodecError`` for what is no event at all.
    ///
    /// Wrong or missing fields are tolerated, names of the beta dialect are read as the GA ones.
    public static func decodeServerEvent(
        _ bytes: [UInt8], limit: Int = RealtimeLimits.clientInboundBytes
    ) throws(RealtimeCodecError) -> Identified<ServerEvent> {
        try checkSize(bytes, limit: limit)
        if let event = AudioEventScanner.outputAudioDelta(in: bytes) { return event }
        return try decodeServerTree(bytes)
    }

    /// Reads a client's message; throws ``RealtimeCodecError`` with the field and the `event_id` to answer with.
    public static func decodeClientEvent(
        _ bytes: [UInt8], limit: Int = RealtimeLimits.gatewayInboundBytes
    ) throws(RealtimeCodecError) -> Identified<ClientEvent> {
        try checkSize(bytes, limit: limit)
        if let event = AudioEventScanner.inputAudioAppend(in: bytes) { return event }
        return try decodeClientTree(bytes)
    }

    /// The message of a server; every event has an id there.
    public static func encode(_ event: ServerEvent, eventId: String) -> [UInt8] {
        encode(Identified(event, eventId: eventId))
    }

    /// The message of a server with the fields that came around the event; an event without id gets an empty one.
    public static func encode(_ event: Identified<ServerEvent>) -> [UInt8] {
        AudioEventWriter.message(event) ?? encodeTree(event)
    }

    /// The message of a client; `eventId` comes back in the error that the event causes.
    public static func encode(_ event: ClientEvent, eventId: String? = nil) -> [UInt8] {
        encode(Identified(event, eventId: eventId))
    }

    /// The message of a client with the fields that came around the event.
    public static func encode(_ event: Identified<ClientEvent>) -> [UInt8] {
        AudioEventWriter.message(event) ?? encodeTree(event)
    }
}

extension RealtimeCodec {
    /// The general way through a tree of values.
    static func decodeServerTree(_ bytes: [UInt8]) throws(RealtimeCodecError) -> Identified<ServerEvent> {
        var message = try Message(bytes, mode: .lenient)
        let type = message.type
        let event = try ServerEvent(type: BetaNames.modern(type), from: &message.reader)
        if case .unknown(_, let raw) = event {
            return Identified(.unknown(type: type, raw: raw), eventId: message.eventId)
        }
        return Identified(event, eventId: message.eventId, extra: message.reader.extra)
    }

    /// The general way through a tree of values.
    static func decodeClientTree(_ bytes: [UInt8]) throws(RealtimeCodecError) -> Identified<ClientEvent> {
        var message = try Message(bytes, mode: .strict)
        do {
            let event = try ClientEvent(type: message.type, from: &message.reader)
            if case .unknown = event { return Identified(event, eventId: message.eventId) }
            return Identified(event, eventId: message.eventId, extra: message.reader.extra)
        } catch {
            var named = error
            named.eventId = message.eventId
            throw named
        }
    }

    /// The general way through a tree of values.
    static func encodeTree(_ event: Identified<ServerEvent>) -> [UInt8] {
        var writer = ObjectWriter(extra: event.extra)
        event.event.write(to: &writer)
        writer.set("type", event.event.type)
        writer.set("event_id", event.eventId ?? "")
        return Array(writer.value.jsonText.utf8)
    }

    /// The general way through a tree of values.
    static func encodeTree(_ event: Identified<ClientEvent>) -> [UInt8] {
        var writer = ObjectWriter(extra: event.extra)
        event.event.write(to: &writer)
        writer.set("type", event.event.type)
        writer.set("event_id", event.eventId)
        return Array(writer.value.jsonText.utf8)
    }

    private static func checkSize(_ bytes: [UInt8], limit: Int) throws(RealtimeCodecError) {
        guard bytes.count > limit else { return }
        throw RealtimeCodecError(
            .messageTooLarge, message: "The message has \(bytes.count) bytes; send at most \(limit).")
    }
}

/// A message as a tree, with the two fields that every event has.
private struct Message {
    let type: String
    let eventId: String?
    var reader: ObjectReader

    init(_ bytes: [UInt8], mode: DecodingMode) throws(RealtimeCodecError) {
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: bytes)
        } catch {
            throw RealtimeCodecError(.invalidJSON, message: "Send one JSON object a message: \(error).")
        }
        guard let members = tree.objectValue, let type = members["type"]?.stringValue else {
            throw RealtimeCodecError(
                .invalidEvent, param: "type", message: "Send a JSON object with the event's name as 'type'.")
        }
        self.type = type
        reader = ObjectReader(members, in: DecodingContext(path: "", mode: mode))
        eventId = members["event_id"]?.stringValue
        reader.discard("type")
        if eventId != nil { reader.discard("event_id") }
    }
}
