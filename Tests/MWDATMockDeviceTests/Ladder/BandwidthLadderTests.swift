import GlassesDomain
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("The bandwidth ladder")
struct BandwidthLadderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var width: Int
        var framesPerSecond: Int
        /// Widths and rates from the requested rung to the last one.
        var rungs: [[Int]]
        var testDescription: String { "\(width) at \(framesPerSecond)" }
    }

    static let rows = [
        Row(width: 720, framesPerSecond: 30, rungs: [[720, 30], [504, 30], [360, 30], [360, 24], [360, 15]]),
        Row(width: 720, framesPerSecond: 24, rungs: [[720, 24], [504, 24], [360, 24], [360, 15]]),
        Row(width: 720, framesPerSecond: 15, rungs: [[720, 15], [504, 15], [360, 15]]),
        Row(width: 504, framesPerSecond: 30, rungs: [[504, 30], [360, 30], [360, 24], [360, 15]]),
        Row(width: 360, framesPerSecond: 30, rungs: [[360, 30], [360, 24], [360, 15]]),
        Row(width: 360, framesPerSecond: 15, rungs: [[360, 15]]),
        Row(width: 504, framesPerSecond: 7, rungs: [[504, 7], [360, 7]]),
        Row(width: 720, framesPerSecond: 2, rungs: [[720, 2], [504, 2], [360, 2]]),
    ]

    @Test("Congestion lowers the size first, then the rate, one step a decision", arguments: rows)
    func descends(row: Row) {
        var ladder = Self.ladder(row)
        var seen = [[ladder.current.width, ladder.current.framesPerSecond]]
        var now = MonotonicTime.zero
        for _ in 0..<10 {
            if let rung = ladder.decide(linkRate: 1, at: now) { seen.append([rung.width, rung.framesPerSecond]) }
            now = now.advanced(by: BandwidthLadder.interval)
        }
        #expect(seen == row.rungs)
    }

    @Test("There is one decision an interval")
    func interval() {
        var ladder = Self.ladder(Self.rows[0])
        #expect(ladder.decide(linkRate: 1, at: .zero) != nil)
        #expect(ladder.decide(linkRate: 1, at: MonotonicTime.zero.advanced(by: .milliseconds(999))) == nil)
        #expect(ladder.decide(linkRate: 1, at: MonotonicTime.zero.advanced(by: .seconds(1))) != nil)
    }

    @Test("A link that is fast enough changes nothing")
    func fastLink() {
        var ladder = Self.ladder(Self.rows[0])
        #expect(ladder.decide(linkRate: nil, at: .zero) == nil)
        #expect(ladder.decide(linkRate: 10_000_000, at: MonotonicTime.zero.advanced(by: .seconds(5))) == nil)
    }

    @Test("With room for a while it climbs back, one step at a time, to what was asked for")
    func climbs() {
        var ladder = Self.ladder(Self.rows[0])
        var now = MonotonicTime.zero
        for _ in 0..<4 {
            _ = ladder.decide(linkRate: 1, at: now)
            now = now.advanced(by: BandwidthLadder.interval)
        }
        #expect(ladder.position == 4)
        var positions = [4]
        for _ in 0..<20 {
            if ladder.decide(linkRate: nil, at: now) != nil { positions.append(ladder.position) }
            now = now.advanced(by: BandwidthLadder.interval)
        }
        #expect(positions == [4, 3, 2, 1, 0])
    }

    @Test("Without room for the next rung it stays where it fits")
    func stays() {
        var ladder = Self.ladder(Self.rows[0])
        // More than 504 by 896 at 30 needs, less than 720 by 1280 does.
        let rate = 1_500_000
        var now = MonotonicTime.zero
        for _ in 0..<30 {
            _ = ladder.decide(linkRate: rate, at: now)
            now = now.advanced(by: BandwidthLadder.interval)
        }
        #expect(ladder.current.width == 504 && ladder.current.framesPerSecond == 30)
    }

    @Test("A slow link makes the stream's pictures smaller, without an event")
    func stream() {
        var world = WorldHarness.streaming()
        world.set(MockFaults(linkRate: 700_000))
        _ = world.take()
        world.picture()
        let actions = world.take()
        let wanted = MockFeedPlan(source: .pattern, coding: .i420, width: 360, height: 640, framesPerSecond: 30)
        #expect(actions == [.changeFeed(world.key(), wanted)])
    }

    private static func ladder(_ row: Row) -> BandwidthLadder {
        let height = BandwidthLadder.sizes.first { $0.width == row.width }?.height ?? 0
        return BandwidthLadder(
            requested: BandwidthLadder.Rung(width: row.width, height: height, framesPerSecond: row.framesPerSecond))
    }
}
