import Testing

@testable import glasses

@Suite("Judging interruptions")
struct BargeInJudgeTests {
    private static let naturalLength = 5_000

    /// A question from 1,000 to 2,000 ms, an answer from 2,800 ms on for `length`, an interruption from 4,000 ms on.
    private func take(
        length: Int, echo: Double = 0, pause: Range<Int>? = nil, isInterrupted: Bool = true
    ) -> MeterTake {
        var stage = SoundStage(milliseconds: 10_000)
        stage.play(SoundStage.speech(milliseconds: 1_000), at: 1_000, echo: echo)
        if isInterrupted { stage.play(SoundStage.speech(milliseconds: 1_200, hertz: 260), at: 4_000, echo: echo) }
        let answer = SoundStage.speech(milliseconds: length, hertz: 170).enumerated().map { index, value in
            pause?.contains(index * 1_000 / SoundStage.rate) == true ? 0 : value
        }
        stage.hear(answer, at: 2_800)
        return stage.take(question: 1_000..<2_000, interruption: isInterrupted ? 4_000..<5_200 : nil)
    }

    @Test(
        "an answer that stops R ms after the interruption began is measured as R to two milliseconds",
        arguments: [30, 220, 900], [0, 0.005])
    func reaction(_ time: Int, _ echo: Double) throws {
        let take = take(length: 1_200 + time, echo: echo)
        let measured = try BargeInJudge.judge(take, naturalLength: Self.naturalLength).get()
        #expect(abs(measured - time) <= 2, "\(measured) for \(time)")
    }

    @Test("a pause inside the answer is not its end")
    func pause() throws {
        let take = take(length: 1_700, pause: 1_100..<1_400)
        let measured = try BargeInJudge.judge(take, naturalLength: Self.naturalLength).get()
        #expect(abs(measured - 500) <= 2)
    }

    @Test("an answer that was over before the interruption gives no figure")
    func silentThen() {
        let judge = { (take: MeterTake) in BargeInJudge.judge(take, naturalLength: Self.naturalLength) }
        #expect(judge(take(length: 1_000)) == .failure(.silentThen))
        #expect(judge(take(length: 1_000, isInterrupted: false)) == .failure(.silentThen))
    }

    @Test("an answer that was spoken to its end was not cut")
    func notCut() {
        let take = take(length: 4_950)
        #expect(BargeInJudge.judge(take, naturalLength: Self.naturalLength) == .failure(.notCut))
    }

    @Test("an interruption that the microphone hears loudly hides the answer's end")
    func masked() {
        let take = take(length: 1_500, echo: 0.5)
        #expect(BargeInJudge.judge(take, naturalLength: Self.naturalLength) == .failure(.masked))
    }
}
