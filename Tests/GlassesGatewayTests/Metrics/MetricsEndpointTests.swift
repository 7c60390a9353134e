import Foundation
import GlassesDomain
import GlassesWebSocket
import Testing

@testable import GlassesGateway

@Suite("Metrics of a gateway", .timeLimit(.minutes(5))) struct MetricsEndpointTests {
    private static let key = ["Authorization": "Bearer test-token-0"]

    @Test("sessions, messages and refusals are counted, and only a client with a token reads them")
    func counts() async throws {
        let rig = try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: "test-token-0 test-token-1")
            configuration.maximumSessionsPerToken = 1
        }
        let address = rig.http.replacingOccurrences(of: "/v1", with: "/metrics")
        #expect(try await PlainRequest.send(address).status == 401)
        let client = try await SocketClient.open(rig.base, headers: Self.key)
        #expect(try await SocketClient.refusal(rig.base, headers: Self.key).status == 429)
        _ = try await client.event()
        let during = try await Self.values(address)
        #expect(during["extentos_gateway_sessions_active{service=\"pipeline\"}"] == 1)
        #expect(during["extentos_gateway_refusals_total{limit=\"token\"}"] == 1)
        #expect(during["extentos_server_websockets"] == 1)
        client.close()
        _ = try await rig.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
        let after = try await Self.values(address)
        #expect(after["extentos_gateway_sessions_active{service=\"pipeline\"}"] == 0)
        #expect(after["extentos_gateway_sessions_total{service=\"pipeline\"}"] == 1)
        #expect(after["extentos_gateway_session_seconds_count"] == 1)
        #expect(try #require(after["extentos_gateway_messages_total{direction=\"sent\"}"]) >= 1)
        #expect(try #require(after["process_resident_memory_bytes"]) > 1_000_000)
        #expect(try #require(after["process_open_fds"]) > 3)
    }

    /// Every sample by its name and labels.
    private static func values(_ address: String) async throws -> [String: Double] {
        let answer = try await PlainRequest.send(address, headers: key)
        #expect(answer.status == 200)
        #expect(answer.fields.first("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        var values: [String: Double] = [:]
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            let space = try #require(line.lastIndex(of: " "))
            let value = try #require(Double(line[line.index(after: space)...]))
            values[String(line[..<space])] = value
        }
        return values
    }
}
