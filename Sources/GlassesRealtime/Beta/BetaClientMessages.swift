import GlassesDomain

/// A client's messages in the form of the beta dialect, for servers that speak nothing newer.
public enum BetaClientMessages {
    /// `message` as a beta server takes it. What is the same in both forms, all audio among it, and what cannot be read passes as it
    /// came.
    public static func message(_ message: [UInt8]) -> [UInt8] {
        // Fifty a second; it is the same in both forms.
        if FlatObject(message)?.text("type") == "input_audio_buffer.append" { return message }
        let event: Identified<ClientEvent>
        do {
            event = try RealtimeCodec.decodeClientEvent(message)
        } catch {
            // The server answers what it cannot read, in its own words.
            return message
        }
        switch event.event {
        case .sessionUpdate(let update): return write(event, "session", session(update))
        case .responseCreate(let parameters?): return write(event, "response", response(parameters))
        case .conversationItemCreate(let creation):
            var members: [String: JSONValue] = ["item": item(creation.item.wire)]
            members["previous_item_id"] = creation.previousItemId.map(JSONValue.string)
            return write(event, members)
        case .inputAudioBufferAppend, .inputAudioBufferCommit, .inputAudioBufferClear, .outputAudioBufferClear,
            .conversationItemRetrieve, .conversationItemTruncate, .conversationItemDelete, .responseCreate(nil),
            .responseCancel, .unknown:
            return message
        }
    }

    private static func write(_ event: Identified<ClientEvent>, _ key: String, _ value: JSONValue) -> [UInt8] {
        write(event, [key: value])
    }

    private static func write(_ event: Identified<ClientEvent>, _ members: [String: JSONValue]) -> [UInt8] {
        var members = members.merging(event.extra) { known, _ in known }
        members["type"] = .string(event.event.type)
        members["event_id"] = event.eventId.map(JSONValue.string)
        return Array(JSONValue.object(members).jsonText.utf8)
    }

    /// The flat fields; those that the beta dialect has not are left out.
    private static func session(_ update: SessionUpdate) -> JSONValue {
        var writer = ObjectWriter(extra: update.extra)
        writer.set("modalities", update.outputModalities.map(modalities))
        writer.set("instructions", update.instructions)
        writer.set("voice", update.output.voice)
        writer.set("speed", update.output.speed)
        writer.set("input_audio_format", update.input.format.map(format))
        writer.set("output_audio_format", update.output.format.map(format))
        writer.set("input_audio_transcription", update.input.transcription)
        writer.set("input_audio_noise_reduction", update.input.noiseReduction)
        writer.set("turn_detection", update.input.turnDetection)
        writer.set("tools", update.tools)
        writer.set("tool_choice", update.toolChoice)
        writer.set("max_response_output_tokens", update.maxOutputTokens)
        return writer.value
    }

    private static func response(_ parameters: ResponseParameters) -> JSONValue {
        var writer = ObjectWriter(extra: parameters.extra)
        writer.set("modalities", parameters.outputModalities.map(modalities))
        writer.set("instructions", parameters.instructions)
        writer.set("voice", parameters.voice)
        writer.set("output_audio_format", parameters.audioFormat.map(format))
        writer.set("tools", parameters.tools)
        writer.set("tool_choice", parameters.toolChoice)
        writer.set("max_response_output_tokens", parameters.maxOutputTokens)
        writer.set("conversation", parameters.conversation.map(\.rawValue))
        writer.set("metadata", parameters.metadata)
        writer.set("input", parameters.input.map { JSONValue.array($0.map { item($0.wire) }) })
        return writer.value
    }

    /// Spoken output came with its words there, and only with them.
    private static func modalities(_ modalities: [Modality]) -> [Modality] {
        modalities == [.audio] ? [.audio, .text] : modalities
    }

    private static func format(_ format: AudioFormat) -> JSONValue {
        switch format {
        case .pcm: "pcm16"
        case .pcmu: "g711_ulaw"
        case .pcma: "g711_alaw"
        case .other(let raw): raw
        }
    }

    /// An item with the beta names of what an assistant said.
    private static func item(_ item: JSONValue) -> JSONValue {
        guard var members = item.objectValue, let content = members["content"]?.arrayValue else { return item }
        members["content"] = .array(
            content.map { part in
                guard var fields = part.objectValue, let type = fields["type"]?.stringValue else { return part }
                fields["type"] = .string(["output_text": "text", "output_audio": "audio"][type] ?? type)
                return .object(fields)
            })
        return .object(members)
    }
}
