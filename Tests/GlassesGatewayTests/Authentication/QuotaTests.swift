import GlassesDomain
import Testing

@testable import GlassesGateway

@Suite("Quota")
struct QuotaTests {
    private func moment(_ seconds: Double) -> MonotonicTime { MonotonicTime.zero.advanced(by: .seconds(seconds)) }

    @Test("sessions are bounded for one owner and for all, and an end makes room")
    func sessions() throws {
        var quota = Quota(maximum: 3, maximumPerOwner: 2)
        try quota.begin(.token(0), at: .zero)
        try quota.begin(.token(0), at: .zero)
        #expect(throws: Quota.Refusal.ownerFull) { try quota.begin(.token(0), at: .zero) }
        try quota.begin(.token(1), at: .zero)
        #expect(throws: Quota.Refusal.full) { try quota.begin(.token(2), at: .zero) }
        quota.end(.token(0))
        try quota.begin(.token(2), at: .zero)
        #expect(quota.sessions == 3)
    }

    @Test("a burst is allowed, then one request for each part of a second that passes; owners do not share")
    func rate() throws {
        var quota = Quota(maximum: 1, maximumPerOwner: 1)
        for _ in 0..<GatewayLimits.requestBurst { try quota.spend(.anyone, at: moment(1)) }
        #expect(throws: Quota.Refusal.tooFast(seconds: 1)) { try quota.spend(.anyone, at: moment(1)) }
        try quota.spend(.token(0), at: moment(1))
        for _ in 0..<GatewayLimits.requestsPerSecond { try quota.spend(.anyone, at: moment(2)) }
        #expect(throws: Quota.Refusal.tooFast(seconds: 1)) { try quota.spend(.anyone, at: moment(2)) }
    }
}
