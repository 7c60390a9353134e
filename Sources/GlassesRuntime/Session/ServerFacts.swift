import GlassesAssistant
import GlassesDomain
import GlassesRealtime

/// Server events as the facts that the session machine takes.
///
/// Response ids carry the number of their connection: a provider that was started anew may count its responses from the beginning,
/// and the machine must not take them for those that are over.
struct ServerFacts {
    let connection: ConnectionID

    /// The name by which the machine knows a response of this connection.
    func response(_ id: String) -> String { "\(connection.number):\(id)" }

    /// The name by which the provider knows a response.
    static func wireID(ofResponse name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The place of a response as a segment.
    func segment(_ place: PartReference) -> SegmentID {
        SegmentID(responseID: response(place.responseId), itemID: place.itemId, contentIndex: place.contentIndex)
    }

    /// The facts of an event, in order; none for events that a session does not need.
    func facts(of event: ServerEvent) -> [ServerFact] {
        switch event {
        case .sessionCreated(let session): [.sessionCreated(ServerSessionFacts(session))]
        case .sessionUpdated(let session): [.sessionUpdated(ServerSessionFacts(session))]
        case .inputAudioBufferSpeechStarted(let speech):
            [.speechStarted(itemID: speech.itemId, startMs: speech.audioStartMs)]
        case .inputAudioBufferSpeechStopped(let speech):
            [.speechStopped(itemID: speech.itemId, endMs: speech.audioEndMs)]
        case .inputAudioBufferCommitted(let buffer):
            [.utteranceCommitted(itemID: buffer.itemId, previousItemID: buffer.previousItemId)]
        case .conversationItemAdded(let placement):
            [
                .itemAdded(
                    itemID: placement.item.id ?? "", previousItemID: placement.previousItemId,
                    kind: ServerItemKind(placement.item))
            ]
        // Some servers send what they have understood so far under this name; the whole follows.
        case .inputAudioTranscriptionCompleted(let completed) where !completed.isPartial:
            [.userTranscriptCompleted(itemID: completed.itemId, text: completed.transcript)]
        case .inputAudioTranscriptionFailed(let failed):
            [.userTranscriptFailed(itemID: failed.itemId, code: failed.error.code)]
        case .error(let info):
            [.errorReported(code: info.code, message: info.message, eventID: info.eventId)]
        default: answerFacts(of: event)
        }
    }

    private func answerFacts(of event: ServerEvent) -> [ServerFact] {
        switch event {
        case .responseCreated(let response):
            [
                .answerCreated(
                    responseID: self.response(response.id), metadata: response.metadata ?? [:],
                    isOutOfBand: response.conversationId == nil && response.metadata?[AnswerRequest.requestKey] != nil)
            ]
        case .responseOutputItemAdded(let output):
            [
                .answerItemAdded(
                    responseID: self.response(output.responseId), itemID: output.item.id ?? "",
                    kind: ServerItemKind(output.item))
            ]
        case .responseOutputItemDone(let output): functionCalls(in: [output.item], of: output.responseId)
        case .responseOutputAudioDone(let done):
            [.answerAudioDone(segment(done.place))]
        case .responseOutputTextDelta(let text): [.answerTextReceived(segment(text.place), text: text.text)]
        case .responseOutputTextDone(let text): [.answerTextDone(segment(text.place), text: text.text)]
        case .responseOutputAudioTranscriptDelta(let text):
            [.answerTranscriptReceived(segment(text.place), text: text.text)]
        case .responseOutputAudioTranscriptDone(let text):
            [.answerTranscriptDone(segment(text.place), text: text.text)]
        case .responseDone(let response):
            functionCalls(in: response.output, of: response.id)
                + [.answerDone(responseID: self.response(response.id), status: AnswerStatus(response))]
        default: []
        }
    }

    private func functionCalls(in items: [GlassesRealtime.ConversationItem], of responseID: String)
        -> [ServerFact]
    {
        items.compactMap { item in
            guard case .functionCall(let call) = item.body, item.status != .incomplete, item.status != .inProgress
            else {
                return nil
            }
            return .functionCallCompleted(
                responseID: response(responseID), itemID: item.id ?? "", callID: call.callId, name: call.name,
                arguments: call.arguments)
        }
    }
}

extension ServerSessionFacts {
    fileprivate init(_ session: RealtimeSession) {
        var voice: String?
        if case .named(let name) = session.output.voice { voice = name }
        let detection = session.input.turnDetection
        self.init(
            model: session.model, voice: voice, interruptsResponse: detection?.interruptsResponse ?? false,
            createsResponse: detection?.createsResponse ?? false, expiresAt: session.expiresAt)
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
