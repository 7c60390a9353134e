import GlassesServer
import Testing

@Suite struct HTTPServerTests {
    @Test func aRequestIsAnsweredOnAConnectionThatIsKept() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                let answer = try client.request("GET", "/healthz")
                #expect(answer.status == 200)
                #expect(answer.text == "ok")
            }
            #expect(server.server.statistics.connections == 1)
        }
    }

    @Test func anUpgradedSocketEchoes() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            try client.send("hello")
            #expect(try client.nextText() == "hello")
        }
    }
}
