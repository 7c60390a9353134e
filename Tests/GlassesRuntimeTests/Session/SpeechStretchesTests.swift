import Foundation
import GlassesDomain
import Testing

@testable import GlassesRuntime

@Suite struct SpeechStretchesTests {
    /// A voice for a test: a tone that swells and fades, over a little noise. A steady one would be a fan's.
    private static func voice(milliseconds: Int) -> [Int16] {
        (0..<milliseconds * 24).map { index in
            let time = Double(index) / 24_000
            let swell = 0.55 + 0.45 * sin(time * 2 * .pi * 4)
            return Int16(9_000 * swell * sin(time * 2 * .pi * 500)) + Int16(index % 7)
        }
    }

    private static func quiet(milliseconds: Int) -> [Int16] { (0..<milliseconds * 24).map { Int16($0 % 7) } }

    private static func measure(_ audio: [Int16]) -> [SpeechStretches.Measured] {
        var tape = UtteranceTape()
        var stretches = SpeechStretches(from: 0)
        var measured: [SpeechStretches.Measured] = []
        for start in stride(from: 0, to: audio.count, by: 480) {
            tape.append(Array(audio[start..<min(start + 480, audio.count)]))
            measured += stretches.listen(to: tape)
        }
        return measured
    }

    @Test func aStretchIsToldAsItGrowsAndWhenItIsOver() {
        let measured = Self.measure(
            Self.quiet(milliseconds: 500) + Self.voice(milliseconds: 600) + Self.quiet(milliseconds: 500))
        #expect(measured.last?.isOver == true)
        #expect(measured.count { $0.isOver } == 1)
        #expect(measured.dropLast().map(\.milliseconds) == [100, 200, 300, 400, 500, 600])
        #expect((580...660).contains(measured.last?.milliseconds ?? 0))
    }

    @Test func silenceAfterwardsDoesNotCount() {
        let measured = Self.measure(
            Self.quiet(milliseconds: 500) + Self.voice(milliseconds: 240) + Self.quiet(milliseconds: 2_000))
        #expect((measured.map(\.milliseconds).max() ?? 0) <= 300)
    }

    @Test func aGapInsideAWordIsPartOfItAndALongOneIsNot() {
        let two = Self.voice(milliseconds: 300)
        let short = Self.measure(
            Self.quiet(milliseconds: 500) + two + Self.quiet(milliseconds: 200) + two + Self.quiet(milliseconds: 400))
        #expect((short.map(\.milliseconds).max() ?? 0) >= 780)
        let long = Self.measure(
            Self.quiet(milliseconds: 500) + two + Self.quiet(milliseconds: 500) + two + Self.quiet(milliseconds: 400))
        #expect((long.map(\.milliseconds).max() ?? 0) <= 360)
        #expect(long.count { $0.isOver } == 2)
    }

    @Test func aClickIsNoSpeech() {
        #expect(
            Self.measure(Self.quiet(milliseconds: 500) + Self.voice(milliseconds: 20) + Self.quiet(milliseconds: 600))
                .isEmpty)
    }
}
