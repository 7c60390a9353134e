/// Reads the two events that carry audio, fifty a second in each direction, without building a tree of values.
///
/// `nil` leaves a message to the general way, which gives the same result for every message that is read here.
enum AudioEventScanner {
    private static let deltaTypes: Set<String> = ["response.output_audio.delta", "response.audio.delta"]
    private static let deltaFields: Set<String> = [
        "type", "event_id", "response_id", "item_id", "output_index", "content_index", "delta",
    ]
    private static let appendFields: Set<String> = ["type", "event_id", "audio"]

    static func outputAudioDelta(in bytes: [UInt8]) -> Identified<ServerEvent>? {
        guard let object = FlatObject(bytes), let type = object.text("type"), deltaTypes.contains(type),
            deltaFields.isSuperset(of: object.fields.keys),
            let responseId = object.text("response_id"), let itemId = object.text("item_id"),
            let outputIndex = object.index("output_index"), let contentIndex = object.index("content_index"),
            let eventId = object.text("event_id"), let audio = object.audio("delta")
        else { return nil }
        let place = PartReference(
            responseId: responseId, itemId: itemId, outputIndex: outputIndex, contentIndex: contentIndex)
        return Identified(.responseOutputAudioDelta(OutputAudio(place: place, audio: audio)), eventId: eventId)
    }

    static func inputAudioAppend(in bytes: [UInt8]) -> Identified<ClientEvent>? {
        guard let object = FlatObject(bytes), object.text("type") == "input_audio_buffer.append",
            appendFields.isSuperset(of: object.fields.keys), let audio = object.audio("audio")
        else { return nil }
        let eventId = object.text("event_id")
        // An id that is a number is for the general way, which keeps it among the extra fields.
        if eventId == nil, object.fields["event_id"] != nil { return nil }
        return Identified(.inputAudioBufferAppend(audio: audio), eventId: eventId)
    }
}
