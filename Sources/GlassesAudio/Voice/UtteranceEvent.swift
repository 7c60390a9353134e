/// What an ``UtteranceDetector`` found.
public enum UtteranceEvent: Sendable, Hashable {
    /// An utterance began at `start`; `audio` is everything of it so far, prefix padding included.
    case speechStarted(start: AudioOffset, audio: [Int16])
    /// The utterance goes on with these samples.
    case speechContinued([Int16])
    /// The utterance is silent for ``EndpointerConfig/pauseMs``; it may go on.
    case speechPaused
    /// The utterance goes on after a pause; the audio that ended it was delivered.
    case speechResumed
    /// The utterance is over; all of its audio was delivered.
    case speechStopped(end: AudioOffset, lastVoiced: AudioOffset, reason: Endpointer.StopReason)
    /// The other judge lost its place, and the detector judges by energy from here on; nothing of the audio is lost.
    case judgeLost(JudgeLoss)
}

/// Why another judge lost its place.
public enum JudgeLoss: String, Sendable, Hashable {
    /// It said that it failed.
    case failed
    /// Its judgements came more than ``UtteranceDetector/longestLag`` after the audio.
    case lagged
    /// More audio came at once than is kept for it.
    case overrun
}
