import GlassesAudio

/// Hears whether somebody begins to speak while no connection takes the microphone's audio.
///
/// The provider's detector cannot say so then: of speech that began just before the connection was lost its word was still under way.
struct GapListener {
    private var detector: UtteranceDetector?
    /// Where the judged audio begins, and how far it goes, as positions of the tape.
    private var origin: Int
    private var judged: Int

    /// Listens from a position of the tape on.
    init(from position: Int) {
        do {
            detector = try UtteranceDetector(sampleRate: RealtimeAudio.sampleRate)
        } catch {
            detector = nil  // The realtime rate is one of those that the detector has.
        }
        origin = position
        judged = position
    }

    /// Judges what is new on the tape; the position where speech begins, if it does.
    mutating func listen(to tape: UtteranceTape) -> Int? {
        let new = tape.samples(from: judged)
        judged = new.start + new.samples.count
        for event in detector?.process(Array(new.samples)) ?? [] {
            if case .speechStarted(let start, _) = event { return origin + Int(start.frame) }
        }
        return nil
    }
}
