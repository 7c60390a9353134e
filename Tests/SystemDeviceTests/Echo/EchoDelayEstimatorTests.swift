import SeededRandom
import Testing

@testable import SystemDeviceStreams

@Suite struct EchoDelayEstimatorTests {
    /// Levels that rise and fall as those of speech do, a new one about every 50 ms.
    private static func levels(_ count: Int, seed: UInt64) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        var level: Float = 1
        return (0..<count).map { _ in
            if Int.random(in: 0..<5, using: &generator) == 0 { level = Float.random(in: 3...6, using: &generator) }
            return level
        }
    }

    /// The certain answers while `reference` is heard `delay` frames later under `person`.
    private static func answers(_ reference: [Float], delay: Int, person: [Float] = []) -> [Int] {
        var estimator = EchoDelayEstimator()
        return reference.indices.compactMap { index in
            let echo = index >= delay ? reference[index - delay] - 1 : FrameLevel.silence
            let near = index < person.count ? max(echo, person[index]) : echo
            return estimator.note(reference: reference[index], microphone: near)
        }
    }

    @Test(arguments: [0, 1, 7, 30, 49])
    func anEchoIsFoundInLittleMoreThanASecond(delay: Int) throws {
        let answers = Self.answers(Self.levels(200 + delay, seed: 3), delay: delay)
        try #require(!answers.isEmpty)
        #expect(answers.allSatisfy { $0 == delay })
    }

    @Test func aPathThatIsTooLongIsNotTakenForAnother() {
        #expect(Self.answers(Self.levels(1_000, seed: 3), delay: 90).isEmpty)
    }

    @Test func aPersonAloneIsNoEcho() {
        let silence = [Float](repeating: FrameLevel.silence, count: 1_000)
        #expect(Self.answers(silence, delay: 0, person: Self.levels(1_000, seed: 5)).isEmpty)
        #expect(Self.answers(Self.levels(1_000, seed: 3), delay: 2_000, person: Self.levels(1_000, seed: 5)).isEmpty)
    }

    @Test func aPersonWhoIsLouderThanTheEchoDoesNotMakeAnotherDelayCertain() {
        let answers = Self.answers(Self.levels(2_000, seed: 3), delay: 12, person: Self.levels(2_000, seed: 5))
        #expect(answers.allSatisfy { (11...13).contains($0) })
    }

    @Test func aPersonWhoGoesOnWhereTheEchoEndsMakesItNotLonger() {
        let played = Self.levels(300, seed: 3) + [Float](repeating: FrameLevel.silence, count: 300)
        let person = [Float](repeating: FrameLevel.silence, count: 280) + Self.levels(120, seed: 5)
        #expect(Self.answers(played, delay: 10, person: person).allSatisfy { (9...11).contains($0) })
    }

    @Test func steadyNoisesOnBothSidesAreNoEcho() {
        var generator = SeededGenerator(seed: 9)
        func noise() -> [Float] { (0..<1_000).map { _ in Float.random(in: 2.9...3.1, using: &generator) } }
        let (reference, person) = (noise(), noise())
        var estimator = EchoDelayEstimator()
        let answers = zip(reference, person).map { estimator.note(reference: $0, microphone: $1) }
        // Where both begin, they begin together; from then on nothing tells a delay.
        #expect(answers.dropFirst(EchoDelayEstimator.window).allSatisfy { $0 == nil })
    }
}
