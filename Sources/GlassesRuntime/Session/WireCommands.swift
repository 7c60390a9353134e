import GlassesAssistant
import GlassesDomain
import GlassesRealtime

/// Commands of the session machine as client events.
enum WireCommands {
    /// The event and its id; `update` is the session's configuration.
    static func event(for command: SessionCommand, update: SessionUpdate) -> Identified<ClientEvent> {
        switch command {
        case .updateSession(let eventID): Identified(.sessionUpdate(update), eventId: eventID)
        case .createItem(let eventID, let item):
            Identified(.conversationItemCreate(ItemCreation(item: wireItem(item))), eventId: eventID)
        case .requestAnswer(let eventID, let request):
            Identified(.responseCreate(parameters(of: request)), eventId: eventID)
        case .cancelAnswer(let eventID, let responseID):
            Identified(.responseCancel(responseId: responseID), eventId: eventID)
        case .truncateItem(let eventID, let itemID, let contentIndex, let milliseconds):
            Identified(
                .conversationItemTruncate(
                    ItemTruncation(itemId: itemID, contentIndex: contentIndex, audioEndMs: milliseconds)),
                eventId: eventID)
        case .deleteItem(let eventID, let itemID): Identified(.conversationItemDelete(itemId: itemID), eventId: eventID)
        case .clearInput(let eventID): Identified(.inputAudioBufferClear, eventId: eventID)
        }
    }

    private static func wireItem(_ item: GlassesAssistant.ConversationItem) -> GlassesRealtime.ConversationItem {
        switch item {
        case .userText(let id, let text): .userText(text, id: id)
        case .assistantText(let id, let text): .assistantText(text, id: id)
        case .functionCall(let id, let callID, let name, let arguments):
            GlassesRealtime.ConversationItem(
                id: id, body: .functionCall(FunctionCallItem(name: name, arguments: arguments, callId: callID)))
        case .functionCallOutput(let id, let callID, let output):
            .functionOutput(callId: callID, output: output, id: id)
        }
    }

    private static func parameters(of request: AnswerRequest) -> ResponseParameters {
        var parameters = ResponseParameters()
        if request.isOutOfBand { parameters.conversation = ResponseParameters.Conversation.none }
        parameters.input = request.input?.map(wireItem)
        parameters.instructions = request.instructions
        parameters.metadata = request.metadata
        return parameters
    }
}
