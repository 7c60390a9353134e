import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

@testable import GlassesGateway

@Suite("Upstream failures")
struct UpstreamFailureTests {
    private static let secret = "Incorrect API key provided: sk-secret."

    private func closure(status: Int?, code: String = "refused", retryAfter: Double? = nil) -> ConnectionClosure {
        ConnectionClosure(code: code, message: Self.secret, httpStatus: status, retryAfter: retryAfter)
    }

    private func text(_ response: HTTPResponse) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "a refusal of the upstream becomes the gateway's own answer, without the upstream's words",
        arguments: [
            (401, 502, "upstream_auth"), (403, 502, "upstream_auth"), (429, 429, "upstream_rate_limit"),
            (503, 503, "upstream_unavailable"), (404, 502, "upstream_refused"), (500, 502, "upstream_refused"),
        ])
    func refusal(_ upstream: Int, _ status: Int, _ code: String) {
        let response = UpstreamFailure.response(closure(status: upstream))
        #expect(response.status == status)
        #expect(text(response).contains("\"code\":\"\(code)\""))
        #expect(!text(response).contains("sk-"))
        #expect(response.headers.first("Retry-After") == nil)
    }

    @Test(
        "a wait that the upstream asks for is passed on in whole seconds, within an hour",
        arguments: [(7, "7"), (0.2, "1"), (-5, "0"), (1e300, "3600"), (.nan, nil), (.infinity, nil)]
            as [(Double, String?)])
    func retryAfter(_ seconds: Double, _ header: String?) {
        for status in [429, 503] {
            let response = UpstreamFailure.response(closure(status: status, retryAfter: seconds))
            #expect(response.headers.first("Retry-After") == header)
        }
    }

    @Test("an upstream that cannot be reached, or not in time, is a bad gateway")
    func unreachable() {
        #expect(UpstreamFailure.response(closure(status: nil, code: "connection_refused")).status == 502)
        #expect(UpstreamFailure.response(closure(status: nil, code: "timeout")).status == 504)
    }

    @Test(
        "a close code that tells the client what to do stays; every other one becomes 1011",
        arguments: [
            (1_000, 1_000), (1_001, 1_001), (1_008, 1_008), (1_009, 1_009), (1_012, 1_012), (1_013, 1_013),
            (3_000, 3_000), (4_000, 4_000), (1_002, 1_011), (1_003, 1_011), (1_005, 1_011), (1_006, 1_011),
            (1_007, 1_011), (1_011, 1_011), (1_015, 1_011), (nil, 1_011),
        ] as [(UInt16?, UInt16)])
    func closeCode(_ upstream: UInt16?, _ client: UInt16) { #expect(UpstreamFailure.closeCode(upstream) == client) }
}
