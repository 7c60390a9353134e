import GlassesAssistant
import GlassesDomain
import GlassesRealtime

/// Server events as the facts that the session machine takes.
enum ServerFacts {
    /// The facts of an event, in order; none for events that a session does not need.
    static func facts(of event: ServerEvent) -> [ServerFact] {
        switch event {
        case .sessionCreated(let session): [.sessionCreated(ServerSessionFacts(session))]
        case .sessionUpdated(let session): [.sessionUpdated(ServerSessionFacts(session))]
        case .inputAudioBufferSpeechStarted(let speech): [.speechStarted(itemID: speech.itemId)]
        case .inputAudioBufferSpeechStopped(let speech): [.speechStopped(itemID: speech.itemId)]
        case .inputAudioBufferCommitted(let buffer):
            [.utteranceCommitted(itemID: buffer.itemId, previousItemID: buffer.previousItemId)]
        case .conversationItemAdded(let placement):
            [
                .itemAdded(
                    itemID: placement.item.id ?? "", previousItemID: placement.previousItemId,
                    kind: ServerItemKind(placement.item))
            ]
        case .inputAudioTranscriptionCompleted(let completed):
            [.userTranscriptCompleted(itemID: completed.itemId, text: completed.transcript)]
        case .inputAudioTranscriptionFailed(let failed):
            [.userTranscriptFailed(itemID: failed.itemId, code: failed.error.code)]
        case .error(let info):
            [.errorReported(code: info.code, message: info.message, eventID: info.eventId)]
        default: answerFacts(of: event)
        }
    }

    private static func answerFacts(of event: ServerEvent) -> [ServerFact] {
        switch event {
        case .responseCreated(let response):
            [
                .answerCreated(
                    responseID: response.id, metadata: response.metadata ?? [:],
                    isOutOfBand: response.conversationId == nil && response.metadata?[AnswerRequest.requestKey] != nil)
            ]
        case .responseOutputItemAdded(let output):
            [
                .answerItemAdded(
                    responseID: output.responseId, itemID: output.item.id ?? "", kind: ServerItemKind(output.item))
            ]
        case .responseOutputItemDone(let output): functionCalls(in: [output.item], of: output.responseId)
        case .responseOutputAudioDone(let done):
            [.answerAudioDone(SegmentID(done.place))]
        case .responseOutputTextDelta(let text): [.answerTextReceived(SegmentID(text.place), text: text.text)]
        case .responseOutputTextDone(let text): [.answerTextDone(SegmentID(text.place), text: text.text)]
        case .responseOutputAudioTranscriptDelta(let text):
            [.answerTranscriptReceived(SegmentID(text.place), text: text.text)]
        case .responseOutputAudioTranscriptDone(let text):
            [.answerTranscriptDone(SegmentID(text.place), text: text.text)]
        case .responseDone(let response):
            functionCalls(in: response.output, of: response.id)
                + [.answerDone(responseID: response.id, status: AnswerStatus(response))]
        default: []
        }
    }

    private static func functionCalls(in items: [GlassesRealtime.ConversationItem], of responseID: String)
        -> [ServerFact]
    {
        items.compactMap { item in
            guard case .functionCall(let call) = item.body, item.status != .incomplete, item.status != .inProgress
            else {
                return nil
            }
            return .functionCallCompleted(
                responseID: responseID, itemID: item.id ?? "", callID: call.callId, name: call.name,
                arguments: call.arguments)
        }
    }
}

extension SegmentID {
    /// The segment at a place of a response.
    init(_ place: PartReference) {
        self.init(responseID: place.responseId, itemID: place.itemId, contentIndex: place.contentIndex)
    }
}

extension ServerSessionFacts {
    fileprivate init(_ session: RealtimeSession) {
        var voice: String?
        if case .named(let name) = session.output.voice { voice = name }
        let detection = session.input.turnDetection
        self.init(
            model: session.model, voice: voice, interruptsResponse: detection?.interruptsResponse ?? false,
            createsResponse: detection?.createsResponse ?? false)
    }
}

extension ServerItemKind {
    fileprivate init(_ item: GlassesRealtime.ConversationItem) {
        switch item.body {
        case .message(let message):
            switch message.role {
            case .user: self = .userMessage
            case .assistant: self = .assistantMessage
            case .system: self = .other
            }
        case .functionCall: self = .functionCall
        case .functionCallOutput: self = .functionCallOutput
        default: self = .other
        }
    }
}

extension AnswerStatus {
    fileprivate init(_ response: RealtimeResponse) {
        switch response.status {
        case .completed, .inProgress: self = .completed
        case .cancelled: self = .cancelled
        case .incomplete: self = .incomplete(reason: response.statusDetails?.reason?.rawValue)
        case .failed:
            let error = response.statusDetails?.error
            self = .failed(code: error?.code ?? error?.type, message: error?.message)
        }
    }
}
