import GlassesAudio

/// Hears whether somebody begins to speak while no connection takes the microphone's audio.
///
/// The provider's detector cannot say so then: of speech that began just before the connection was lost its word was still under way.
struct GapListener {
    /// So much voiced sound is speech: 100 ms; less is a click or a cough.
    private static let onset = 5
    /// So much silence ends a sound that was too short: 100 ms.
    private static let pause = 5
    /// After so much silence whatever was said is over, and a provider has told of it: 500 ms.
    private static let end = 25

    private var detector: EnergyVAD?
    private let frame = RealtimeAudio.sampleRate / 50
    /// How far the tape is judged.
    private var judged: Int
    private var voiced = 0
    private var quiet = 0
    /// Where the sound under way begins, whether or not it is long enough for speech already.
    private(set) var soundStart: Int?
    /// Where its last voiced part ends.
    private(set) var soundEnd = 0

    /// Listens from a position of the tape on.
    init(from position: Int) {
        do {
            detector = try EnergyVAD(sampleRate: RealtimeAudio.sampleRate)
        } catch {
            detector = nil  // The realtime rate is one of those that the detector has.
        }
        judged = position
    }

    /// Judges what is new on the tape; true when somebody is speaking.
    mutating func listen(to tape: UtteranceTape) -> Bool {
        let new = tape.samples(from: judged)
        judged = new.start
        var rest = new.samples
        while rest.count >= frame {
            judge(Array(rest.prefix(frame)))
            rest = rest.dropFirst(frame)
            judged += frame
        }
        return voiced >= Self.onset
    }

    /// Where the sound begins that is still heard at the end of the tape, or was a moment ago; nil for silence.
    static func soundAtEnd(of tape: UtteranceTape) -> Int? {
        var listener = GapListener(from: tape.position - 2 * UtteranceTape.window)
        _ = listener.listen(to: tape)
        return listener.quiet < end ? listener.soundStart : nil
    }

    private mutating func judge(_ samples: [Int16]) {
        if detector?.process(samples.span).isVoiced ?? false {
            soundStart = soundStart ?? judged
            soundEnd = judged + frame
            voiced += 1
            quiet = 0
        } else {
            quiet += 1
            guard quiet >= Self.pause, voiced < Self.onset else { return }
            soundStart = nil
            voiced = 0
        }
    }
}
