import Testing

@testable import glasses

@Suite("Leading a round")
struct RoundWatchTests {
    private static let quiet: Float = 0.000_5

    /// The peaks of speech: they dip several times a second.
    private func speech(_ milliseconds: Int) -> [Float] {
        (0..<milliseconds).map { $0 % 250 < 170 ? 0.3 : Self.quiet }
    }

    private func silence(_ milliseconds: Int, _ peak: Float = quiet) -> [Float] {
        [Float](repeating: peak, count: milliseconds)
    }

    /// What the watch does while it hears `peaks`, with the milliseconds since they began.
    private func hear(_ peaks: [Float], _ watch: inout RoundWatch) -> [(Int, RoundWatch.Action)] {
        var actions: [(Int, RoundWatch.Action)] = []
        for (index, peak) in peaks.enumerated() { actions += watch.apply(.heard([peak])).map { (index, $0) } }
        return actions
    }

    private func ask(_ watch: inout RoundWatch) {
        #expect(hear(silence(RoundWatch.quiet), &watch).map(\.1) == [.playQuestion])
        #expect(watch.apply(.playing(until: watch.now + 800)).isEmpty)
        #expect(hear(silence(800), &watch).isEmpty)
    }

    @Test("a second of quiet comes before the question, however long somebody speaks before")
    func quietFirst() {
        var watch = RoundWatch(answerLimit: 5_000)
        #expect(hear(speech(4_000), &watch).isEmpty)
        let actions = hear(silence(2_000, 0.002), &watch)
        #expect(actions.map(\.1) == [.playQuestion])
        #expect(actions.first.map { $0.0 >= 700 && $0.0 <= RoundWatch.quiet } == true)
        #expect(watch.noise == 0.002)
    }

    @Test("sound that never ends, and steady noise that is too loud, are given up")
    func never() {
        var talking = RoundWatch(answerLimit: 5_000)
        #expect(hear(speech(RoundWatch.quietLimit), &talking).map(\.1) == [.end(.neverQuiet)])
        var noisy = RoundWatch(answerLimit: 5_000)
        #expect(hear(silence(1_000, 0.2), &noisy).map(\.1) == [.end(.noisy)])
    }

    @Test("a round ends when the answer has been over for a while, and not in its pauses")
    func answered() {
        var watch = RoundWatch(answerLimit: 5_000)
        ask(&watch)
        #expect(hear(silence(700) + speech(1_500) + silence(1_000) + speech(900), &watch).isEmpty)
        let actions = hear(silence(3_000), &watch)
        #expect(actions.map(\.1) == [.end(nil)])
        #expect(actions.first.map { abs($0.0 - RoundWatch.settled) <= 100 } == true)
    }

    @Test("a round without an answer ends at its limit")
    func unanswered() {
        var watch = RoundWatch(answerLimit: 5_000)
        ask(&watch)
        let actions = hear(silence(6_000), &watch)
        #expect(actions.map(\.1) == [.end(nil)])
        #expect(actions.first?.0 == 5_000)
    }

    @Test("the echo of the question keeps no round from hearing its answer")
    func echo() {
        var watch = RoundWatch(answerLimit: 5_000)
        ask(&watch)
        #expect(hear(speech(300) + silence(2_500) + speech(800), &watch).isEmpty)
        #expect(hear(silence(1_600), &watch).map(\.1) == [.end(nil)])
    }

    @Test("an answer is interrupted at its moment, and the round ends when all has been quiet for long enough")
    func interrupted() {
        var watch = RoundWatch(answerLimit: 5_000, interruptAfter: 1_200)
        ask(&watch)
        let actions = hear(silence(700) + speech(3_000), &watch)
        #expect(actions.map(\.1) == [.playInterruption])
        #expect(actions.first.map { abs($0.0 - 1_900) <= 20 } == true)
        #expect(watch.apply(.playing(until: watch.now + 900)).isEmpty)
        #expect(hear(silence(900) + silence(1_000) + speech(1_000), &watch).isEmpty)
        #expect(hear(silence(3_000), &watch).map(\.1) == [.end(nil)])
    }
}
