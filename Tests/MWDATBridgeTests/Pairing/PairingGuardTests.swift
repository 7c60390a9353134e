import Testing

@testable import MWDATBridge

@Suite struct PairingGuardTests {
    private let start = ContinuousClock.now

    @Test func withoutACodeNobodyMayTry() {
        var guardian = PairingGuard()
        #expect(guardian.begin(at: start) == .noCode)
    }

    @Test func aCodeIsUsedOnce() {
        var guardian = PairingGuard()
        guardian.show("A", at: start)
        #expect(guardian.begin(at: start) == .tryIt(code: "A"))
        guardian.used()
        #expect(guardian.begin(at: start) == .noCode)
    }

    @Test func aCodeIsOverAfterItsTime() {
        var guardian = PairingGuard()
        guardian.show("A", at: start)
        #expect(guardian.begin(at: start + .seconds(599)) == .tryIt(code: "A"))
        guardian.gaveUp()
        #expect(guardian.begin(at: start + .seconds(600)) == .noCode)
    }

    @Test func onlyOneMayTryAtATimeAndNotForEver() {
        var guardian = PairingGuard()
        guardian.show("A", at: start)
        #expect(guardian.begin(at: start) == .tryIt(code: "A"))
        #expect(guardian.begin(at: start + .seconds(4)) == .later(.seconds(16)))
        #expect(guardian.begin(at: start + .seconds(20)) == .tryIt(code: "A"))
    }

    @Test func everyWrongProofDoublesTheWaitAndTheFifthVoidsTheCode() {
        var guardian = PairingGuard()
        var now = start
        guardian.show("A", at: now)
        for wait in [1, 2, 4, 8] {
            #expect(guardian.begin(at: now) == .tryIt(code: "A"))
            #expect(guardian.failed(at: now) == .slowedDown)
            #expect(guardian.begin(at: now) == .later(.seconds(wait)))
            now += .seconds(wait)
        }
        #expect(guardian.begin(at: now) == .tryIt(code: "A"))
        #expect(guardian.failed(at: now) == .codeIsVoid)
        #expect(guardian.begin(at: now + .seconds(60)) == .noCode)
    }

    @Test func aNewCodeDoesNotShortenAWait() {
        var guardian = PairingGuard()
        guardian.show("A", at: start)
        _ = guardian.begin(at: start)
        _ = guardian.failed(at: start)
        guardian.show("B", at: start)
        #expect(guardian.begin(at: start) == .later(.seconds(1)))
        #expect(guardian.begin(at: start + .seconds(1)) == .tryIt(code: "B"))
    }
}
