/// Finds how long an answer went on after it was interrupted: from the first voiced sample of the interruption to the last voiced
/// sample of the answer.
enum BargeInJudge {
    /// The longest pause between two sentences of an answer, in milliseconds.
    static let longestPause = 400
    /// An answer that ends this close to its natural end, in milliseconds, may have ended by itself.
    static let naturalEnd = 300
    /// The answer has to lie this far (12 dB) above the meter's own sound…
    private static let aboveEcho: Float = 4
    /// …and is judged down to this part (−20 dB) of its loudest peak at most.
    private static let highestShare: Float = 0.1

    /// The time between interruption and end; `naturalLength` is that of the answer when nobody interrupts it, in milliseconds.
    static func judge(_ take: MeterTake, naturalLength: Int) -> MeterOutcome {
        do { return .success(try reaction(in: take, naturalLength: naturalLength)) } catch { return .failure(error) }
    }

    private static func reaction(in take: MeterTake, naturalLength: Int) throws(MeterRefusal) -> Int {
        let begin = try AnswerJudge.answer(in: take).lowerBound
        // Without an interruption the answer was over before its moment came.
        guard let range = take.interruption else { throw .silentThen }
        guard let interruption = take.voiced(range) else { throw .playbackGap }
        guard begin < interruption.lowerBound else { throw .silentThen }
        let threshold = try threshold(in: take, answer: begin..<interruption.lowerBound, interruption)
        let heard = Array(take.recorded[begin...])
        let start = interruption.lowerBound - begin
        let sounds = SoundRule.sounds(in: heard, threshold: threshold, gap: longestPause)
        guard let answer = sounds.first(where: { $0.contains(start) }) else { throw .silentThen }
        guard answer.upperBound < naturalLength - naturalEnd else { throw .notCut }
        return answer.upperBound - start
    }

    /// The threshold above noise, decay and the meter's own sound.
    private static func threshold(
        in take: MeterTake, answer: Range<Int>, _ interruption: Range<Int>
    ) throws(MeterRefusal) -> Float {
        let loudest = take.recorded[answer].max() ?? 0
        let echo = SpeakerEcho.find(
            take.played, in: take.recorded, range: take.voiced(take.question) ?? take.question,
            threshold: take.threshold)
        let own = (echo?.gain ?? 0) * (take.played[interruption].max() ?? 0)
        let threshold = max(take.threshold, SoundRule.share * loudest, aboveEcho * own)
        guard threshold <= highestShare * loudest else { throw .masked }
        return threshold
    }
}
