import Foundation
import GlassesServer
import GlassesWebSocket
import Testing

/// Peers that are slow, greedy, broken or many.
@Suite struct HostileRequestTests {
    /// Whether the server still serves others.
    private static func expectService(_ server: TestServer) throws {
        #expect(try RawClient(port: server.port).request("GET", "/healthz").status == 200)
    }

    @Test func aHeadThatComesTooSlowlyIsAnsweredWith408() async throws {
        try await TestServer.run(TestServer { $0.headTime = .milliseconds(300) }) { server in
            let client = try RawClient(port: server.port)
            let start = Date()
            try client.send("GET /healthz HTTP/1.1\r\n")
            // A byte now and then proves nothing: the time is that of the whole head.
            let feeder = "Host: test.example-and-so-on"
            for byte in feeder.utf8 where Date().timeIntervalSince(start) < 5 {
                guard (try? client.send([byte])) != nil else { break }
                usleep(20_000)
            }
            let answer = try client.readResponse()
            #expect(answer.status == 408)
            #expect(answer.text.contains("request_timeout"))
            #expect(Date().timeIntervalSince(start) < 4)
            #expect(server.handler.requests.isEmpty)
            try Self.expectService(server)
        }
    }

    @Test func aConnectionThatSaysNothingIsDropped() async throws {
        try await TestServer.run(TestServer { $0.headTime = .milliseconds(200) }) { server in
            let client = try RawClient(port: server.port)
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test func aKeptConnectionIsDroppedWhenItIdles() async throws {
        try await TestServer.run(TestServer { $0.idleTime = .milliseconds(200) }) { server in
            let client = try RawClient(port: server.port)
            #expect(try client.request("GET", "/healthz").status == 200)
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test func aBodyThatComesTooSlowlyIsAnsweredWith408() async throws {
        try await TestServer.run(TestServer { $0.bodyTime = .milliseconds(200) }) { server in
            let client = try RawClient(port: server.port)
            try client.send("POST /body HTTP/1.1\r\nHost: test.example\r\nContent-Length: 10\r\n\r\nhalf")
            #expect(try client.readResponse().status == 408)
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func aHandlerThatDoesNotAnswerIsReplacedBy504() async throws {
        try await TestServer.run(TestServer { $0.answerTime = .seconds(1) }) { server in
            let client = try RawClient(port: server.port)
            let answer = try client.request("GET", "/late")
            #expect(answer.status == 504)
            #expect(answer.text.contains("answer_timeout"))
            try waitUntil("the handler was told") { server.handler.abandoned == 1 }
            let late = try #require(server.handler.held.first)
            #expect(late(.text("too late")) == false)
            late(.upgrade(server.handler.upgrade(try #require(server.handler.requests.first))))
            #expect(server.handler.abandoned == 2)
            #expect(try client.request("GET", "/healthz").text == "ok")
        }
    }

    @Test func anAnswerIsGivenOnce() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try client.send("GET /late HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the handler") { !server.handler.held.isEmpty }
            let completion = try #require(server.handler.held.first)
            #expect(completion(.text("first")))
            #expect(!completion(.text("second")))
            #expect(try client.readResponse().text == "first")
            #expect(server.handler.abandoned == 0)
        }
    }

    @Test func headersAboveTheLimitAreRefused() async throws {
        try await TestServer.run(TestServer()) { server in
            let large = try RawClient(port: server.port).request(
                "GET", "/healthz", headers: ["X-Large: " + String(repeating: "x", count: 17 << 10)])
            #expect(large.status == 431)
            #expect(large.text.contains("headers_too_large"))
            let many = try RawClient(port: server.port).request(
                "GET", "/healthz", headers: (0..<120).map { "X-\($0): 1" })
            #expect(many.status == 431)
            #expect(server.handler.requests.isEmpty)
            try Self.expectService(server)
        }
    }

    @Test func headersWithoutEndAreRefused() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try? client.send(
                "GET /healthz HTTP/1.1\r\nHost: test.example\r\nX: " + String(repeating: "x", count: 1 << 20))
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer.isEmpty || answer.contains(" 431 "))
            #expect(server.handler.requests.isEmpty)
            try Self.expectService(server)
        }
    }

    @Test func aTargetAboveTheLimitIsRefused() async throws {
        try await TestServer.run(TestServer()) { server in
            let answer = try RawClient(port: server.port).request(
                "GET", "/healthz?x=" + String(repeating: "y", count: 9 << 10))
            #expect(answer.status == 414)
        }
    }

    @Test(arguments: [
        "\r\n\r\n\r\n", "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: test.example\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost test.example\r\n\r\n", "GET /healthz HTTP/1.1\r\n Host: test.example\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{0}\u{F8}\u{1}\u{0}\u{0}", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET http://test.example/healthz HTTP/1.1\r\nHost: test.example\r\n\r\n",
        "GET /%00 HTTP/1.1\r\nHost: test.example\r\n\r\n",
        "GET /../x HTTP/1.1\r\nHost: test.example\r\n\r\n",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: test.example\r\n\r\n",
    ])
    func whatIsNoRequestReachesNoHandler(text: String) async throws {
        try await TestServer.run(TestServer { $0.headTime = .milliseconds(500) }) { server in
            let client = try RawClient(port: server.port)
            try client.send(text)
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(!answer.contains("HTTP/1.1 200"))
            #expect(server.handler.requests.isEmpty)
            try Self.expectService(server)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let one = "GET /v1/models/one HTTP/1.1\r\nHost: test.example\r\n\r\n"
            let two = "GET /v1/models/two HTTP/1.1\r\nHost: test.example\r\n\r\n"
            try client.send(one + two + one)
            #expect(try client.readResponse().text == "one")
            #expect(try client.readResponse().text == "two")
            #expect(try client.readResponse().text == "one")
        }
    }

    @Test func aConnectionTooManyIsAnsweredWith503() async throws {
        try await TestServer.run(TestServer { $0.connections = 3 }) { server in
            var clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients { #expect(try client.request("GET", "/healthz").status == 200) }
            let extra = try RawClient(port: server.port).request("GET", "/healthz")
            #expect(extra.status == 503)
            #expect(extra.fields.first("Retry-After") != nil)
            #expect(server.server.statistics.crowdedOut == 1)
            clients.removeAll()
            try waitUntil("room") { server.server.statistics.connections == 0 }
            try Self.expectService(server)
        }
    }

    @Test func oneAddressCannotTakeEveryPlace() async throws {
        try await TestServer.run(TestServer { $0.connectionsPerAddress = 2 }) { server in
            let clients = try (0..<2).map { _ in try WebSocketTestClient(port: server.port) }
            #expect(try RawClient(port: server.port).request("GET", "/healthz").status == 429)
            #expect(clients.count == 2)
        }
    }

    @Test func clientsThatLeaveAtAnyMomentLeaveNothingBehind() async throws {
        // The library overlooks now and then that a peer left in mid-head; then the time for a head ends it.
        let server = try TestServer { limits in
            limits.headTime = .milliseconds(500)
            limits.idleTime = .milliseconds(500)
        }
        try await TestServer.run(server) { server in
            let request = Array("POST /body HTTP/1.1\r\nHost: test.example\r\nContent-Length: 4\r\n\r\nbody".utf8)
            for end in stride(from: 0, through: request.count, by: 3) {
                let client = try RawClient(port: server.port)
                try client.send(Array(request[..<end]))
                if end % 2 == 0 { client.reset() } else { client.close() }
            }
            try waitUntil("the connections are gone") { server.server.statistics.connections == 0 }
            try Self.expectService(server)
        }
    }
}
