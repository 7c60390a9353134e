import GlassesAudio
import Testing

@Suite struct PlayoutLevelsTests {
    private static let full = [Int16](repeating: 16_384, count: 960)

    /// Levels at 24 kHz that measure from the first frame on.
    private static func measuring() -> PlayoutLevels {
        var levels = PlayoutLevels(speakerRate: 24_000)
        levels.begin(written: 0, heard: 0)
        return levels
    }

    @Test func whatIsWrittenAheadIsToldWhenItIsHeard() {
        var levels = Self.measuring()
        levels.add([Int16](repeating: 0, count: 960).span, at: 0)
        levels.add(Self.full.span, at: 960)
        let (quiet, loud) = (levels.take(heardThrough: 960), levels.take(heardThrough: 1_920))
        #expect(quiet == 0)
        #expect(loud == 0.5)
    }

    @Test(arguments: [8_000, 16_000, 22_050, 24_000, 44_100, 48_000])
    func aSteadyToneHasOneLevelHoweverItIsWrittenAndAsked(rate: Int) {
        var levels = PlayoutLevels(speakerRate: rate)
        levels.begin(written: 0, heard: 0)
        let samples = [Int16](repeating: -8_192, count: rate)
        var written = 0
        for block in [7, 480, 1_000, 441].cycled(until: rate / 2) {
            levels.add(samples.span.extracting(first: block), at: Int64(written))
            written += block
        }
        for heard in stride(from: rate / 25, to: rate / 2, by: rate / 25) {
            let level = levels.take(heardThrough: Int64(heard)) ?? -1
            #expect(abs(level - 0.25) < 0.001)
        }
    }

    @Test func aLoudspeakerThatStandsStillIsSilent() {
        var levels = Self.measuring()
        levels.add(Self.full.span, at: 0)
        let (moving, standing) = (levels.take(heardThrough: 960), levels.take(heardThrough: 960))
        #expect(moving == 0.5)
        #expect(standing == 0)
    }

    @Test func whatNobodyWroteCountsAsSilence() {
        var levels = Self.measuring()
        levels.add(Self.full.span, at: 960)
        let half = levels.take(heardThrough: 1_920) ?? -1
        #expect(abs(half - 0.5 / Float(2).squareRoot()) < 0.001)
    }

    @Test func whatWasWrittenBeforeMeasuringBeganHasNoLevel() {
        var levels = PlayoutLevels(speakerRate: 24_000)
        levels.begin(written: 2_400, heard: 0)
        levels.add(Self.full.span, at: 2_400)
        let (unknown, known) = (levels.take(heardThrough: 2_400), levels.take(heardThrough: 3_360))
        #expect(unknown == nil)
        #expect(known == 0.5)
    }

    @Test func flushedAudioIsNeverTold() {
        var levels = Self.measuring()
        levels.add(Self.full.span, at: 0)
        levels.skip(to: 960)
        levels.add([Int16](repeating: 0, count: 960).span, at: 960)
        let level = levels.take(heardThrough: 1_920)
        #expect(level == 0)
    }

    @Test func anAskerWhoComesLateGetsTheNewestPart() {
        var levels = Self.measuring()
        for block in 0..<200 { levels.add(Self.full.span, at: Int64(block * 960)) }
        let level = levels.take(heardThrough: 200 * 960) ?? -1
        #expect(level == 0.5)
    }
}

extension [Int] {
    /// The elements again and again until their sum reaches `total`.
    fileprivate func cycled(until total: Int) -> [Int] {
        var result: [Int] = []
        while result.reduce(0, +) < total { result.append(self[result.count % count]) }
        return result
    }
}
