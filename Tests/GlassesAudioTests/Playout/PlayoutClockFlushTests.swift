import GlassesAudio
import GlassesDomain
import Testing

@Suite struct PlayoutClockFlushTests {
    typealias Base = PlayoutClockTests

    @Test("A flush's own position is the truth, below and above the extrapolation", arguments: [14_000, 15_000])
    func flushIsAuthority(frame: Int64) throws {
        var clock = try Base.playing(1_000)
        clock.positionReported(Base.report(13_440, atMs: 280), at: Base.ms(280))
        clock.flushBegan()
        clock.flushCompleted(Base.report(frame, atMs: 301, advancing: false), at: Base.ms(302))
        let status = try #require(clock.status(of: Base.first, at: Base.ms(5_000)))
        #expect(status.heardMs == frame / 48)
        #expect(status.progress == .partlyHeard)
        #expect(clock.end(at: Base.ms(302)) == .played)
        #expect(clock.frame(at: Base.ms(302)) == 48_000)
    }

    @Test("A flush's position below what was already reported is not believed")
    func flushBelowReported() throws {
        var clock = try Base.playing(1_000)
        clock.positionReported(Base.report(9_600, atMs: 200), at: Base.ms(200))
        clock.flushBegan()
        clock.flushCompleted(Base.report(0, atMs: 210, advancing: false), at: Base.ms(210))
        #expect(clock.status(of: Base.first, at: Base.ms(300))?.heardMs == 200)
    }

    @Test("While a flush is not answered the position runs on to the cut's end and reports are not believed")
    func pendingFlush() throws {
        var clock = try Base.playing(400)
        clock.positionReported(Base.report(0, atMs: 0), at: .zero)
        clock.flushBegan()
        clock.audioWritten(Base.second, frames: 48_000, at: Base.ms(300))
        clock.positionReported(Base.report(19_200, atMs: 305), at: Base.ms(305))
        #expect(clock.status(of: Base.first, at: Base.ms(310))?.heardMs == 310)
        #expect(clock.status(of: Base.second, at: Base.ms(900))?.heardMs == 0)
        clock.flushCompleted(Base.report(14_400, atMs: 300, advancing: false), at: Base.ms(310))
        #expect(clock.status(of: Base.first, at: Base.ms(900))?.heardMs == 300)
    }

    @Test("Audio written after a flush began is kept and heard once the device says so")
    func audioAfterFlush() throws {
        var clock = try Base.playing(1_000)
        clock.positionReported(Base.report(9_600, atMs: 200), at: Base.ms(200))
        clock.flushBegan()
        clock.audioReceived(Base.second, frames: 12_000)
        clock.audioWritten(Base.second, frames: 24_000, at: Base.ms(205))
        clock.segmentCompleted(Base.second)
        clock.flushCompleted(Base.report(9_800, atMs: 204, advancing: false), at: Base.ms(210))
        #expect(clock.end(at: Base.ms(250)) == .stopped(remaining: .milliseconds(500)))
        clock.positionReported(Base.report(48_000, atMs: 260), at: Base.ms(260))
        #expect(clock.heardSegment(at: Base.ms(300)) == Base.second)
        #expect(clock.statuses(at: Base.ms(360)).map(\.heardMs) == [204, 100])
        #expect(clock.statuses(at: Base.ms(760)).map(\.progress) == [.partlyHeard, .heard])
    }

    @Test("A report from before the flush that arrives after it changes nothing")
    func lateReport() throws {
        var clock = try Base.playing(1_000)
        clock.flushBegan()
        clock.audioWritten(Base.second, frames: 24_000, at: Base.ms(205))
        clock.flushCompleted(Base.report(9_800, atMs: 204, advancing: false), at: Base.ms(210))
        clock.positionReported(Base.report(9_900, atMs: 211), at: Base.ms(212))
        #expect(clock.frame(at: Base.ms(900)) == 48_000)
        #expect(clock.status(of: Base.first, at: Base.ms(900))?.heardMs == 204)
    }

