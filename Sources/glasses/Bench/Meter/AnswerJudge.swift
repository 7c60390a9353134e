/// Finds how long an answer took: from the last voiced sample of the question to the first voiced sample of the answer.
enum AnswerJudge {
    /// Noise whose peaks lie above this (−26 dBFS) leaves no room for a threshold.
    static let loudestNoise: Float = 0.05
    /// The loudest peak of an answer has to rise this far (20 dB) above the noise.
    static let aboveNoise: Float = 10
    /// The longest time in which the echo of the question dies away in a room, in milliseconds.
    static let longestTail = 400

    /// The time between question and answer.
    static func judge(_ take: MeterTake) -> MeterOutcome {
        do {
            let answer = try answer(in: take)
            guard let question = take.voiced(take.question) else { return .failure(.playbackGap) }
            return .success(answer.lowerBound - question.upperBound)
        } catch {
            return .failure(error)
        }
    }

    /// How far off the time between question and answer is, when the meter itself played the answer after the question.
    static func error(_ take: MeterTake) -> MeterOutcome {
        guard let question = take.voiced(take.question),
            let answer = take.voiced(question.upperBound..<take.played.count)
        else { return .failure(.playbackGap) }
        return judge(take).map { $0 - (answer.lowerBound - question.upperBound) }
    }

    /// How long the answer is, pauses between its sentences included.
    static func length(_ take: MeterTake) -> MeterOutcome {
        do { return .success(try answer(in: take, gap: BargeInJudge.longestPause).count) } catch {
            return .failure(error)
        }
    }

    /// Where the answer sounds, pauses of up to `gap` milliseconds included.
    static func answer(in take: MeterTake, gap: Int = SoundRule.joinedGap) throws(MeterRefusal) -> Range<Int> {
        guard take.noise <= loudestNoise else { throw .noisy }
        guard let question = take.voiced(take.question) else { throw .playbackGap }
        let start = try start(in: take, after: question)
        let sound = take.recorded[start...].prefix(firstSecond).max() ?? 0
        guard sound >= aboveNoise * take.noise else { throw .tooQuiet }
        let threshold = max(take.threshold, SoundRule.share * sound)
        var peaks = take.recorded
        peaks.replaceSubrange(..<start, with: repeatElement(0, count: start))
        guard let answer = SoundRule.sounds(in: peaks, threshold: threshold, gap: gap).first else { throw .noAnswer }
        return answer
    }

    /// How much of an answer tells its loudness, in milliseconds.
    private static let firstSecond = 1_000

    /// Where the first sound begins that is no echo of the question.
    private static func start(in take: MeterTake, after question: Range<Int>) throws(MeterRefusal) -> Int {
        let sounds = SoundRule.sounds(in: take.recorded, threshold: take.threshold)
            .filter { $0.upperBound > question.lowerBound }
        let echo = SpeakerEcho.find(
            take.played, in: take.recorded, range: question, threshold: take.threshold)
        let end = question.upperBound + (echo?.lag ?? 0)
        for sound in sounds {
            if sound.lowerBound >= end { return sound.lowerBound }
            // Without an echo, and with one that does not die away, somebody else speaks already.
            guard echo != nil, sound.upperBound <= end + longestTail else { throw .tooEarly }
        }
        throw .noAnswer
    }
}
