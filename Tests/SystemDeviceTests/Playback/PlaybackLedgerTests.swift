import SeededRandom
import Testing

@testable import SystemDeviceStreams

@Suite struct PlaybackLedgerTests {
    enum Step {
        case audio(Int, Int64)
        case silence(Int)
        case ranDry
        case cut(Int64)
    }

    /// (what the device took, its delay, the position, whether it advances), from ring position 1,000 on.
    @Test(
        arguments: [
            ([], 0, 1_000, false),
            ([.audio(480, 1_000)], 480, 1_000, true),
            ([.audio(480, 1_000)], 900, 1_000, false),
            ([.audio(480, 1_000)], 100, 1_380, true),
            ([.audio(480, 1_000)], 0, 1_480, false),
            ([.audio(480, 1_000)], -5, 1_480, false),
            ([.audio(480, 1_000), .audio(480, 1_480)], 100, 1_860, true),
            ([.silence(480), .audio(480, 1_000)], 500, 1_000, false),
            ([.silence(480), .audio(480, 1_000)], 480, 1_000, true),
            ([.audio(480, 1_000), .silence(480), .audio(10, 1_480)], 300, 1_480, false),
            ([.audio(480, 1_000), .silence(480), .audio(10, 1_480)], 5, 1_485, true),
            ([.audio(480, 1_000), .ranDry], 0, 1_480, false),
            ([.audio(480, 1_000), .ranDry, .silence(480), .audio(100, 1_480)], 40, 1_540, true),
            ([.audio(480, 1_000), .cut(9_000)], 300, 9_000, false),
            ([.audio(480, 1_000), .cut(9_000), .audio(480, 9_000)], 300, 9_180, true),
        ] as [([Step], Int, Int64, Bool)])
    func thePositionCountsTheHostsFramesAndNoSilence(steps: [Step], delay: Int, frame: Int64, isAdvancing: Bool) {
        var ledger = PlaybackLedger(ring: 1_000)
        for step in steps { apply(step, &ledger) }
        let position = ledger.position(delay: delay)
        #expect(position == PlaybackLedger.Position(frame: frame, isAdvancing: isAdvancing))
    }

    @Test func aDelayThatGrowsTakesNoPositionBack() {
        var ledger = PlaybackLedger(ring: 0)
        ledger.wroteAudio(1_000, from: 0)
        let frames = [400, 700, 300].map { ledger.position(delay: $0).frame }
        #expect(frames == [600, 600, 700])
    }

    @Test func randomFillsAndDelaysAgreeWithALedgerThatRemembersEveryFrame() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20 {
            var ledger = PlaybackLedger(ring: 0)
            var device: [Int64?] = []
            var ring: Int64 = 0
            var told: Int64 = 0
            for _ in 0..<60 {
                let frames = Int.random(in: 1...400, using: &generator)
                if Bool.random(using: &generator) {
                    ledger.wroteAudio(frames, from: ring)
                    device += (0..<Int64(frames)).map { ring + $0 }
                    ring += Int64(frames)
                } else {
                    ledger.wroteSilence(frames)
                    device += [Int64?](repeating: nil, count: frames)
                }
                let delay = Int.random(in: 0...2_000, using: &generator)
                let leaving = device.count - delay
                let passed = device.prefix(max(0, leaving)).reduce(Int64(0)) { $0 + ($1 == nil ? 0 : 1) }
                told = max(told, passed)
                let position = ledger.position(delay: delay)
                #expect(position.frame == told)
            }
        }
    }

    @Test func moreRunsThanItKeepsStayBoundedAndNeverPassWhatWasWritten() {
        var ledger = PlaybackLedger(ring: 0)
        var ring: Int64 = 0
        for _ in 0..<2_000 {
            ledger.wroteAudio(1, from: ring)
            ring += 1
            ledger.wroteSilence(1)
        }
        let frames = [10_000, 0].map { ledger.position(delay: $0).frame }
        #expect(frames == [0, ring])
    }

    private func apply(_ step: Step, _ ledger: inout PlaybackLedger) {
        switch step {
        case .audio(let frames, let ring): ledger.wroteAudio(frames, from: ring)
        case .silence(let frames): ledger.wroteSilence(frames)
        case .ranDry: ledger.ranDry()
        case .cut(let ring): ledger.cut(next: ring)
        }
    }
}

@Suite struct FlushRequestsTests {
    @Test func aRequestIsPendingUntilItIsAnswered() throws {
        let flushes = FlushRequests()
        #expect(flushes.pending() == nil)
        flushes.request(FlushRequest(id: 1, upTo: 480, time: 9))
        let flush = try #require(flushes.pending())
        #expect(flush == FlushRequest(id: 1, upTo: 480, time: 9))
        flushes.answer(flush)
        #expect(flushes.pending() == nil)
    }

    @Test func aLaterRequestReplacesAnEarlierOne() throws {
        let flushes = FlushRequests()
        flushes.request(FlushRequest(id: 1, upTo: 480, time: 9))
        let first = try #require(flushes.pending())
        flushes.request(FlushRequest(id: 2, upTo: 960, time: 10))
        flushes.answer(first)
        #expect(flushes.pending()?.id == 2)
    }

    @Test func requestsFromManyThreadsAreNeverReadHalfWritten() async {
        let flushes = FlushRequests()
        await withTaskGroup(of: Void.self) { group in
            for writer in UInt64(0)..<4 {
                group.addTask {
                    for serial in UInt64(0)..<5_000 {
                        let id = 1 + writer + 4 * serial
                        flushes.request(FlushRequest(id: id, upTo: Int64(id) * 3, time: Int64(id) * 7))
                    }
                }
            }
            group.addTask {
                for _ in 0..<20_000 {
                    guard let flush = flushes.pending() else { continue }
                    #expect(flush.upTo == Int64(flush.id) * 3 && flush.time == Int64(flush.id) * 7)
                }
            }
        }
    }
}
