import GlassesAudio

/// Measures stretches of speech on the tape: how long the one under way is, again and again, and how long it was when it ended.
struct SpeechStretches {
    /// A stretch so far.
    struct Measured: Sendable, Equatable {
        /// From its first to its last voiced sound.
        var milliseconds: Int
        var isOver: Bool
    }

    private static let frameMs = 20
    /// So much silence ends a stretch, 300 ms: longer than any gap inside a word.
    private static let hangover = 300 / frameMs
    /// A stretch is told again when it has grown by so much, 100 ms.
    private static let step = 100 / frameMs

    private var detector: EnergyVAD?
    private let frame = RealtimeAudio.sampleRate * frameMs / 1000
    /// How far the tape is judged.
    private var judged: Int
    /// Frames from the first to the last voiced one, those that were told, and the silence since.
    private var length = 0
    private var told = 0
    private var quiet = 0

    /// Measures from a position of the tape on.
    init(from position: Int) {
        do {
            detector = try EnergyVAD(sampleRate: RealtimeAudio.sampleRate, frameMs: Self.frameMs)
        } catch {
            detector = nil  // The realtime rate is one of those that the detector has.
        }
        judged = position
    }

    /// What is new on the tape.
    mutating func listen(to tape: UtteranceTape) -> [Measured] {
        let new = tape.samples(from: judged)
        judged = new.start
        var rest = new.samples
        var measured: [Measured] = []
        while rest.count >= frame {
            if let news = judge(Array(rest.prefix(frame))) { measured.append(news) }
            rest = rest.dropFirst(frame)
            judged += frame
        }
        return measured
    }

    private mutating func judge(_ samples: [Int16]) -> Measured? {
        guard detector?.process(samples.span).isVoiced ?? false else { return hearSilence() }
        length += length == 0 ? 1 : quiet + 1
        quiet = 0
        guard length >= told + Self.step else { return nil }
        told = length
        return Measured(milliseconds: length * Self.frameMs, isOver: false)
    }

    private mutating func hearSilence() -> Measured? {
        guard length > 0 else { return nil }
        quiet += 1
        guard quiet >= Self.hangover else { return nil }
        // A click is no speech, and its end is none.
        let measured = told > 0 ? Measured(milliseconds: length * Self.frameMs, isOver: true) : nil
        length = 0
        told = 0
        quiet = 0
        return measured
    }
}
