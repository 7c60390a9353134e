import GlassesDomain

extension ClientEvent {
    init(type: String, from reader: inout ObjectReader) throws(RealtimeCodecError) {
        switch type {
        case "session.update":
            self = .sessionUpdate(try reader.require("session", or: SessionUpdate()))
        case "transcription_session.update":
            var update = try reader.require("session", or: SessionUpdate())
            update.type = .transcription
            self = .sessionUpdate(update)
        case "input_audio_buffer.append":
            self = .inputAudioBufferAppend(audio: try reader.require("audio", or: Base64Bytes([])).bytes)
        case "input_audio_buffer.commit": self = .inputAudioBufferCommit
        case "input_audio_buffer.clear": self = .inputAudioBufferClear
        case "output_audio_buffer.clear": self = .outputAudioBufferClear
        case "conversation.item.create": self = .conversationItemCreate(try ItemCreation(from: &reader))
        case "conversation.item.retrieve":
            self = .conversationItemRetrieve(itemId: try reader.require("item_id", or: ""))
        case "conversation.item.truncate": self = .conversationItemTruncate(try ItemTruncation(from: &reader))
        case "conversation.item.delete": self = .conversationItemDelete(itemId: try reader.require("item_id", or: ""))
        case "response.create": self = .responseCreate(try reader.take("response"))
        case "response.cancel": self = .responseCancel(responseId: try reader.take("response_id"))
        default: self = .unknown(type: type, raw: .object(reader.members))
        }
    }

    /// Writes everything but `type` and `event_id`.
    func write(to writer: inout ObjectWriter) {
        switch self {
        case .sessionUpdate(let update): writer.set("session", update)
        case .inputAudioBufferAppend(let audio): writer.setAudio("audio", audio)
        case .inputAudioBufferCommit, .inputAudioBufferClear, .outputAudioBufferClear: break
        case .conversationItemCreate(let creation): creation.write(to: &writer)
        case .conversationItemTruncate(let truncation): truncation.write(to: &writer)
        case .conversationItemRetrieve(let itemId), .conversationItemDelete(let itemId):
            writer.set("item_id", itemId)
        case .responseCreate(let parameters): writer.set("response", parameters)
        case .responseCancel(let responseId): writer.set("response_id", responseId)
        case .unknown(_, let raw): writer.merge(raw.objectValue ?? [:])
        }
    }
}

extension ItemCreation: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        guard let item = try reader.take("item", as: ConversationItem.self) else {
            throw reader.context.child("item").missing
        }
        self.init(item: item, previousItemId: try reader.take("previous_item_id"))
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item", item)
        writer.set("previous_item_id", previousItemId)
    }
}

extension ItemTruncation: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        contentIndex = try reader.take("content_index") ?? 0
        audioEndMs = try reader.require("audio_end_ms", or: 0)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("content_index", contentIndex)
        writer.set("audio_end_ms", audioEndMs)
    }
}
