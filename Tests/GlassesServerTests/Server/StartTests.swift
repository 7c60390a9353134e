import GlassesServer
import Testing

@Suite struct StartTests {
    private struct Nothing: HTTPHandler {
        func respond(to request: HTTPRequest, completion: HTTPCompletion) {
            completion(HTTPResponse(status: 204))
        }
    }

    @Test(arguments: ["127.0.0.1:0", "localhost:0", "[::1]:0", "0.0.0.0:0", "[::]:0"])
    func aFreePortIsFoundAtEveryKindOfAddress(listen: String) async throws {
        try await TestServer.run(TestServer(listen: listen)) { server in
            #expect(server.port > 0)
            #expect(server.server.address.hasSuffix(":\(server.port)"))
            let isIPv6 = listen.hasPrefix("[")
            let host = isIPv6 ? "[::1]:\(server.port)" : "127.0.0.1:\(server.port)"
            let client = try RawClient(port: server.port, isIPv6: isIPv6)
            #expect(try client.request("GET", "/healthz", host: host).status == 200)
            #expect(server.handler.requests.first?.isLoopback == true)
            #expect(
                try RawClient(port: server.port, isIPv6: isIPv6).request("GET", "/", host: "evil.example").status == 403
            )
        }
    }

    @Test(arguments: [
        "", "127.0.0.1", "127.0.0.1:", ":8080", "example.com:8080", "127.0.0.1:65536", "::1:8080", "[::1]", "127.1:80",
        "http://127.0.0.1:80",
    ])
    func whatIsNoAddressIsRefusedWithAnExample(text: String) {
        let error = #expect(throws: ServerError.self) { try ListenAddress(text) }
        #expect(error?.code == "listen_address")
        #expect(error?.description.contains("127.0.0.1:8080") == true)
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await TestServer.run(TestServer()) { server in
            let error = #expect(throws: ServerError.self) { try TestServer(listen: "127.0.0.1:\(server.port)") }
            #expect(error?.code == "address_in_use")
            #expect(error?.description.contains("\(server.port)") == true)
        }
    }

    @Test func anAddressOfAnotherMachineIsRefused() {
        let error = #expect(throws: ServerError.self) { try TestServer(listen: "192.0.2.1:0") }
        #expect(error?.code == "address_not_available")
    }

    @Test(arguments: ["*", "null", "https://*", "app.example", ""])
    func anOriginThatWouldLetEveryPageInIsRefused(origin: String) {
        let error = #expect(throws: ServerError.self) { try TestServer(origins: [origin]) }
        #expect(error?.code == "origin")
    }

    @Test func aMalformedHostIsRefused() throws {
        let configuration = ServerConfiguration(listen: try ListenAddress("127.0.0.1:0"), hosts: ["a b"])
        let error = #expect(throws: ServerError.self) {
            try HTTPServer.start(configuration: configuration, handler: Nothing())
        }
        #expect(error?.code == "host_name")
    }
}
