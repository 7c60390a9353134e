import GlassesAssistant
import GlassesDomain
import GlassesRealtime

/// Commands of the session machine as client events.
enum WireCommands {
    /// The event and its id; `update` is the session's configuration, `cancelsByName` whether an answer may be named that is to end,
    /// `audio` what is kept of an item's utterance.
    static func event(
        for command: SessionCommand, update: SessionUpdate, cancelsByName: Bool = true, audio: (String) -> [Int16]?
    ) -> Identified<ClientEvent> {
        switch command {
        case .updateSession(let eventID): Identified(.sessionUpdate(update), eventId: eventID)
        case .createItem(let eventID, let item):
            Identified(.conversationItemCreate(ItemCreation(item: wireItem(item, audio))), eventId: eventID)
        case .insertItem(let eventID, let item, let previous):
            Identified(
                .conversationItemCreate(ItemCreation(item: wireItem(item, audio), previousItemId: previous)),
                eventId: eventID)
        case .requestAnswer(let eventID, let request):
            Identified(.responseCreate(parameters(of: request, audio)), eventId: eventID)
        case .cancelAnswer(let eventID, let responseID):
            Identified(
                .responseCancel(responseId: cancelsByName ? ServerFacts.wireID(ofResponse: responseID) : nil),
                eventId: eventID)
        case .truncateItem(let eventID, let itemID, let contentIndex, let milliseconds):
            Identified(
                .conversationItemTruncate(
                    ItemTruncation(itemId: itemID, contentIndex: contentIndex, audioEndMs: milliseconds)),
                eventId: eventID)
        case .deleteItem(let eventID, let itemID): Identified(.conversationItemDelete(itemId: itemID), eventId: eventID)
        case .commitInput(let eventID): Identified(.inputAudioBufferCommit, eventId: eventID)
        case .clearInput(let eventID): Identified(.inputAudioBufferClear, eventId: eventID)
        }
    }

    private static func wireItem(
        _ item: GlassesAssistant.ConversationItem, _ audio: (String) -> [Int16]?
    ) -> GlassesRealtime.ConversationItem {
        switch item {
        case .userAudio(let id):
            GlassesRealtime.ConversationItem(
                id: id,
                body: .message(
                    MessageItem(role: .user, content: [.inputAudio(audio: bytes(audio(id)), transcript: nil)])))
        case .userText(let id, let text): .userText(text, id: id)
        case .userPicture(let id, let picture, let prompt, let detail):
            GlassesRealtime.ConversationItem(
                id: id,
                body: .message(
                    MessageItem(
                        role: .user,
                        content: (prompt.map { [.inputText($0)] } ?? [])
                            + [.inputImage(url: picture.url, detail: detail == .auto ? nil : detail.rawValue)])))
        case .systemText(let id, let text):
            GlassesRealtime.ConversationItem(
                id: id, body: .message(MessageItem(role: .system, content: [.inputText(text)])))
        case .assistantText(let id, let text): .assistantText(text, id: id)
        case .functionCall(let id, let callID, let name, let arguments):
            GlassesRealtime.ConversationItem(
                id: id, body: .functionCall(FunctionCallItem(name: name, arguments: arguments, callId: callID)))
        case .functionCallOutput(let id, let callID, let output):
            .functionOutput(callId: callID, output: output, id: id)
        }
    }

    private static func bytes(_ samples: [Int16]?) -> [UInt8] {
        PCMBlock(samples: samples ?? [], sampleRate: RealtimeAudio.sampleRate).littleEndianBytes
    }

    private static func parameters(
        of request: AnswerRequest, _ audio: (String) -> [Int16]?
    ) -> ResponseParameters {
        var parameters = ResponseParameters()
        if request.isOutOfBand { parameters.conversation = ResponseParameters.Conversation.none }
        parameters.input = request.input?.map { wireItem($0, audio) }
        parameters.instructions = request.instructions
        parameters.metadata = request.metadata
        return parameters
    }
}
