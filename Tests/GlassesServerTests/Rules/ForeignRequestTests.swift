import GlassesServer
import GlassesWebSocket
import Testing

/// The rules of design page 6 over a real socket, on every endpoint.
@Suite struct ForeignRequestTests {
    private static let endpoints: [(method: String, path: String)] = [
        ("GET", "/healthz"), ("HEAD", "/healthz"), ("GET", "/v1/models/local"), ("POST", "/v1/realtime/client_secrets"),
        ("GET", "/stream"), ("GET", "/nothing/here"), ("OPTIONS", "/healthz"), ("OPTIONS", "*"), ("DELETE", "/healthz"),
        ("GET", "/%zz"), ("TRACE", "/"), ("BREW", "/pot"), ("GET", "/echo"),
    ]

    private struct Case: Sendable {
        var host: String?
        var headers: [String] = []
        var code: String
    }

    private static func cases(port: UInt16) -> [Case] {
        [
            Case(host: nil, code: "host_not_allowed"),
            Case(host: "evil.example", code: "host_not_allowed"),
            Case(host: "evil.example:\(port)", code: "host_not_allowed"),
            Case(host: "127.0.0.1:\(port == 1 ? 2 : 1)", code: "host_not_allowed"),
            Case(host: "127.0.0.1:\(port)", headers: ["Host: evil.example"], code: "host_not_allowed"),
            Case(host: "127.0.0.1:\(port)", headers: ["Origin: null"], code: "origin_not_allowed"),
            Case(host: "127.0.0.1:\(port)", headers: ["Origin: https://evil.example"], code: "origin_not_allowed"),
            Case(host: "127.0.0.1:\(port)", headers: ["Origin: http://127.0.0.1:\(port)"], code: "origin_not_allowed"),
            Case(
                host: "test.example", headers: ["Origin: https://app.example", "Origin: null"],
                code: "origin_not_allowed"),
        ]
    }

    @Test(arguments: endpoints)
    func aForeignHostOrOriginIsRefusedBeforeAnyHandler(method: String, path: String) async throws {
        try await TestServer.run(TestServer(origins: ["https://app.example"])) { server in
            for foreign in Self.cases(port: server.port) {
                for handshake in [[], WebSocketTestClient.handshake] {
                    let client = try RawClient(port: server.port)
                    let answer = try client.request(
                        method, path, host: foreign.host, headers: foreign.headers + handshake)
                    #expect(answer.status == 403, "\(foreign)")
                    #expect(answer.fields.first("Access-Control-Allow-Origin") == nil)
                    if method != "HEAD" { #expect(answer.text.contains(foreign.code), "\(foreign): \(answer.text)") }
                    #expect(try client.readToEnd().isEmpty)
                }
            }
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func aBodyOfAForeignRequestIsNotWaitedFor() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try client.send("POST /body HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000000\r\n\r\nbegin")
            #expect(try client.readResponse().status == 403)
        }
    }

    @Test func anAllowedPageReadsAnswersAndItsPreflightIsGranted() async throws {
        try await TestServer.run(TestServer(origins: ["https://app.example"])) { server in
            let client = try RawClient(port: server.port)
            let answer = try client.request("GET", "/healthz", headers: ["Origin: https://app.example"])
            #expect(answer.status == 200)
            #expect(answer.fields.values("Access-Control-Allow-Origin") == ["https://app.example"])
            #expect(answer.fields.contains("Vary", token: "Origin"))
            let preflight = try RawClient(port: server.port).request(
                "OPTIONS", "/v1/realtime/client_secrets",
                headers: [
                    "Origin: https://app.example", "Access-Control-Request-Method: POST",
                    "Access-Control-Request-Headers: authorization, content-type",
                ])
            #expect(preflight.status == 204)
            #expect(preflight.fields.values("Access-Control-Allow-Origin") == ["https://app.example"])
            #expect(preflight.fields.first("Access-Control-Allow-Methods") == "POST")
            #expect(preflight.fields.first("Access-Control-Allow-Headers") == "authorization, content-type")
            #expect(server.handler.requests.count == 1)
        }
    }

    @Test func anAllowedPageOpensAWebSocket() async throws {
        try await TestServer.run(TestServer(origins: ["https://app.example"])) { server in
            let client = try WebSocketTestClient(port: server.port, headers: ["Origin: https://app.example"])
            try client.send("page")
            #expect(try client.nextText() == "page")
        }
    }

    @Test func aRequestWithoutAnOriginGetsNoCrossOriginHeaders() async throws {
        try await TestServer.run(TestServer(origins: ["https://app.example"])) { server in
            let answer = try RawClient(port: server.port).request("GET", "/healthz")
            #expect(answer.status == 200)
            #expect(answer.fields.first("Access-Control-Allow-Origin") == nil)
        }
    }
}
