import GlassesDomain

/// Which of the user's speech the driver keeps, so that a lost connection takes none of it: the utterance under way, and items that
/// the provider has not put into words yet.
struct KeptSpeech: Sendable, Hashable {
    /// Items with kept audio at once: a provider that falls further behind with its transcripts has lost some. 30 s each.
    static let itemLimit = 4

    /// Whether an utterance is kept that is no item yet.
    var isOpen = false
    /// Whether it was sent again and the provider has not heard speech in it yet.
    var isResent = false
    /// Where the utterance ended, in milliseconds of all audio of its connection; nil when nobody said.
    var endMs: Int?
    /// Items without words, oldest first.
    var items: [String] = []
}

extension SessionMachine {
    /// The provider hears speech: it is kept from its beginning on.
    mutating func keepSpeech(from startMs: Int?) {
        speech.isOpen = true
        speech.isResent = false
        speech.endMs = nil
        act(.microphone(.keepUtterance(startMs: startMs)))
    }

    /// Speech that begins while there is no connection is part of the conversation too.
    mutating func speechNoticed() {
        guard state == .reconnecting, isMicrophoneOpen, !speech.isOpen, !isPushToTalk else { return }
        keepSpeech(from: nil)
    }

    /// The utterance became an item. Its audio is kept until its words are known.
    mutating func commitSpeech(_ itemID: String) {
        guard speech.isOpen else { return }
        guard !itemID.isEmpty else { return forgetOpenSpeech() }
        act(.microphone(.commitUtterance(itemID: itemID, endMs: speech.endMs)))
        speech.isOpen = false
        speech.isResent = false
        speech.endMs = nil
        speech.items.append(itemID)
        while speech.items.count > KeptSpeech.itemLimit { forgetSpeech(speech.items[0]) }
    }

    /// The words of an item are known, or never will be.
    mutating func forgetSpeech(_ itemID: String) {
        guard let index = speech.items.firstIndex(of: itemID) else { return }
        speech.items.remove(at: index)
        act(.microphone(.forgetUtterance(itemID: itemID)))
    }

    /// Nothing comes of the utterance under way.
    mutating func forgetOpenSpeech() {
        guard speech.isOpen else { return }
        speech.isOpen = false
        speech.isResent = false
        speech.endMs = nil
        act(.microphone(.forgetUtterance(itemID: nil)))
    }

    /// A resent utterance is speech until the provider says otherwise: a lost answer waits for it.
    mutating func awaitResentSpeech() {
        guard speech.isOpen, uplink != nil, !isPushToTalk else { return }
        speech.isResent = true
        isUserSpeaking = true
        schedule(.utterance, after: Limits.resentSpeech)
        applyGate(.holdBegan(.userSpeaking))
    }

    /// The utterance takes longer than any, or a resent one held no speech.
    mutating func utteranceTimedOut() {
        guard !isPushToTalk else { return commitTurn() }
        let wasNone = speech.isResent
        forgetOpenSpeech()
        guard wasNone else { return speechStopped() }
        isUserSpeaking = false
        applyGate(.holdEnded(.userSpeaking))
    }
}
