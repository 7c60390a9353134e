import Foundation
import GlassesDomain
import Testing

@testable import GlassesMedia

@Suite struct ClipSoundTests {
    @Test(
        arguments: [
            // Nothing yet; a piece of 100 samples at 1,000 Hz each time.
            ([0], [0], [0..<100], 100), ([5], [0], [0..<100], 100), ([-5], [0], [5..<100], 95),
            ([-100], [0], [0..<0], 0),
            ([-300], [0], [0..<0], 0), ([50], [50], [0..<100], 150),
            // Jitter is neither filled nor cut; a gap is filled, an overlap cut.
            ([0, 110], [0, 0], [0..<100, 0..<100], 200), ([0, 90], [0, 0], [0..<100, 0..<100], 200),
            ([0, 150], [0, 50], [0..<100, 0..<100], 250), ([0, 40], [0, 0], [0..<100, 60..<100], 140),
            ([0, -500], [0, 0], [0..<100, 0..<0], 100), ([0, 0], [0, 0], [0..<100, 0..<0], 100),
        ] as [([Int], [Int], [Range<Int>], Int)])
    func piecesBecomeOneLine(times: [Int], silences: [Int], parts: [Range<Int>], count: Int) {
        var timeline = SoundTimeline(rate: 1_000)
        let steps = times.map { timeline.add(100, at: Int64($0) * 1_000_000) }
        #expect(steps.map(\.silence) == silences)
        #expect(steps.map(\.part.count) == parts.map(\.count))
        for (step, part) in zip(steps, parts) where !part.isEmpty { #expect(step.part == part) }
        #expect(timeline.count == count)
    }

    @Test(arguments: [Int64.min, .min + 1, .max])
    func aTimeOutOfReachNeverTraps(nanoseconds: Int64) {
        var timeline = SoundTimeline(rate: 192_000)
        _ = timeline.add(100, at: nanoseconds)
        #expect(timeline.count >= 0)
    }

    @Test(arguments: [MP4Brand.mp4, .quickTime])
    func anHourWithoutSoundTakesNoRoom(brand: MP4Brand) throws {
        let sound = try ClipSound(rate: 16_000, brand: brand)
        try sound.add(Tone.samples(16_000, rate: 16_000), at: 0)
        try sound.pad(to: 3_600_000_000_000)
        try sound.add(Tone.samples(16_000, rate: 16_000), at: 3_600_000_000_000)
        try sound.finish(at: 3_601_000_000_000)
        let runs = sound.takeRuns(before: nil)
        #expect(runs.count == 2)
        #expect(runs.reduce(0) { $0 + $1.samples.count } < 300)
        let last = try #require(runs.last)
        let end = last.start + last.samples.reduce(0) { $0 + $1.duration }
        let preSkip = brand == .mp4 ? 312 : 0
        #expect(end == 3_601 * sound.track.rate + preSkip)
    }

    @Test(arguments: [(2_000, 1_600), (500, 100), (5_000, 5_000)])
    func soundEndsWithThePictures(milliseconds: Int, heard: Int) throws {
        let sound = try ClipSound(rate: 16_000, brand: .mp4)
        try sound.add(Tone.samples(heard * 16, rate: 16_000), at: 0)
        try sound.finish(at: Int64(milliseconds) * 1_000_000)
        let run = try #require(sound.takeRuns(before: nil).first)
        #expect(run.start == 0)
        #expect(run.samples.reduce(0) { $0 + $1.duration } == milliseconds * 48 + 312)
    }

    @Test func soundWaitsForItsFragment() throws {
        let sound = try ClipSound(rate: 48_000, brand: .quickTime)
        try sound.add([Int16](repeating: 5, count: 48_000), at: 0)
        let first = try #require(sound.takeRuns(before: 500_000_000).first)
        #expect(first.start == 0 && first.samples.count == 25)
        #expect(
            first.samples[0].bytes
                == [UInt8](repeating: 0, count: 1_920).enumerated().map { $0.offset % 2 == 0 ? 5 : 0 })
        let second = try #require(sound.takeRuns(before: nil).first)
        #expect(second.start == 24_000 && second.samples.count == 25)
        #expect(sound.takeRuns(before: nil).isEmpty)
    }
}
