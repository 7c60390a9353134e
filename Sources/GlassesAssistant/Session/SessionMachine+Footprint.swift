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

    /// Where everything stands without its names and times, for tests that tell machines apart.
    package var phase: [String] {
        let connection =
            switch link {
            case .none: "none"
            case .waiting: "waiting"
            case .opening: "opening"
            case .configuring: "configuring"
            case .replaying: "replaying"
            case .open: "open"
            case .closing: "closing"
            case .replacing: "replacing"
            }
        let other =
            switch second?.stage {
            case nil: "none"
            case .opening: "opening"
            case .configuring: "configuring"
            case .replaying: "replaying"
            }
        let flags = [
            isUserSpeaking, isPlaying, gate.isAnswering, gate.hasWish, ledger.isRunning, isLeaving, overlap != nil,
            pushedTurn != nil, speech.isOpen, isDeviceHere, isMicrophoneAllowed, history.entries.isEmpty, calls.isEmpty,
        ]
        return [connection, other] + flags.map { $0 ? "1" : "0" }
    }
}
