import Testing

@testable import GlassesRuntime

@Suite struct UtteranceTapeTests {
    private static let second = RealtimeAudio.sampleRate

    /// A tape with samples that say their own position, in blocks of 20 ms.
    private static func tape(milliseconds: Int) -> UtteranceTape {
        var tape = UtteranceTape()
        record(milliseconds, on: &tape)
        return tape
    }

    private static func record(_ milliseconds: Int, on tape: inout UtteranceTape) {
        let start = tape.position
        let samples = (0..<milliseconds * second / 1000).map { Int16(truncatingIfNeeded: start + $0) }
        for block in stride(from: 0, to: samples.count, by: 480) {
            tape.append(Array(samples[block..<min(block + 480, samples.count)]))
        }
    }

    /// Where a stretch of samples begins; all of them must follow each other.
    private static func start(of samples: some Collection<Int16>) -> Int16 {
        var previous: Int16?
        for sample in samples {
            if let previous { #expect(sample == previous &+ 1) }
            previous = sample
        }
        return samples.first ?? -1
    }

    @Test func anUtteranceBeginsWhereTheProviderSaysAndAtLeast300MillisecondsBeforeNow() {
        for (told, expected) in [(500, 500), (900, 700), (nil, 700), (5_000, 700)] as [(Int?, Int)] {
            var tape = Self.tape(milliseconds: 1_000)
            tape.keep(startMs: told)
            Self.record(200, on: &tape)
            let kept = tape.beginConnection(resending: true)
            #expect(kept.count == (1_200 - expected) * 24)
            #expect(Self.start(of: kept) == Int16(truncatingIfNeeded: expected * 24))
        }
    }

    @Test(arguments: [Int.min, -1, Int.max]) func aPositionThatCannotBeIsHarmless(told: Int) {
        var tape = Self.tape(milliseconds: 1_000)
        tape.keep(startMs: told)
        tape.commit("u1", endMs: told)
        #expect((7_200...24_000).contains(tape.audio(of: "u1")?.count ?? 0))
    }

    @Test func withoutAnUtteranceOnlyTheLastSecondsAreRemembered() {
        let tape = Self.tape(milliseconds: 20_000)
        let (_, samples) = tape.samples(from: 0)
        #expect((UtteranceTape.window...2 * UtteranceTape.window).contains(samples.count))
    }

    @Test func noMoreThan30SecondsOfAnUtteranceAreKept() {
        var tape = Self.tape(milliseconds: 1_000)
        tape.keep(startMs: nil)
        Self.record(60_000, on: &tape)
        let kept = tape.beginConnection(resending: true)
        #expect(kept.count == UtteranceTape.limit)
        #expect(tape.framesNotResent(since: 0) == 61 * Self.second - UtteranceTape.limit)
        tape.keep(startMs: nil)
        Self.record(100, on: &tape)
        #expect(tape.beginConnection(resending: true).count == 2_400, "what follows the hole is not joined to it")
    }

    @Test func anItemHoldsItsUtteranceUpToItsEndAndTheRestBelongsToTheNextOne() {
        var tape = Self.tape(milliseconds: 1_000)
        tape.keep(startMs: 600)
        Self.record(1_000, on: &tape)
        tape.commit("u1", endMs: 1_500)
        #expect(tape.audio(of: "u1")?.count == 900 * 24)
        tape.keep(startMs: 1_000)
        #expect(
            Self.start(of: tape.beginConnection(resending: true)) == Int16(truncatingIfNeeded: 1_500 * 24),
            "nothing is sent twice")
        tape.forget("u1")
        #expect(tape.audio(of: "u1") == nil)
    }

    @Test func theProvidersTimesCountFromTheResentUtteranceOn() {
        var tape = Self.tape(milliseconds: 1_000)
        tape.keep(startMs: nil)
        Self.record(500, on: &tape)
        #expect(tape.beginConnection(resending: true).count == 800 * 24)
        Self.record(400, on: &tape)
        // 100 ms into the resent utterance: it is that one, whole.
        tape.keep(startMs: 100)
        tape.commit("u1", endMs: 1_000)
        #expect(tape.audio(of: "u1")?.count == 1_000 * 24)
        Self.record(1_000, on: &tape)
        tape.keep(startMs: 1_300)
        #expect(Self.start(of: tape.beginConnection(resending: true)) == Int16(truncatingIfNeeded: 2_000 * 24))
    }

    @Test func anErasedTapeHoldsNothing() {
        var tape = Self.tape(milliseconds: 1_000)
        tape.keep(startMs: nil)
        tape.commit("u1", endMs: nil)
        Self.record(100, on: &tape)
        tape.keep(startMs: nil)
        tape.erase()
        #expect(tape.audio(of: "u1") == nil)
        #expect(tape.samples(from: 0).samples.isEmpty)
        #expect(tape.beginConnection(resending: true).isEmpty)
    }
}
