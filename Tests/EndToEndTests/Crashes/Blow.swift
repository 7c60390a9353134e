import Glibc

/// The end of one plugin's process, at a moment of a conversation.
struct Blow: Sendable, Hashable {
    /// When it comes.
    enum Moment: String, Sendable, Hashable, CaseIterable {
        /// While the user speaks.
        case hearing
        /// Between the user's last word and the first sound of the answer.
        case thinking
        /// While the answer is heard.
        case speaking
        /// When nobody speaks.
        case silence
    }

    /// Which plugin: `transport`, `stt`, `tts` or `vad`.
    var kind = "transport"
    let moment: Moment
    let signal: Int32
}

/// How much is done to a conversation: a part of it in every run, all of it with `EXTENTOS_KILLS=full`.
struct BlowPlan {
    /// Whether all of it is done.
    static var isFull: Bool { getenv("EXTENTOS_KILLS").map { String(cString: $0) } == "full" }

    /// The moments' generator; its seed is printed, and is taken from `EXTENTOS_KILL_SEED`.
    private(set) var dice: Dice

    init() { dice = Dice() }

    /// Blows outside the user's speech: five of each signal, or one.
    mutating func quiet() -> [Blow] {
        let count = BlowPlan.isFull ? 5 : 1
        let signals = [Int32](repeating: SIGKILL, count: count) + [Int32](repeating: SIGSEGV, count: count)
        let moments: [Blow.Moment] = [.thinking, .speaking, .silence]
        return signals.shuffled(using: &dice).enumerated().map { index, signal in
            Blow(
                moment: index < moments.count ? moments[index] : moments.randomElement(using: &dice) ?? .silence,
                signal: signal)
        }
    }

    /// Blows in the user's speech: five, or one.
    mutating func inSpeech() -> [Blow] {
        (0..<(BlowPlan.isFull ? 5 : 1)).map { Blow(moment: .hearing, signal: $0 % 2 == 0 ? SIGKILL : SIGSEGV) }
    }

    /// Blows at the speech engines while they work: four each, or one.
    mutating func atEngines() -> [Blow] {
        let each = [
            Blow(kind: "stt", moment: .hearing, signal: SIGKILL), Blow(kind: "tts", moment: .thinking, signal: SIGSEGV),
            Blow(kind: "vad", moment: .hearing, signal: SIGSEGV),
        ]
        guard BlowPlan.isFull else { return each }
        return (0..<12).map { index in
            let blow = each[index % each.count]
            return Blow(kind: blow.kind, moment: blow.moment, signal: index % 2 == 0 ? SIGKILL : SIGSEGV)
        }
    }

    /// A random time of a span.
    mutating func moment(in milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &dice))
    }
}

/// SplitMix64, so that a run can be had again.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init() {
        let named = getenv("EXTENTOS_KILL_SEED").flatMap { UInt64(String(cString: $0)) }
        state = named ?? UInt64.random(in: 0...9_999)
        print("kills: seed \(state)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
