import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ReconnectPolicyTests {
    private func closure(status: Int? = nil, code: UInt16? = nil, retryAfter: Double? = nil, cause: String = "x")
        -> ConnectionClosure
    {
        ConnectionClosure(code: cause, message: "m", httpStatus: status, closeCode: code, retryAfter: retryAfter)
    }

    @Test(arguments: [1001, 1005, 1006, 1011, 1012, 1013, 1015] as [UInt16])
    func theseCloseCodesAreRetried(code: UInt16) { #expect(!ReconnectPolicy.isFinal(closure(code: code))) }

    @Test(arguments: [1000, 1002, 1003, 1007, 1008, 1010, 3000, 4000] as [UInt16])
    func everyOtherCloseCodeIsFinal(code: UInt16) { #expect(ReconnectPolicy.isFinal(closure(code: code))) }

    @Test(arguments: [429, 500, 502, 503, 504]) func theseStatusesAreRetried(status: Int) {
        #expect(!ReconnectPolicy.isFinal(closure(status: status)))
    }

    @Test(arguments: [400, 402, 403, 404, 410, 501]) func everyOtherStatusIsFinal(status: Int) {
        #expect(ReconnectPolicy.isFinal(closure(status: status)))
    }

    @Test func aNetworkErrorIsRetriedAndAMissingEngineIsNot() {
        #expect(!ReconnectPolicy.isFinal(closure(cause: "connection_refused")))
        #expect(ReconnectPolicy.isFinal(closure(cause: "engine_unavailable")))
    }

    @Test func anOldTokenIsRefreshedOnceAndAnOversizedMessageForgivenOnce() {
        var generator = SplitMix64(seed: 1)
        var policy = ReconnectPolicy()
        #expect(policy.decide(on: closure(status: 401), using: &generator) == .retry(after: .zero))
        #expect(policy.decide(on: closure(status: 401), using: &generator) == .giveUp)
        policy.succeed()
        #expect(policy.decide(on: closure(code: 1009), using: &generator) != .giveUp)
        #expect(policy.decide(on: closure(code: 1009), using: &generator) == .giveUp)
    }

    @Test func waitsDoubleUpToEightSecondsWithFullJitterUntilSixtySecondsAreSpent() {
        for seed in 0..<50 {
            var generator = SplitMix64(seed: UInt64(seed))
            var policy = ReconnectPolicy()
            var total = Duration.zero
            var attempt = 0
            while case .retry(let wait) = policy.decide(on: closure(code: 1006), using: &generator) {
                let ceiling = min(Duration.milliseconds(250) * (1 << min(attempt, 5)), .seconds(8))
                #expect(wait >= .zero && wait <= ceiling)
                total += wait
                attempt += 1
            }
            #expect(total <= .seconds(60) && total > .seconds(52))
            #expect(attempt >= 8)
        }
    }

    @Test func retryAfterIsObeyedThreeTimesWithinItsCap() {
        var generator = SplitMix64(seed: 1)
        var policy = ReconnectPolicy()
        let waits = [2.0, 0, 86_400].map { policy.decide(on: closure(status: 429, retryAfter: $0), using: &generator) }
        #expect(waits == [.retry(after: .seconds(2)), .retry(after: .zero), .retry(after: .seconds(60))])
        guard case .retry(let own) = policy.decide(on: closure(status: 429, retryAfter: 30), using: &generator) else {
            Issue.record("gave up")
            return
        }
        #expect(own <= .milliseconds(250))
    }

    @Test(arguments: [-1, .nan, .infinity] as [Double]) func aMeaninglessRetryAfterCountsAsAbsent(value: Double) {
        var generator = SplitMix64(seed: 1)
        var policy = ReconnectPolicy()
        guard case .retry(let wait) = policy.decide(on: closure(status: 503, retryAfter: value), using: &generator)
        else {
            Issue.record("gave up")
            return
        }
        #expect(wait <= .milliseconds(250))
    }

    @Test func theAppSaysHowLongToWaitAndWhenToGiveUp() {
        for seed in 0..<20 {
            var generator = SplitMix64(seed: UInt64(seed))
            var policy = ReconnectPolicy(ReconnectConfig(firstWait: 1, longestWait: 2, giveUpAfter: 10))
            var total = Duration.zero
            var waits: [Duration] = []
            while case .retry(let wait) = policy.decide(on: closure(code: 1006), using: &generator) {
                waits.append(wait)
                total += wait
            }
            #expect(waits[0] <= .seconds(1))
            #expect(waits.allSatisfy { $0 <= .seconds(2) })
            #expect(total <= .seconds(10) && total > .seconds(8))
        }
    }

    @Test func whoWantsNoReconnectGivesUpAtOnceButAnOldTokenIsRefreshed() {
        var generator = SplitMix64(seed: 1)
        var policy = ReconnectPolicy(.never)
        #expect(policy.decide(on: closure(code: 1006), using: &generator) == .giveUp)
        #expect(policy.decide(on: closure(status: 429, retryAfter: 1), using: &generator) == .giveUp)
        #expect(policy.decide(on: closure(status: 401), using: &generator) == .retry(after: .zero))
    }

    @Test func aGoodConnectionIsForgivenEverythingAndKeepsItsLimits() {
        var generator = SplitMix64(seed: 1)
        var policy = ReconnectPolicy(ReconnectConfig(firstWait: 0.01, longestWait: 0.01, giveUpAfter: 0.02))
        while case .retry = policy.decide(on: closure(code: 1006), using: &generator) {}
        policy.succeed()
        #expect(policy == ReconnectPolicy(ReconnectConfig(firstWait: 0.01, longestWait: 0.01, giveUpAfter: 0.02)))
    }
}
