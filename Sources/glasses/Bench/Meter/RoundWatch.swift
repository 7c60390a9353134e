/// Leads one round by what the microphone hears: waits for quiet, asks, waits for the answer, perhaps interrupts it, and waits for quiet.
///
/// Its clock is the audio: a peak for each millisecond since the round began. It only decides when to go on; what a round gave is judged
/// afterwards from the recording.
struct RoundWatch: Sendable, Hashable {
    /// What happens.
    enum Input: Sendable, Hashable {
        /// The next milliseconds were heard.
        case heard([Float])
        /// What was last asked for is being played, up to this millisecond of the round.
        case playing(until: Int)
    }

    /// What to do.
    enum Action: Sendable, Hashable {
        case playQuestion
        case playInterruption
        /// The round is over; with a reason when there is nothing to judge.
        case end(MeterRefusal?)
    }

    private enum Phase: Sendable, Hashable {
        case quieting
        case asking
        /// The question ended at this millisecond; so many loud ones came after its echo.
        case waiting(since: Int, loud: Int)
        case answering(since: Int, lastLoud: Int)
        case interrupting
        case settling(since: Int, lastLoud: Int)
        case ended
    }

    /// How long it has to be quiet before the question, in milliseconds.
    static let quiet = 1_000
    /// After this long without quiet the round is given up.
    static let quietLimit = 30_000
    /// Sound counts as an answer this long after the question, when its echo is gone for sure.
    private static let echoLimit = AnswerJudge.longestTail + 100
    /// Quiet of this length ends an answer.
    static let settled = 1_500
    /// An interrupted assistant answers the interruption within this time.
    static let settledAfterInterruption = 2_500
    /// The longest answer that is waited for.
    static let longestAnswer = 120_000

    /// How long an answer may take to begin, in milliseconds.
    let answerLimit: Int
    /// How long after the answer's beginning it is interrupted; nil for never.
    let interruptAfter: Int?
    /// The noise of the quiet time before the question.
    private(set) var noise: Float = 0
    /// Milliseconds heard so far.
    private(set) var now = 0
    private var phase = Phase.quieting
    private var recent: [Float] = []

    init(answerLimit: Int, interruptAfter: Int? = nil) {
        self.answerLimit = answerLimit
        self.interruptAfter = interruptAfter
    }

    /// Takes what happened and answers what to do.
    mutating func apply(_ input: Input) -> [Action] {
        switch input {
        case .heard(let peaks): return peaks.flatMap { heard($0) }
        case .playing(let end):
            playing(until: end)
            return []
        }
    }

    private mutating func playing(until end: Int) {
        switch phase {
        case .asking: phase = .waiting(since: end, loud: 0)
        case .interrupting: phase = .settling(since: end, lastLoud: end)
        case .quieting, .waiting, .answering, .settling, .ended: break
        }
    }

    private mutating func heard(_ peak: Float) -> [Action] {
        now += 1
        let isLoud = peak >= SoundRule.threshold(noise: noise)
        switch phase {
        case .quieting: return wait(for: peak)
        case .asking, .interrupting, .ended: return []
        case .waiting(let since, let loud):
            if now > since + answerLimit { return end(nil) }
            if isLoud, now > since + Self.echoLimit { count(loud + 1, since: since) }
            return []
        case .answering(let since, let lastLoud):
            return answer(since: since, lastLoud: isLoud ? now : lastLoud)
        case .settling(let since, let lastLoud):
            let last = isLoud ? now : lastLoud
            phase = .settling(since: since, lastLoud: last)
            let isOver = now - last >= Self.settledAfterInterruption || now - since >= Self.longestAnswer
            return isOver ? end(nil) : []
        }
    }

    private mutating func wait(for peak: Float) -> [Action] {
        recent.append(peak)
        if now >= Self.quietLimit { return end(.neverQuiet) }
        // Looked at twenty times a second, since each look sorts the window.
        guard recent.count >= Self.quiet, now % 50 == 0 else { return [] }
        recent.removeFirst(recent.count - Self.quiet)
        guard SoundRule.isSteady(recent) else { return [] }
        noise = SoundRule.noise(of: recent)
        guard noise <= AnswerJudge.loudestNoise else { return end(.noisy) }
        phase = .asking
        return [.playQuestion]
    }

    private mutating func count(_ loud: Int, since: Int) {
        phase = loud >= SoundRule.shortest ? .answering(since: now, lastLoud: now) : .waiting(since: since, loud: loud)
    }

    private mutating func answer(since: Int, lastLoud: Int) -> [Action] {
        phase = .answering(since: since, lastLoud: lastLoud)
        if let interruptAfter, now >= since + interruptAfter {
            phase = .interrupting
            return [.playInterruption]
        }
        let isOver = now - lastLoud >= Self.settled || now - since >= Self.longestAnswer
        return isOver ? end(nil) : []
    }

    private mutating func end(_ refusal: MeterRefusal?) -> [Action] {
        phase = .ended
        return [.end(refusal)]
    }
}
