import Testing

@testable import SystemDeviceStreams

@Suite struct BackOffTests {
    @Test func eachFailureDoublesTheWaitUpToFourSeconds() {
        var backOff = BackOff()
        let waits = (0..<7).map { _ in backOff.next() / millisecond }
        #expect(waits == [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
    }

    @Test(arguments: [(4_999, 1_000), (5_000, 250), (60_000, 250)])
    func aStreamThatRanForFiveSecondsBeginsAgainAtTheShortestWait(ran: Int64, next: Int64) {
        var backOff = BackOff()
        _ = backOff.next()
        _ = backOff.next()
        backOff.ran(for: ran * millisecond)
        let wait = backOff.next()
        #expect(wait == next * millisecond)
    }
}

@Suite struct XrunRateTests {
    @Test func theEleventhInOneSecondIsOneTooMany() {
        var rate = XrunRate()
        let verdicts = (0..<10).map { rate.note(at: Int64($0) * 90 * millisecond) } + [rate.note(at: 999 * millisecond)]
        #expect(verdicts == [Bool](repeating: false, count: 10) + [true])
    }

    @Test func tenInEachSecondGoOnForEver() {
        var rate = XrunRate()
        let verdicts = (0..<1_000).map { rate.note(at: Int64($0) * 100 * millisecond) }
        #expect(!verdicts.contains(true))
    }
}

@Suite struct ProgressWatchTests {
    /// (when frames moved last, when it is looked at, whether that is a stall), in milliseconds after the device was prepared.
    @Test(arguments: [
        (nil, 2_499, false), (nil, 2_500, true), (100, 2_599, false), (100, 2_600, true), (3_000, 3_999, false),
        (3_000, 4_000, true),
    ])
    func aDeviceThatStandsStillIsNoticedSoonerOnceItRuns(moved: Int64?, looked: Int64, isStall: Bool) {
        var watch = ProgressWatch(at: 7)
        if let moved { watch.moved(at: 7 + moved * millisecond) }
        #expect(watch.hasStalled(at: 7 + looked * millisecond) == isStall)
    }
}
