import Foundation
import GlassesDomain
import GlassesServer
import Synchronization
import Testing

@testable import GlassesGateway

@Suite("Client secrets over HTTP", .timeLimit(.minutes(5)))
struct ClientSecretsEndpointTests {
    private static let headers = ["Authorization": "Bearer test-token"]

    private func rig(_ change: (inout GatewayConfiguration) -> Void = { _ in }) throws -> GatewayRig {
        try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: "test-token")
            change(&configuration)
        }
    }

    private func secret(_ rig: GatewayRig, _ body: String) async throws -> JSONValue {
        let answer = try await PlainRequest.send(
            rig.http + "/realtime/client_secrets", method: "POST", headers: Self.headers, body: body)
        #expect(answer.status == 200)
        return try answer.json()
    }

    private func value(_ secret: JSONValue) throws -> String { try #require(secret["value"]?.stringValue) }

    @Test("a secret carries its configuration into every session that it starts, also from a browser")
    func configured() async throws {
        let rig = try rig()
        let made = try await secret(
            rig,
            #"{"expires_after":{"anchor":"created_at","seconds":600},"session":{"type":"realtime","model":"m1","instructions":"Be brief.","audio":{"output":{"voice":"marin"}}}}"#
        )
        let lifetime = try #require(made["expires_at"]?.intValue) - Int64(Date().timeIntervalSince1970)
        #expect((500...600).contains(lifetime))
        #expect(made["session"]?["instructions"] == "Be brief.")
        #expect(made["session"]?["expires_at"] == 0)
        #expect(made["session"]?["object"] == "realtime.session")
        let value = try value(made)
        for subprotocols in [["realtime", "openai-insecure-api-key.\(value)"], []] {
            let headers = subprotocols.isEmpty ? ["Authorization": "Bearer \(value)"] : [:]
            let client = try await SocketClient.open(rig.base, query: "", headers: headers, subprotocols: subprotocols)
            let session = try #require(try await client.event()["session"])
            #expect(session["instructions"] == "Be brief.")
            #expect(session["audio"]?["output"]?["voice"] == "marin")
            #expect(session["model"] == "m1")
            client.send(["type": "session.update", "session": ["type": "realtime", "instructions": "Talk."]])
            #expect(try await client.next("session.updated")["session"]?["instructions"] == "Talk.")
            client.close()
        }
    }

    @Test("a secret starts sessions and nothing else")
    func onlySessions() async throws {
        let rig = try rig()
        let headers = ["Authorization": "Bearer \(try value(try await secret(rig, "")))"]
        let endpoint = rig.http + "/realtime/client_secrets"
        #expect(try await PlainRequest.send(endpoint, method: "POST", headers: headers, body: "{}").status == 401)
        #expect(try await PlainRequest.send(rig.http + "/models", headers: headers).status == 401)
    }

    @Test(
        "a configuration that no session takes is refused with the field at fault",
        arguments: [
            (#"{"session":{"type":"transcription"}}"#, "session.type"),
            (#"{"session":{"type":"realtime","output_modalities":["smell"]}}"#, "session.output_modalities"),
            (#"{"session":{"audio":{"input":{"format":{"type":"audio/pcmu"}}}}}"#, "session.audio.input.format"),
            (#"{"expires_after":{"anchor":"created_at","seconds":9}}"#, "expires_after.seconds"),
            ("{", nil),
        ] as [(String, String?)])
    func wrong(_ body: String, _ param: String?) async throws {
        let rig = try rig()
        let answer = try await PlainRequest.send(
            rig.http + "/realtime/client_secrets", method: "POST", headers: Self.headers, body: body)
        #expect(answer.status == 400)
        #expect(try answer.json()["error"]?["param"]?.stringValue == param)
        #expect(try answer.json()["error"]?["type"] == "invalid_request_error")
    }

    @Test("an expired secret is no key any more, while the token that made it is")
    func expiry() throws {
        let wall = WallClock()
        let admissions = Admissions(
            tokens: try GatewayTokens(variable: "test-token"),
            clock: ClockPort(
                now: RealClock.port.now, sleepUntil: RealClock.port.sleepUntil,
                wallClockMilliseconds: { wall.milliseconds.load(ordering: .relaxed) }))
        let made = try admissions.makeSecret(owner: .token(0), update: nil, lifetime: 10)
        #expect(made.expiresAt == 10)
        #expect(admissions.admit(made.value)?.isClientSecret == true)
        wall.milliseconds.store(10_000, ordering: .relaxed)
        #expect(admissions.admit(made.value) == nil)
        #expect(admissions.admit("test-token") != nil)
    }

    private final class WallClock: Sendable {
        let milliseconds = Atomic<Int64>(0)
    }
}
