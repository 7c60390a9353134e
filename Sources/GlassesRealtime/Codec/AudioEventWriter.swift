import GlassesDomain

/// Writes the two events that carry audio without building a tree of values, byte for byte as the general way would.
///
/// `nil` leaves an event to the general way.
enum AudioEventWriter {
    /// Room for everything but the audio: names, four ids and two indices.
    private static let envelopeBytes = 320

    static func message(_ event: Identified<ServerEvent>) -> [UInt8]? {
        guard case .responseOutputAudioDelta(let delta) = event.event, event.extra.isEmpty else { return nil }
        var out = start(audio: delta.audio)
        out += "{\"content_index\":\(delta.place.contentIndex),\"delta\":\"".utf8
        out += Base64Bytes(delta.audio).text
        out += "\",\"event_id\":\(quoted(event.eventId ?? "")),\"item_id\":\(quoted(delta.place.itemId))".utf8
        out += ",\"output_index\":\(delta.place.outputIndex),\"response_id\":\(quoted(delta.place.responseId))".utf8
        out += ",\"type\":\"response.output_audio.delta\"}".utf8
        return out
    }

    static func message(_ event: Identified<ClientEvent>) -> [UInt8]? {
        guard case .inputAudioBufferAppend(let audio) = event.event, event.extra.isEmpty else { return nil }
        var out = start(audio: audio)
        out += "{\"audio\":\"".utf8
        out += Base64Bytes(audio).text
        out += "\"".utf8
        if let eventId = event.eventId { out += ",\"event_id\":\(quoted(eventId))".utf8 }
        out += ",\"type\":\"input_audio_buffer.append\"}".utf8
        return out
    }

    private static func start(audio: [UInt8]) -> [UInt8] {
        var out = [UInt8]()
        out.reserveCapacity(audio.count / 3 * 4 + envelopeBytes)
        return out
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).jsonText }
}
