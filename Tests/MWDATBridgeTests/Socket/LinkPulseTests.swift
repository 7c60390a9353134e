import MWDATCore
import Testing

@Suite struct LinkPulseTests {
    private let start = ContinuousClock.now

    @Test func aSilentPeerIsAskedTwiceAndThenCountsAsGone() {
        var pulse = LinkPulse(interval: .seconds(5), at: start)
        #expect(pulse.due(at: start + .seconds(4)) == .nothing)
        #expect(pulse.due(at: start + .seconds(5)) == .ask)
        #expect(pulse.due(at: start + .seconds(6)) == .nothing)
        #expect(pulse.due(at: start + .seconds(10)) == .ask)
        #expect(pulse.deadline == start + .seconds(15))
        #expect(pulse.due(at: start + .seconds(15)) == .gone)
    }

    @Test func afterALongAbsenceOfOurOwnThePeerIsAskedAndHasItsTime() {
        var pulse = LinkPulse(interval: .seconds(5), at: start)
        #expect(pulse.due(at: start + .seconds(100)) == .ask)
        #expect(pulse.due(at: start + .seconds(101)) == .nothing)
        #expect(pulse.deadline == start + .seconds(105))
    }

    @Test func anythingHeardBeginsTheWaitAnew() {
        var pulse = LinkPulse(interval: .seconds(5), at: start)
        #expect(pulse.due(at: start + .seconds(5)) == .ask)
        pulse.heard(at: start + .seconds(7))
        #expect(pulse.deadline == start + .seconds(12))
    }

    @Test func withoutAnIntervalNobodyIsAsked() {
        var pulse = LinkPulse(interval: nil, at: start)
        #expect(pulse.deadline == nil)
        #expect(pulse.due(at: start + .seconds(1_000)) == .nothing)
    }
}
