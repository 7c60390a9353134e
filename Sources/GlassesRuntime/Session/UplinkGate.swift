import GlassesAudio
import GlassesDomain

/// Keeps silence from the provider: open from 300 ms before the first sound that may be speech until so long after the last one that
/// the provider has heard the end of the turn.
struct UplinkGate {
    /// What is sent before the sound that opens it, in frames.
    static let preRoll = UtteranceTape.prefix

    private let hangover: Int
    private var detector: EnergyVAD?
    private let frame = RealtimeAudio.sampleRate / 50
    private var judged: Int
    /// The position until which it is open.
    private var openUntil: Int

    /// A gate that stays open for `hangoverMs` after speech, closed at a position of the tape.
    init(hangoverMs: Int, at position: Int) {
        hangover = hangoverMs * RealtimeAudio.sampleRate / 1000
        do {
            detector = try EnergyVAD(sampleRate: RealtimeAudio.sampleRate)
        } catch {
            detector = nil  // The realtime rate is one of those that the detector has.
        }
        judged = position
        openUntil = position
    }

    /// Judges what is new on the tape; whether it is to be sent.
    mutating func isOpen(to tape: UtteranceTape) -> Bool {
        let new = tape.samples(from: judged)
        judged = new.start
        var rest = new.samples
        while rest.count >= frame {
            let isVoiced = detector?.process(Array(rest.prefix(frame)).span).isVoiced ?? true
            rest = rest.dropFirst(frame)
            judged += frame
            if isVoiced { openUntil = judged + hangover }
        }
        // The provider hears somebody speak: it gets the end of that, too.
        return tape.isKeeping || openUntil >= tape.position
    }

    /// How long the microphone is sent on after speech, in milliseconds: what the provider takes for the end of a turn and some more. By
    /// meaning a turn may take 8 s of silence to end.
    static func hangover(_ detection: TurnDetection) -> Int {
        switch detection {
        case .serverVad(_, _, let silenceMs): min(max(silenceMs, 300), 10_000) + 500
        case .semanticVad: 8_500
        }
    }
}