    @Test("A completed segment that was cut is not heard in full")
    func cutAfterCompletion() throws {
        var clock = try Base.playing(1_000)
        clock.segmentCompleted(Base.first)
        clock.flushBegan()
        clock.flushCompleted(Base.report(47_999, atMs: 1_000, advancing: false), at: Base.ms(1_000))
        let status = try #require(clock.status(of: Base.first, at: Base.ms(2_000)))
        #expect(status.heardMs == 999)
        #expect(status.progress == .partlyHeard)
    }

    @Test("Only what was not played is cut when several segments are written")
    func cutAcrossSegments() throws {
        var clock = try Base.playing(500)
        clock.segmentCompleted(Base.first)
        clock.audioReceived(Base.second, frames: 12_000)
        clock.audioWritten(Base.second, frames: 24_000, at: .zero)
        clock.positionReported(Base.report(0, atMs: 0), at: .zero)
        clock.flushBegan()
        clock.flushCompleted(Base.report(24_000, atMs: 500, advancing: false), at: Base.ms(501))
        #expect(clock.statuses(at: Base.ms(900)).map(\.progress) == [.heard, .unheard])
    }

    @Test("Two flushes in flight are answered one after the other")
    func twoFlushes() throws {
        var clock = try Base.playing(1_000)
        clock.positionReported(Base.report(0, atMs: 0), at: .zero)
        clock.flushBegan()
        clock.audioReceived(Base.second, frames: 24_000)
        clock.audioWritten(Base.second, frames: 48_000, at: Base.ms(100))
        clock.flushBegan()
        clock.flushCompleted(Base.report(4_800, atMs: 100, advancing: false), at: Base.ms(110))
        clock.flushCompleted(Base.report(50_400, atMs: 160, advancing: false), at: Base.ms(170))
        #expect(clock.statuses(at: Base.ms(999)).map(\.heardMs) == [100, 50])
        #expect(clock.frame(at: Base.ms(999)) == 96_000)
    }

    @Test("An answer of a flush that was never begun cuts what is written")
    func unexpectedAnswer() throws {
        var clock = try Base.playing(1_000)
        clock.flushCompleted(Base.report(4_800, atMs: 100, advancing: false), at: Base.ms(100))
        #expect(clock.status(of: Base.first, at: Base.ms(900))?.heardMs == 100)
        #expect(clock.end(at: Base.ms(900)) == .played)
    }

    @Test("More flushes than can be remembered neither trap nor lose the written end")
    func floodOfFlushes() throws {
        var clock = try Base.playing(1_000)
        for _ in 0..<100 {
            clock.flushBegan()
            clock.audioWritten(Base.first, frames: 480, at: .zero)
        }
        for _ in 0..<100 { clock.flushCompleted(Base.report(480, atMs: 10, advancing: false), at: Base.ms(10)) }
        #expect(clock.frame(at: Base.ms(10)) == 48_000 + 100 * 480)
        #expect(clock.status(of: Base.first, at: Base.ms(99))?.heardMs == 10)
    }

    @Test("A loudspeaker that was opened again counts from 0 and keeps what was heard before")
    func reopened() throws {
        var clock = try Base.playing(1_000)
        clock.positionReported(Base.report(9_600, atMs: 200), at: Base.ms(200))
        clock.speakerReopened()
        #expect(clock.writtenFrames == 0)
        #expect(clock.status(of: Base.first, at: Base.ms(900))?.heardMs == 200)
        clock.audioWritten(Base.first, frames: 38_400, at: Base.ms(1_000))
        clock.positionReported(Base.report(4_800, atMs: 1_100), at: Base.ms(1_100))
        #expect(clock.status(of: Base.first, at: Base.ms(1_100))?.heardMs == 300)
        #expect(clock.end(at: Base.ms(1_100)) == .expected(Base.ms(1_800)))
    }
}
