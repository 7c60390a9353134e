import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket
import Testing

@testable import GlassesGateway

@Suite("Authentication", .serialized, .timeLimit(.minutes(5)))
struct AuthenticationTests {
    private static let token = "test-token-1"

    private func rig() throws -> GatewayRig {
        try GatewayRig { $0.tokens = try GatewayTokens(variable: "test-token-0 \(Self.token)") }
    }

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var headers: [String: String] = [:]
        var subprotocols: [String] = []
        var query = "model=m"
    }

    @Test(
        "a token opens a session by each way that clients have",
        arguments: [
            Way(testDescription: "Authorization", headers: ["Authorization": "Bearer \(token)"]),
            Way(testDescription: "lower case", headers: ["authorization": "bearer  \(token)"]),
            Way(testDescription: "api-key", headers: ["api-key": token]),
            Way(testDescription: "x-api-key", headers: ["X-API-Key": token]),
            Way(testDescription: "browser", subprotocols: ["realtime", "openai-insecure-api-key.\(token)"]),
            Way(
                testDescription: "with the beta header",
                headers: ["Authorization": "Bearer \(token)", "OpenAI-Beta": "realtime=v1"]),
        ])
    func accepted(_ way: Way) async throws {
        let rig = try rig()
        let client = try await SocketClient.open(
            rig.base, query: way.query, headers: way.headers, subprotocols: way.subprotocols)
        #expect(try await client.event()["type"] == "session.created")
        #expect(client.subprotocol == (way.subprotocols.isEmpty ? nil : "realtime"))
        #expect(!client.fields.all.contains { $0.value.contains(Self.token) })
        client.close()
        let event = try await rig.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
        guard case .sessionEnded(let session, let summary) = event else { return }
        #expect(session.token == 2)
        #expect(summary.closeCode == 1_000)
        #expect(!String(describing: rig.events).contains(Self.token))
    }

    @Test(
        "a key that is none of the tokens, or comes by a way that leaves it in logs, is refused with 401",
        arguments: [
            Way(testDescription: "nothing"),
            Way(testDescription: "wrong", headers: ["Authorization": "Bearer test-token-2"]),
            Way(testDescription: "basic", headers: ["Authorization": "Basic \(token)"]),
            Way(testDescription: "no scheme", headers: ["Authorization": token]),
            Way(testDescription: "two words", headers: ["Authorization": "Bearer \(token) x"]),
            Way(testDescription: "query", query: "model=m&api_key=\(token)"),
            Way(testDescription: "unknown secret", headers: ["Authorization": "Bearer ek_unknown"]),
            Way(testDescription: "browser", subprotocols: ["realtime", "openai-insecure-api-key.wrong"]),
        ])
    func refused(_ way: Way) async throws {
        let rig = try rig()
        let refusal = try await SocketClient.refusal(
            rig.base, query: way.query, headers: way.headers, subprotocols: way.subprotocols)
        #expect(refusal.status == 401)
        #expect(refusal.code == "invalid_api_key")
        #expect(refusal.refusal.fields.first("WWW-Authenticate") == "Bearer")
        #expect(rig.events.isEmpty)
    }

    @Test("plain endpoints need a token, except the one for load balancers")
    func plainEndpoints() async throws {
        let rig = try rig()
        let root = rig.http.replacingOccurrences(of: "/v1", with: "")
        let headers = ["Authorization": "Bearer \(Self.token)"]
        #expect(try await PlainRequest.send(root + "/healthz").status == 200)
        for path in ["/v1/models", "/v1/models/local"] {
            #expect(try await PlainRequest.send(root + path).errorCode() == "invalid_api_key")
            #expect(try await PlainRequest.send(root + path, headers: headers).status == 200)
        }
        for path in ["/v1/realtime/client_secrets", "/v1/realtime/sessions"] {
            #expect(try await PlainRequest.send(root + path, method: "POST", body: "{}").status == 401)
            #expect(
                try await PlainRequest.send(root + path, method: "POST", headers: headers, body: "{}").status == 200)
        }
        #expect(try await PlainRequest.send(root + "/v1/realtime", headers: headers).status == 426)
        #expect(try await PlainRequest.send(root + "/v1/models/other", headers: headers).status == 404)
        #expect(try await PlainRequest.send(root + "/v1/nothing", headers: headers).status == 404)
        #expect(try await PlainRequest.send(root + "/v1/models", method: "DELETE", headers: headers).status == 405)
    }

    @Test("without tokens anyone on this machine is let in, whatever key a client insists on sending")
    func open() async throws {
        let rig = try GatewayRig()
        for headers in [[:], ["Authorization": "Bearer k"]] {
            let client = try await SocketClient.open(rig.base, headers: headers)
            #expect(try await client.event()["type"] == "session.created")
            client.close()
        }
    }

    @Test("a browser that offers only a key gets no subprotocol")
    func keyOnly() async throws {
        let rig = try rig()
        let client = try await SocketClient.open(
            rig.base, subprotocols: ["openai-insecure-api-key.\(Self.token)"])
        #expect(client.subprotocol == nil)
        client.close()
    }

    @Test(
        "without tokens a gateway does not listen beyond this machine, nor spend the operator's keys",
        arguments: [true, false])
    func objection(_ hasUpstream: Bool) throws {
        let error = try #require(throws: GatewayError.self) {
            try GatewayRig { configuration in
                if hasUpstream {
                    configuration.upstreams = Upstreams(models: [:], defaultModel: nil)
                } else {
                    configuration.server.listen = try ListenAddress("0.0.0.0:0")
                }
            }
        }
        #expect(error.code == "token_required")
    }

    @Test(
        "a foreign page and a rebound name are refused at every endpoint, whatever key they have",
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Host": "evil.example"],
        ])
    func foreign(_ foreign: [String: String]) async throws {
        let rig = try rig()
        let headers = foreign.merging(["Authorization": "Bearer \(Self.token)"]) { _, new in new }
        let root = rig.http.replacingOccurrences(of: "/v1", with: "")
        for path in ["/healthz", "/v1/models", "/v1/models/local", "/v1/realtime", "/v1/nothing"] {
            let answer = try await PlainRequest.send(root + path, headers: headers)
            #expect(answer.status == 403)
            #expect(answer.fields.first("Access-Control-Allow-Origin") == nil)
        }
        for path in ["/v1/realtime/client_secrets", "/v1/realtime/sessions"] {
            #expect(
                try await PlainRequest.send(root + path, method: "POST", headers: headers, body: "{}").status == 403)
        }
        if foreign["Host"] == nil { #expect(try await SocketClient.refusal(rig.base, headers: headers).status == 403) }
    }

    @Test("a page on the list is let in, and so is a further host name")
    func allowed() async throws {
        let rig = try GatewayRig { configuration in
            configuration.server.allowedOrigins = ["https://app.example.com"]
            configuration.server.hosts = ["voice.example.com"]
        }
        let origin = ["Origin": "https://app.example.com"]
        let client = try await SocketClient.open(rig.base, headers: origin, subprotocols: ["realtime"])
        #expect(client.subprotocol == "realtime")
        client.close()
        let named = origin.merging(["Host": "voice.example.com"]) { _, new in new }
        let answer = try await PlainRequest.send(rig.http + "/models", headers: named)
        #expect(answer.status == 200)
        #expect(answer.fields.first("Access-Control-Allow-Origin") == "https://app.example.com")
    }
}
