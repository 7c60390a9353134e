import SeededRandom
import GlassesAudio
import GlassesDomain
import Testing

@Suite struct PlayoutClockTests {
    static let first = PlayoutSegmentID(responseID: "r1", itemID: "i1", contentIndex: 0)
    static let second = PlayoutSegmentID(responseID: "r2", itemID: "i2", contentIndex: 0)

    static func ms(_ value: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: value * 1_000_000) }

    static func report(_ frame: Int64, atMs time: Int64, advancing: Bool = true) -> PlaybackPosition {
        PlaybackPosition(frame: frame, time: ms(time), isAdvancing: advancing)
    }

    /// A clock at 48 kHz with `milliseconds` of the first segment received at 24 kHz and written.
    static func playing(_ milliseconds: Int, speakerRate: Int = 48_000) throws -> PlayoutClock {
        var clock = try PlayoutClock(speakerRate: speakerRate, providerRate: 24_000)
        clock.audioReceived(first, frames: 24 * milliseconds)
        clock.audioWritten(first, frames: speakerRate * milliseconds / 1_000, at: .zero)
        return clock
    }

    func heard(_ clock: PlayoutClock, _ id: PlayoutSegmentID = first, atMs time: Int64) throws -> Int64 {
        try #require(clock.status(of: id, at: Self.ms(time))).heardMs
    }

    @Test("Before the first report nothing was heard, however long it takes")
    func nothingBeforeReport() throws {
        let clock = try Self.playing(1_000)
        #expect(try heard(clock, atMs: 5_000) == 0)
        #expect(clock.heardSegment(at: Self.ms(5_000)) == nil)
        #expect(clock.end(at: Self.ms(5_000)) == .stopped(remaining: .seconds(1)))
    }

    @Test("Between reports the position runs at the nominal rate and stops at what was written")
    func extrapolation() throws {
        var clock = try Self.playing(1_000)
        clock.positionReported(Self.report(4_800, atMs: 100), at: Self.ms(100))
        #expect(try heard(clock, atMs: 100) == 100)
        #expect(try heard(clock, atMs: 350) == 350)
        #expect(clock.heardSegment(at: Self.ms(350)) == Self.first)
        #expect(clock.end(at: Self.ms(350)) == .expected(Self.ms(1_000)))
        #expect(try heard(clock, atMs: 60_000) == 1_000)
        #expect(clock.end(at: Self.ms(60_000)) == .played)
        #expect(clock.heardSegment(at: Self.ms(60_000)) == nil)
    }

    @Test("A device that stands still does not advance")
    func standingStill() throws {
        var clock = try Self.playing(1_000)
        clock.positionReported(Self.report(9_600, atMs: 300, advancing: false), at: Self.ms(300))
        #expect(try heard(clock, atMs: 9_000) == 200)
        #expect(clock.end(at: Self.ms(9_000)) == .stopped(remaining: .milliseconds(800)))
    }

    @Test("Jitter never makes an answer smaller, and the truth is reached again")
    func monotonic() throws {
        var clock = try Self.playing(10_000)
        var generator = SeededGenerator(seed: 3)
        var last: Int64 = 0
        for step in Int64(1)...400 {
            let time = step * 20
            let jitter = Int64.random(in: -600...600, using: &generator)
            clock.positionReported(Self.report(time * 48 + jitter, atMs: time), at: Self.ms(time))
            for query in [time, time + 7, time + 19] {
                let frame = clock.frame(at: Self.ms(query))
                #expect(frame >= last)
                #expect(abs(frame - query * 48) <= 1_300)
                last = frame
            }
        }
    }

    @Test("A device slower than its nominal rate is followed, not run away from")
    func slowDevice() throws {
        var clock = try Self.playing(20_000)
        for time in stride(from: Int64(20), through: 15_000, by: 20) {
            clock.positionReported(Self.report(time * 48 * 99 / 100, atMs: time), at: Self.ms(time))
        }
        #expect(clock.frame(at: Self.ms(15_000)) - 15_000 * 48 * 99 / 100 <= 20)
    }

    @Test("Milliseconds are exact and rounded down at any pair of rates", arguments: [8_000, 16_000, 44_100, 48_000])
    func rates(speakerRate: Int) throws {
        var clock = try Self.playing(1_000, speakerRate: speakerRate)
        for milliseconds in stride(from: Int64(1), to: 1_000, by: 37) {
            let frame = (milliseconds * Int64(speakerRate) + 999) / 1_000
            let time = milliseconds + 5_000
            clock.positionReported(Self.report(frame - 1, atMs: time, advancing: false), at: Self.ms(time))
            #expect(try heard(clock, atMs: time) == milliseconds - 1)
            clock.positionReported(Self.report(frame, atMs: time, advancing: false), at: Self.ms(time))
            #expect(try heard(clock, atMs: time) == milliseconds)
        }
    }

    /// Field bug A1: the cut is never beyond what was received.
    @Test("What was heard is never more than what was received")
    func neverBeyondReceived() throws {
        var clock = try PlayoutClock(speakerRate: 48_000, providerRate: 24_000)
        clock.audioReceived(Self.first, frames: 23_990)
        clock.audioWritten(Self.first, frames: 48_000, at: .zero)
        clock.positionReported(Self.report(0, atMs: 0), at: .zero)
        #expect(try heard(clock, atMs: 1_700) == 999)
    }

    @Test("A segment is heard in full only when it was completed and its last frame has played")
    func heardInFull() throws {
        var clock = try Self.playing(1_000)
        clock.positionReported(Self.report(0, atMs: 0), at: .zero)
        #expect(clock.status(of: Self.first, at: Self.ms(2_000))?.progress == .partlyHeard)
        clock.segmentCompleted(Self.first)
        #expect(clock.status(of: Self.first, at: .zero)?.progress == .unheard)
        #expect(clock.status(of: Self.first, at: Self.ms(999))?.progress == .partlyHeard)
        #expect(clock.status(of: Self.first, at: Self.ms(1_000))?.progress == .heard)
    }

    @Test("Segments that follow one another are told apart, also around sound that belongs to none")
    func severalSegments() throws {
        var clock = try Self.playing(500)
        clock.segmentCompleted(Self.first)
        clock.audioWritten(nil, frames: 4_800, at: .zero)
        clock.audioReceived(Self.second, frames: 24_000)
        clock.audioWritten(Self.second, frames: 48_000, at: .zero)
        clock.positionReported(Self.report(0, atMs: 0), at: .zero)
        #expect(clock.heardSegment(at: Self.ms(499)) == Self.first)
        #expect(clock.heardSegment(at: Self.ms(550)) == nil)
        #expect(clock.heardSegment(at: Self.ms(600)) == Self.second)
        let statuses = clock.statuses(at: Self.ms(800))
        #expect(statuses.map(\.heardMs) == [500, 200])
        #expect(statuses.map(\.progress) == [.heard, .partlyHeard])
        #expect(clock.statuses(ofResponse: "r2", at: Self.ms(550)).map(\.progress) == [.unheard])
        #expect(clock.end(ofResponse: "r1", at: Self.ms(100)) == .expected(Self.ms(500)))
        #expect(clock.end(ofResponse: "r1", at: Self.ms(700)) == .played)
        #expect(clock.end(ofResponse: "r2", at: Self.ms(700)) == .expected(Self.ms(1_600)))
        #expect(clock.end(ofResponse: "other", at: Self.ms(700)) == .played)
    }

    @Test("Received audio that is not written yet is unheard, and an unknown segment has no status")
    func receivedOnly() throws {
        var clock = try Self.playing(100)
        clock.audioReceived(Self.second, frames: 2_400)
        let status = try #require(clock.status(of: Self.second, at: Self.ms(900)))
        #expect(status.receivedMs == 100)
        #expect(status.heardMs == 0)
        #expect(status.progress == .unheard)
        let other = PlayoutSegmentID(responseID: "r1", itemID: "i1", contentIndex: 1)
        #expect(clock.status(of: other, at: .zero) == nil)
    }

    @Test("After running dry, new audio is not heard before it was written")
    func underrun() throws {
        var clock = try Self.playing(100)
        clock.positionReported(Self.report(0, atMs: 0), at: .zero)
        clock.audioReceived(Self.first, frames: 24_000)
        clock.audioWritten(Self.first, frames: 48_000, at: Self.ms(5_000))
        #expect(try heard(clock, atMs: 5_000) == 100)
        #expect(try heard(clock, atMs: 5_300) == 400)
    }

    @Test("Impossible reports neither trap nor make more heard than was written", arguments: [Int64.min, -1, .max])
    func impossibleReports(value: Int64) throws {
        var clock = try Self.playing(100)
        clock.positionReported(
            PlaybackPosition(frame: value, time: MonotonicTime(nanoseconds: value), isAdvancing: true),
            at: Self.ms(10))
        #expect((0...4_800).contains(clock.frame(at: Self.ms(50))))
        #expect((0...4_800).contains(clock.frame(at: MonotonicTime(nanoseconds: .max))))
        #expect((0...4_800).contains(clock.frame(at: MonotonicTime(nanoseconds: .min))))
        clock.flushBegan()
        clock.flushCompleted(
            PlaybackPosition(frame: value, time: MonotonicTime(nanoseconds: value), isAdvancing: false),
            at: Self.ms(60))
        #expect(clock.frame(at: Self.ms(60)) == 4_800)
        #expect((0...100).contains(try heard(clock, atMs: 60)))
    }

    @Test("A report of the future does not freeze the clock")
    func futureReport() throws {
        var clock = try Self.playing(1_000)
        clock.positionReported(Self.report(480, atMs: 900_000), at: Self.ms(10))
        clock.positionReported(Self.report(9_600, atMs: 200), at: Self.ms(200))
        #expect(try heard(clock, atMs: 250) == 250)
    }

    @Test("Reports that arrive in the wrong order are ignored")
    func lateReport() throws {
        var clock = try Self.playing(1_000)
        clock.positionReported(Self.report(9_600, atMs: 200, advancing: false), at: Self.ms(200))
        clock.positionReported(Self.report(4_800, atMs: 100), at: Self.ms(210))
        #expect(clock.frame(at: Self.ms(900)) == 9_600)
    }

    @Test("Old segments are forgotten, heard ones first, so that memory stays bounded")
    func boundedMemory() throws {
        var clock = try PlayoutClock(speakerRate: 48_000, providerRate: 24_000)
        for number in 0..<1_000 {
            let id = PlayoutSegmentID(responseID: "r\(number)", itemID: "i\(number)", contentIndex: 0)
            let time = Int64(number) * 10
            clock.audioReceived(id, frames: 240)
            clock.audioWritten(id, frames: 480, at: Self.ms(time))
            clock.segmentCompleted(id)
            clock.positionReported(Self.report(Int64(number + 1) * 480, atMs: time + 10), at: Self.ms(time + 10))
        }
        let statuses = clock.statuses(at: Self.ms(20_000))
        #expect(statuses.count == PlayoutClock.segmentLimit)
        #expect(statuses.allSatisfy { $0.progress == .heard && $0.heardMs == 10 })
        #expect(statuses.last?.id.itemID == "i999")
    }

    @Test("An unsupported rate is refused", arguments: [(0, 24_000), (48_000, -1)])
    func badRates(speaker: Int, provider: Int) {
        #expect(throws: AudioFormatError.self) {
            try PlayoutClock(speakerRate: speaker, providerRate: provider)
        }
    }
}
