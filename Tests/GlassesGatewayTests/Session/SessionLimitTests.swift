import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import Testing

@testable import GlassesGateway

@Suite("Session limits", .serialized, .timeLimit(.minutes(5)))
struct SessionLimitTests {
    @Test("a full gateway refuses with 503, and takes the next client once a session has ended")
    func full() async throws {
        let rig = try GatewayRig { $0.maximumSessions = 1 }
        let first = try await SocketClient.open(rig.base)
        let refusal = try await SocketClient.refusal(rig.base)
        #expect(refusal.status == 503)
        #expect(refusal.code == "session_limit_reached")
        #expect(refusal.refusal.fields.first("Retry-After") == "10")
        first.close()
        _ = try await rig.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
        let second = try await SocketClient.open(rig.base)
        #expect(try await second.event()["type"] == "session.created")
        second.close()
    }

    @Test("a token that has all its sessions is refused with 429 and holds up no other one")
    func ownerFull() async throws {
        let rig = try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: "test-token-0 test-token-1")
            configuration.maximumSessionsPerToken = 1
        }
        let mine = ["Authorization": "Bearer test-token-0"]
        let first = try await SocketClient.open(rig.base, headers: mine)
        #expect(try await SocketClient.refusal(rig.base, headers: mine).status == 429)
        let other = try await SocketClient.open(rig.base, headers: ["Authorization": "Bearer test-token-1"])
        first.close()
        other.close()
    }

    @Test("a session that has lasted its time is told so and closed with 1001")
    func expiry() async throws {
        let rig = try GatewayRig { $0.sessionLength = .milliseconds(300) }
        let client = try await SocketClient.open(rig.base)
        #expect(try await client.next("error")["error"]?["code"] == "session_expired")
        let closure = try await client.closure()
        #expect(closure.closeCode == 1_001)
    }

    @Test("the end of the gateway refuses new sessions, lets running ones finish, and then closes them with 1001")
    func shutDown() async throws {
        let rig = try GatewayRig { $0.drain = .seconds(60) }
        let healthz = rig.http.replacingOccurrences(of: "/v1", with: "/healthz")
        let leaving = try await SocketClient.open(rig.base)
        async let end: Void = rig.gateway.shutDown()
        while try await PlainRequest.send(healthz).status == 200 {}
        let refusal = try await SocketClient.refusal(rig.base)
        #expect(refusal.status == 503)
        #expect(refusal.code == "draining")
        leaving.say("goodbye")
        try await leaving.next("response.done")
        let start = ContinuousClock.now
        leaving.close()
        await end
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("a session that goes on is closed with 1001 when the time for it is up")
    func closedAtShutDown() async throws {
        let rig = try GatewayRig { $0.drain = .milliseconds(50) }
        let client = try await SocketClient.open(rig.base)
        async let end: Void = rig.gateway.shutDown()
        #expect(try await client.closure().closeCode == 1_001)
        await end
    }
}
