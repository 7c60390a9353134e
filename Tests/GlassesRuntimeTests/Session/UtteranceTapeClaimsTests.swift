import Testing

@testable import GlassesRuntime

/// What a provider says of moments is its word only.
@Suite struct UtteranceTapeClaimsTests {
    @Test(
        "An implausible moment leaves the whole utterance on the tape",
        arguments: [Int.min, -1, 0, 900, 100_000, Int.max], [0, 480, 24_000])
    func implausibleEnds(endMs: Int, captured: Int) {
        var tape = UtteranceTape()
        tape.append([Int16](repeating: 1, count: captured))
        tape.keep(startMs: 500)
        let onTape = tape.samples(from: 0).samples.count
        tape.commit("item", endMs: endMs)
        let kept = tape.audio(of: "item")?.count ?? -1
        let isPlausible = endMs == 900 && captured == 24_000
        #expect(isPlausible ? kept < onTape && kept > 0 : kept == onTape)
    }

    @Test("An implausible beginning keeps the last moments", arguments: [Int.min, -1, 100_000, Int.max])
    func implausibleBeginnings(startMs: Int) {
        var tape = UtteranceTape()
        tape.append([Int16](repeating: 1, count: 24_000))
        tape.keep(startMs: startMs)
        #expect(tape.isKeeping)
        #expect(tape.samples(from: 0).samples.count >= UtteranceTape.prefix)
    }
}
