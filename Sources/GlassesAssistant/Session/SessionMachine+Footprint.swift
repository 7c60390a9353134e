extension SessionMachine {
    /// How many entries each collection of the session holds, and the most that it ever may, for tests of its bounds.
    package var footprint: [(name: String, entries: Int, most: Int)] {
        [
            ("history", history.entries.count, 2 * configuration.historyCap + ConversationHistory.neighbourLimit + 1),
            ("answers", answers.count, Limits.answers + 1),
            ("flushes", flushes.count, Limits.answers),
            ("calls", calls.count, Limits.calls),
            ("timers", deadlines.count, 2 * Limits.calls),
            ("outputItems", outputItems.count, Limits.calls),
            ("unacknowledged", unacknowledged.count, Limits.unacknowledged),
            ("leaving", leaving.count, Limits.answers),
            ("keptSpeech", speech.items.count, KeptSpeech.itemLimit),
            ("overdueBodies", ledger.overdueBodies, ToolLedger.places),
        ]
    }
}
