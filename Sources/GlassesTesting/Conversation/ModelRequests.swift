import GlassesDomain
import GlassesRealtime

/// What the app asked of the scripted model and what it was given, as far as the script has not used it.
struct ModelRequests: Sendable {
    /// An answer that was asked for.
    struct Answer: Sendable, Hashable {
        /// The text to be spoken word for word; nil for an answer of the model's own.
        var text: String?
        var isOutOfBand: Bool
        var metadata: [String: String]?
    }

    private(set) var answers: [Answer] = []
    private(set) var outputs: [String: String] = [:]
    private(set) var pictures = 0
    private var isRead = 0
    private var connection: ObjectIdentifier?

    /// Reads what is new on a connection; a new one begins from its first message.
    mutating func read(_ newest: ScriptedConnection?) {
        guard let newest else { return }
        if connection != ObjectIdentifier(newest) {
            connection = ObjectIdentifier(newest)
            isRead = 0
            // Whoever asked on the lost connection asks again.
            answers = []
        }
        let sent = newest.sent
        for event in sent.dropFirst(isRead) { take(event) }
        isRead = sent.count
    }

    private mutating func take(_ event: ClientEvent) {
        switch event {
        case .responseCreate(let parameters):
            answers.append(
                Answer(
                    text: parameters?.input?.compactMap(\.spokenText).first,
                    isOutOfBand: parameters?.conversation == ResponseParameters.Conversation.none,
                    metadata: parameters?.metadata))
        case .conversationItemCreate(let creation):
            switch creation.item.body {
            case .functionCallOutput(let output): outputs[output.callId] = output.output
            case .message(let message): if message.content.contains(where: \.isPicture) { pictures += 1 }
            default: break
            }
        case .sessionUpdate, .inputAudioBufferAppend, .inputAudioBufferCommit, .inputAudioBufferClear,
            .outputAudioBufferClear, .conversationItemRetrieve, .conversationItemTruncate, .conversationItemDelete,
            .responseCancel, .unknown:
            break
        }
    }

    /// Takes the first request that fits; nil when there is none.
    mutating func takeAnswer(where fits: (Answer) -> Bool) -> Answer? {
        answers.firstIndex(where: fits).map { answers.remove(at: $0) }
    }

    /// Takes the output of a call.
    mutating func takeOutput(_ call: String) -> String? { outputs.removeValue(forKey: call) }
}

extension ConversationItem {
    fileprivate var spokenText: String? {
        guard case .message(let message) = body else { return nil }
        return message.content.compactMap(\.text).first
    }
}

extension ContentPart {
    fileprivate var isPicture: Bool { if case .inputImage = self { true } else { false } }
}
