import Testing

@testable import SystemDeviceStreams

@Suite struct ReferenceTimelineTests {
    /// A moment whose place is a whole number.
    private static let start: Int64 = 5_000_000_000

    private let timeline = ReferenceTimeline()

    private func play(_ value: Int16, _ milliseconds: Int, at offset: Int64 = 0) {
        let samples = [Int16](repeating: value, count: milliseconds * 48)
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            timeline.append(base, buffer.count, leavingAt: Self.start + offset * millisecond)
        }
    }

    /// The value of each millisecond from `offset` on.
    private func heard(_ offset: Int64, _ milliseconds: Int) -> [Int16] {
        var samples = [Int16](repeating: -1, count: milliseconds * 48)
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            timeline.read(
                buffer.count, from: ReferenceTimeline.place(of: Self.start + offset * millisecond), into: base)
        }
        return stride(from: 0, to: samples.count, by: 48).map { samples[$0] }
    }

    @Test func nothingPlayedIsSilence() {
        #expect(heard(0, 3) == [0, 0, 0])
    }

    @Test func audioIsReadAtTheMomentAtWhichItLeavesTheLoudspeaker() {
        play(7, 2, at: 10)
        #expect(heard(8, 6) == [0, 0, 7, 7, 0, 0])
    }

    @Test func whatFollowsLiesBehindWhateverItsOwnTimestampSays() {
        play(7, 2)
        play(8, 2, at: 15)
        #expect(heard(0, 5) == [7, 7, 8, 8, 0])
    }

    @Test func aDeviceThatSaysItIsLaterMovesWhatFollows() {
        play(7, 10)
        timeline.settle(endLeavingAt: Self.start + 40 * millisecond)
        play(8, 2)
        #expect(heard(9, 4) == [7, 0, 0, 0])
        #expect(heard(39, 4) == [0, 8, 8, 0])
    }

    @Test func aSmallDeviationIsToldAndMovesNothing() {
        play(7, 10)
        timeline.settle(endLeavingAt: Self.start + 15 * millisecond)
        #expect(timeline.deviation == 5 * 48)
        play(8, 1)
        #expect(heard(9, 3) == [7, 8, 0])
    }

    @Test func whatACutDropsWasNeverPlayed() {
        play(7, 10)
        timeline.cut(at: Self.start + 4 * millisecond)
        #expect(heard(2, 4) == [7, 7, 0, 0])
        play(8, 2, at: 6)
        #expect(heard(2, 8) == [7, 7, 0, 0, 8, 8, 0, 0])
    }

    @Test func theGapOfADeviceThatRanDryIsSilenceAndNotWhatWasThereBefore() {
        // A whole round of the buffer full of sound.
        for _ in 0..<9 { play(7, 500) }
        timeline.cut(at: Self.start + 4_500 * millisecond)
        play(8, 1, at: 5_000)
        #expect(heard(4_499, 3) == [7, 0, 0])
        #expect(heard(4_999, 3) == [0, 8, 0])
    }

    @Test func whatIsTooLongAgoIsSilence() {
        for _ in 0..<10 { play(7, 500) }
        #expect(heard(0, 1) == [0])
        #expect(heard(4_900, 1) == [7])
    }
}
