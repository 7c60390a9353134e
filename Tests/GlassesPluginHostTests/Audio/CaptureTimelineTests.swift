import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("The times of captured blocks")
struct CaptureTimelineTests {
    private let now = MonotonicTime(nanoseconds: 100_000_000_000)

    private func mark(_ frame: Int64, milliseconds: Int64) -> CaptureTimeline.Mark {
        CaptureTimeline.Mark(frame: frame, time: now.advanced(by: .milliseconds(milliseconds)))
    }

    private func timeline() -> CaptureTimeline { CaptureTimeline(sampleRate: 16_000, capacity: 32_000) }

    @Test("Blocks are cut where the plugin's blocks begin")
    func cutsAtMarks() {
        var timeline = timeline()
        for block in 0..<4 as Range<Int64> {
            #expect(timeline.add(mark(block * 320, milliseconds: block * 20), now: now) == .accepted)
        }
        for block in 0..<4 as Range<Int64> {
            #expect(timeline.nextBlock(readable: Int(1_280 - block * 320)) == 320)
            #expect(timeline.take(320) == now.advanced(by: .milliseconds(block * 20)))
        }
    }

    @Test(
        "Without marks blocks are 10 to 40 ms long and have no time",
        arguments: [(0, 0), (159, 0), (160, 160), (639, 639), (640, 640), (32_000, 640)])
    func boundsBlocks(_ readable: Int, _ length: Int) {
        var timeline = timeline()
        #expect(timeline.nextBlock(readable: readable) == length)
        #expect(timeline.take(length) == nil)
    }

    @Test("Between two marks the time runs at the nominal rate")
    func interpolates() {
        var timeline = timeline()
        _ = timeline.add(mark(0, milliseconds: 0), now: now)
        #expect(timeline.take(640) == now)
        #expect(timeline.take(640) == now.advanced(by: .milliseconds(40)))
        #expect(timeline.take(640) == now.advanced(by: .milliseconds(80)))
    }

    @Test("A gap begins a new block, even when the block before it is short")
    func cutsAtGaps() {
        var timeline = timeline()
        _ = timeline.add(mark(0, milliseconds: 0), now: now)
        _ = timeline.add(mark(80, milliseconds: 2_000), now: now)
        #expect(timeline.nextBlock(readable: 400) == 80)
        #expect(timeline.take(80) == now)
        #expect(timeline.take(320) == now.advanced(by: .milliseconds(2_000)))
    }

    static let senseless: [(Int64, Int64)] = [
        (-1, 0), (-5, 20), (70_000, 20), (Int64.max, 20), (Int64.min, 20), (320, 11_000), (320, -11_000),
        (320, Int64.max / 10_000_000), (320, -Int64.max / 10_000_000),
    ]

    @Test("A mark that makes no sense is left out and changes no time", arguments: senseless)
    func mistrusts(_ frame: Int64, _ milliseconds: Int64) {
        var timeline = timeline()
        _ = timeline.add(mark(0, milliseconds: 0), now: now)
        #expect(timeline.add(mark(frame, milliseconds: milliseconds), now: now) == .implausible)
        #expect(timeline.take(320) == now)
        #expect(timeline.take(320) == now.advanced(by: .milliseconds(20)))
    }

    @Test("Marks without frames do not fill the memory")
    func boundsMarks() {
        var timeline = timeline()
        let accepted = (0..<1_000).count { _ in timeline.add(mark(500, milliseconds: 0), now: now) == .accepted }
        #expect(accepted == 256)
    }
}

@Suite("The estimate of what is playing")
struct PlaybackEstimateTests {
    private let now = MonotonicTime(nanoseconds: 5_000_000_000)

    private func at(_ milliseconds: Int64) -> MonotonicTime { now.advanced(by: .milliseconds(milliseconds)) }

    private func report(_ frame: Int64, _ time: MonotonicTime, _ isAdvancing: Bool = true) -> PlaybackPosition {
        PlaybackPosition(frame: frame, time: time, isAdvancing: isAdvancing)
    }

    @Test(
        "Between reports the position runs at the nominal rate, never past what was written",
        arguments: [(0, 1_000), (10, 1_160), (100, 2_600), (250, 5_000), (1_000_000, 5_000), (-50, 1_000)]
            as [(Int64, Int64)])
    func extrapolates(_ milliseconds: Int64, _ frame: Int64) {
        var estimate = PlaybackEstimate(sampleRate: 16_000, now: now)
        #expect(estimate.report(report(1_000, now), written: 5_000, now: now) == .accepted)
        let position = estimate.position(at: at(milliseconds), written: 5_000)
        #expect(position.frame == frame)
        #expect(position.isAdvancing == (frame < 5_000))
    }

    @Test("A loudspeaker that stands still stays where it is")
    func stands() {
        var estimate = PlaybackEstimate(sampleRate: 16_000, now: now)
        _ = estimate.report(report(700, now, false), written: 5_000, now: now)
        #expect(estimate.position(at: at(900), written: 5_000).frame == 700)
    }

    @Test(
        "A report that makes no sense is bounded by what was heard and what was written",
        arguments: [(-5, 1_000), (999, 1_000), (5_001, 5_000), (Int64.max, 5_000), (Int64.min, 1_000)]
            as [(Int64, Int64)])
    func bounds(_ frame: Int64, _ believed: Int64) {
        var estimate = PlaybackEstimate(sampleRate: 16_000, now: now)
        _ = estimate.report(report(1_000, now), written: 5_000, now: now)
        #expect(estimate.report(report(frame, at(10)), written: 5_000, now: at(10)) == .implausible)
        #expect(estimate.lastReport.frame == believed)
    }

    @Test(
        "A report from another time counts from now", arguments: [Int64.max, Int64.min, 0, 100_000_000_000] as [Int64])
    func boundsTime(_ nanoseconds: Int64) {
        var estimate = PlaybackEstimate(sampleRate: 16_000, now: MonotonicTime(nanoseconds: 50_000_000_000))
        let now = MonotonicTime(nanoseconds: 50_000_000_000)
        let time = MonotonicTime(nanoseconds: nanoseconds)
        #expect(estimate.report(report(100, time), written: 5_000, now: now) == .implausible)
        #expect(estimate.lastReport == PlaybackPosition(frame: 100, time: now, isAdvancing: true))
    }

    @Test("Flushed frames count as passed")
    func passesFlushed() {
        var estimate = PlaybackEstimate(sampleRate: 16_000, now: now)
        _ = estimate.report(report(1_000, now), written: 5_000, now: now)
        estimate.flushed(upTo: 4_000, now: at(5))
        #expect(estimate.position(at: at(500), written: 5_000).frame == 4_000)
    }
}
