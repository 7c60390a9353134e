/// Speech that a connection was given and of which its provider has not told: the connection may be dead without anybody knowing,
/// and what was said since would be lost with it. It is held on the tape.
struct UnansweredSpeech {
    /// A provider that says anything so long after a sound, 8 s, has heard it and finds no speech in it: the longest time that audio waits
    /// on a connection that counts as alive, and what a provider takes to tell.
    static let tellingTime = 8 * RealtimeAudio.sampleRate

    private var listener: GapListener?
    private var isHolding = false
    /// Where the microphone was when the provider last said anything.
    private var lastWord = 0

    /// The provider said something.
    mutating func providerSpoke(at position: Int) { lastWord = position }

    /// Judges what is new on the tape of a connection that takes audio.
    mutating func listen(to tape: inout UtteranceTape) {
        // The provider has told of it.
        guard !tape.isKeeping else { return stop() }
        var listener = listener ?? GapListener(from: tape.position - 2 * UtteranceTape.window)
        let isSpeech = listener.listen(to: tape)
        self.listener = listener
        guard isSpeech, let start = listener.soundStart else { return }
        guard isHolding else {
            isHolding = true
            return tape.hold(sound: start)
        }
        guard tape.heldSound == nil || lastWord >= listener.soundEnd + Self.tellingTime else { return }
        tape.letGo()
        isHolding = false
        self.listener = GapListener(from: tape.position)
    }

    /// Nobody takes audio, or the provider has told of the speech.
    mutating func stop() {
        listener = nil
        isHolding = false
    }
}
