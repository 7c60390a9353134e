import GlassesRealtime

/// A client whose connection was lost gives a new session the conversation so far. What in it waits for an answer follows from its
/// order alone.
extension Conversation {
    /// How our clients end an answer of which the rest was not heard.
    private static let cutMark = "…"

    /// Says that the client's item `id` has dealt with what stands before it: an answer with everything, a call with what the
    /// user said, so that the call is not made again.
    mutating func markAnswered(byReplayed id: String) {
        guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
        switch entries[index].item.body {
        case .message(let message) where message.role == .assistant:
            for earlier in entries[..<index] { update(earlier.id) { $0.isAnswered = true } }
        case .functionCall:
            for earlier in entries[..<index] where earlier.isUserMessage { update(earlier.id) { $0.isAnswered = true } }
        case .message, .functionCallOutput, .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse,
            .itemReference, .unknown:
            break
        }
    }

    /// When the conversation ends with an answer that was cut, and nothing else waits, an answer is asked for once more: what
    /// the cut one dealt with waits again.
    mutating func reopenCutAnswer() {
        guard let last = entries.last, last.isAssistantMessage, last.text.hasSuffix(Self.cutMark),
            !entries.contains(where: { $0.wantsAnswer && !$0.isAnswered })
        else { return }
        var hasCall = false
        for entry in entries.dropLast().reversed() {
            if entry.isAssistantMessage { return }
            if case .functionCall = entry.item.body { hasCall = true }
            if entry.wantsAnswer, !(hasCall && entry.isUserMessage) { update(entry.id) { $0.isAnswered = false } }
        }
    }
}

extension ConversationEntry {
    fileprivate var isUserMessage: Bool { isMessage(of: .user) }
    fileprivate var isAssistantMessage: Bool { isMessage(of: .assistant) }

    private func isMessage(of role: MessageRole) -> Bool {
        if case .message(let message) = item.body { message.role == role } else { false }
    }
}
