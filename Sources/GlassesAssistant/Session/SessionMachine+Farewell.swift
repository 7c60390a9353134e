import GlassesDomain

extension SessionMachine {
    /// The model ends the conversation: the session sleeps when its goodbye was heard. An answer that has words has said it.
    mutating func endConversation(_ callID: String, _ responseID: String) {
        isLeaving = true
        let hasSpoken = answer(responseID)?.parts.contains { !$0.text.isEmpty } == true
        if hasSpoken { applyLedger(.spokenOf(callID: callID)) }
    }

    /// The user goes on after all.
    mutating func stayInConversation() { isLeaving = false }

    /// Sleeps once nothing is said, made or wanted any more.
    mutating func leaveIfOver() {
        guard isLeaving, state == .active, !isUserSpeaking, !isPlaying, !gate.isAnswering, !gate.hasWish,
            !ledger.isRunning, flushes.isEmpty, !answers.contains(where: { !$0.isOver })
        else { return }
        isLeaving = false
        sleepByItself(.requested)
    }
}
