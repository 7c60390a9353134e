import GlassesDomain
import GlassesRealtime

extension PipelineMachine {
    mutating func createItem(_ creation: ItemCreation, eventId: String?) {
        if let problem = rules.problem(of: creation.item) ?? conflict(with: creation.item) {
            return refuse(problem, eventId: eventId)
        }
        var item = creation.item
        if case .functionCall(var call) = item.body, call.callId.isEmpty {
            call.callId = makeId("call_")
            item.body = .functionCall(call)
        }
        let id = item.id ?? makeId("item_")
        var entry = ConversationEntry(id: id, item: item)
        entry.arrived = now
        guard conversation.insert(entry, after: creation.previousItemId) else {
            let message = "No item has that id. Send the id of an item, \"root\", or leave previous_item_id out."
            return refuse(.refusal("previous_item_id", message), eventId: eventId)
        }
        conversation.markAnswered(byReplayed: id)
        announce(entry)
        if !entry.audio.isEmpty, entry.recognizedText == nil {
            recognize(itemId: id, samples: entry.audio, wantsAnswer: false)
        }
    }

    /// `conversation.item.added` and `.done` of an item that is complete from the start.
    mutating func announce(_ entry: ConversationEntry) {
        let placement = ItemPlacement(item: entry.item, previousItemId: conversation.predecessor(of: entry.id))
        send(.conversationItemAdded(placement))
        send(.conversationItemDone(placement))
    }

    private func conflict(with item: ConversationItem) -> RealtimeErrorInfo? {
        if let id = item.id, conversation[id] != nil || utterance?.itemId == id {
            return .refusal("item.id", "An item has that id already. Send another id, or none.")
        }
        guard case .functionCallOutput(let result) = item.body else { return nil }
        if conversation.call(withId: result.callId) == nil {
            return .refusal("item.call_id", "No function_call has that call_id.")
        }
        if conversation.hasResult(forCall: result.callId) {
            return .refusal("item.call_id", "That function_call has its output already.")
        }
        return nil
    }

    mutating func retrieveItem(_ itemId: String, eventId: String?) {
        guard let entry = conversation[itemId] else {
            return refuse(Self.unknownItem("item_retrieve_invalid_item_id"), eventId: eventId)
        }
        send(.conversationItemRetrieved(entry.itemWithAudio))
    }

    mutating func deleteItem(_ itemId: String, eventId: String?) {
        guard conversation.remove(itemId) != nil else {
            return refuse(Self.unknownItem("item_delete_invalid_item_id"), eventId: eventId)
        }
        if recognitions.removeValue(forKey: itemId) != nil {
            actions.work.append(.cancelRecognition(itemId: itemId))
            actions.work.append(.cancelTimer(.recognition(itemId: itemId)))
            transcriptsChanged(failure: nil, hasHeardNothing: false)
        }
        send(.conversationItemDeleted(itemId: itemId))
    }

    /// Cuts spoken output where the user stopped hearing it; the words behind it leave the conversation.
    mutating func truncateItem(_ truncation: ItemTruncation, eventId: String?) {
        guard let entry = conversation[truncation.itemId] else {
            return refuse(Self.unknownItem("item_truncate_invalid_item_id"), eventId: eventId)
        }
        guard let spoken = entry.spoken else {
            let error = RealtimeErrorInfo(
                message: "Only model output audio messages can be truncated.", code: "unsupported_content_type",
                param: "item_id")
            return refuse(error, eventId: eventId)
        }
        guard truncation.contentIndex == 0 else {
            return refuse(.refusal("content_index", "The item has one content part, 0."), eventId: eventId)
        }
        guard truncation.audioEndMs >= 0 else {
            return refuse(.refusal("audio_end_ms", "Send 0 ms or more."), eventId: eventId)
        }
        let sent = min(spoken.samples, entry.cut ?? .max)
        let sentMs = sent * 1_000 / PipelineLimits.sampleRate
        guard truncation.audioEndMs <= sentMs else {
            let message = "Audio content of \(sentMs)ms is already shorter than \(truncation.audioEndMs)ms"
            return refuse(.refusal("audio_end_ms", message), eventId: eventId)
        }
        let cut = truncation.audioEndMs * PipelineLimits.sampleRate / 1_000
        conversation.update(truncation.itemId) { entry in
            entry.cut = cut
            entry.audio = Array(entry.audio.prefix(cut))
            entry.setTranscript(spoken.heard(upTo: cut))
        }
        send(.conversationItemTruncated(truncation))
    }

    private static func unknownItem(_ code: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(message: "No item of this conversation has that id.", code: code, param: "item_id")
    }
}
