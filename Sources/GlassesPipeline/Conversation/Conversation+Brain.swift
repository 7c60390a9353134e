import GlassesDomain
import GlassesRealtime

extension Conversation {
    /// The conversation as a brain reads it, and the ids of what waits for an answer.
    func brainMessages(
        at now: MonotonicTime
    ) -> (context: [BrainMessage], pending: [BrainMessage], pendingIds: [String]) {
        var context: [BrainMessage] = []
        var pending: [BrainMessage] = []
        var pendingIds: [String] = []
        for entry in entries {
            guard let message = message(of: entry, at: now) else { continue }
            context.append(message)
            if entry.wantsAnswer, !entry.isAnswered {
                pending.append(message)
                pendingIds.append(entry.id)
            }
        }
        return (context, pending, pendingIds)
    }

    /// Nil for items that say nothing: an answer nobody heard, an utterance without words.
    private func message(of entry: ConversationEntry, at now: MonotonicTime) -> BrainMessage? {
        switch entry.item.body {
        case .message(let message):
            let text = entry.text
            if let url = entry.pictures.last {
                let age = entry.arrived.duration(to: now)
                return .picture(BrainPicture(url: url, caption: text, age: age))
            }
            guard text.contains(where: { !$0.isWhitespace }) else { return nil }
            switch message.role {
            case .system: return .system(text)
            case .user: return .user(text)
            case .assistant: return .assistant(text)
            }
        case .functionCall(let call):
            return .call(callId: call.callId, BrainFunctionCall(name: call.name, arguments: call.arguments))
        case .functionCallOutput(let result):
            let name = call(withId: result.callId)?.name ?? ""
            return .result(callId: result.callId, name: name, output: result.output)
        case .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse, .itemReference, .unknown:
            return nil
        }
    }
}
