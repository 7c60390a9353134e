import Testing

@testable import glasses

@Suite("Judging answers")
struct AnswerJudgeTests {
    /// A question from 1,000 to 2,000 ms.
    private static let question = 1_000..<2_000

    private func stage(
        answerAfter delay: Int?, noise: Double = 0.000_5, echo: Double = 0, peak: Double = 0.3
    ) -> SoundStage {
        var stage = SoundStage(milliseconds: 6_000)
        stage.noise = noise
        stage.play(SoundStage.speech(milliseconds: 1_000), at: 1_000, echo: echo)
        if let delay { stage.hear(SoundStage.speech(milliseconds: 900, peak: peak, hertz: 170), at: 2_000 + delay) }
        return stage
    }

    @Test(
        "an answer after D ms is measured as D to two milliseconds, in silence and in noise",
        arguments: [20, 137, 2_900], [0.0001, 0.01])
    func delay(_ delay: Int, _ noise: Double) throws {
        let stage = stage(answerAfter: delay, noise: noise)
        let measured = try AnswerJudge.judge(stage.take(question: Self.question)).get()
        #expect(abs(measured - delay) <= 2, "\(measured) for \(delay)")
    }

    @Test("the echo of the question is no answer", arguments: [500, 1_500], [0.02, 0.9])
    func echo(_ delay: Int, _ echo: Double) throws {
        let stage = stage(answerAfter: delay, echo: echo)
        let measured = try AnswerJudge.judge(stage.take(question: Self.question)).get()
        #expect(abs(measured - delay) <= 2, "\(measured) for \(delay)")
        let unanswered = self.stage(answerAfter: nil, echo: echo).take(question: Self.question)
        #expect(AnswerJudge.judge(unanswered) == .failure(.noAnswer))
    }

    @Test("a click is no answer")
    func click() throws {
        var stage = stage(answerAfter: 900)
        stage.hear(SoundStage.speech(milliseconds: 5), at: 2_400)
        #expect(abs(try AnswerJudge.judge(stage.take(question: Self.question)).get() - 900) <= 2)
    }

    @Test("silence after the question is no answer")
    func noAnswer() {
        #expect(AnswerJudge.judge(stage(answerAfter: nil).take(question: Self.question)) == .failure(.noAnswer))
    }

    @Test("who speaks before the question has ended answers too early", arguments: [-700, -30], [0, 0.3])
    func tooEarly(_ delay: Int, _ echo: Double) {
        let take = stage(answerAfter: delay, echo: echo).take(question: Self.question)
        #expect(AnswerJudge.judge(take) == .failure(.tooEarly))
    }

    @Test("noise that hides answers, and an answer that drowns in it, are refused")
    func noise() {
        let hidden = stage(answerAfter: 500, noise: 0.1).take(question: Self.question)
        #expect(AnswerJudge.judge(hidden) == .failure(.noisy))
        let soft = stage(answerAfter: 500, noise: 0.01, peak: 0.06).take(question: Self.question)
        #expect(AnswerJudge.judge(soft) == .failure(.tooQuiet))
    }

    @Test("a question of which nothing was played is refused")
    func nothingPlayed() {
        let take = stage(answerAfter: 500).take(question: 3_000..<3_500)
        #expect(AnswerJudge.judge(take) == .failure(.playbackGap))
    }

    @Test("an answer's length holds its pauses between sentences")
    func length() throws {
        var stage = stage(answerAfter: 500)
        stage.hear(SoundStage.speech(milliseconds: 700, hertz: 170), at: 3_750)
        let length = try AnswerJudge.length(stage.take(question: Self.question)).get()
        #expect(abs(length - 1_950) <= 2)
    }

    @Test("an answer of the meter's own is off by what the devices do not tell")
    func selfTest() throws {
        var stage = SoundStage(milliseconds: 6_000)
        stage.play(SoundStage.speech(milliseconds: 1_000), at: 1_000, echo: 0.5, lag: 40)
        stage.play(SoundStage.speech(milliseconds: 900), at: 2_600, echo: 0.5, lag: 40)
        #expect(abs(try AnswerJudge.error(stage.take(question: Self.question)).get() - 40) <= 2)
    }
}
