import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

/// The way from a request to an open WebSocket.
@Suite struct UpgradeTests {
    @Test(arguments: [
        (["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="], 426),
        (["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 8"], 426),
        (["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"], 400),
        (
            [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: short",
            ], 400
        ),
        (["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="], 400),
        (WebSocketTestClient.handshake + ["Sec-WebSocket-Protocol: a b"], 400),
        (WebSocketTestClient.handshake + ["Content-Length: 3"], 400),
        (WebSocketTestClient.handshake + ["Transfer-Encoding: chunked"], 400),
    ])
    func aMalformedRequestIsRefusedBeforeTheHandler(headers: [String], status: Int) async throws {
        try await TestServer.run(TestServer()) { server in
            let answer = try RawClient(port: server.port).request("GET", "/echo", headers: headers)
            #expect(answer.status == status)
            if status == 426 { #expect(answer.fields.values("Sec-WebSocket-Version") == ["13"]) }
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func anotherMethodThanGetIsRefused() async throws {
        try await TestServer.run(TestServer()) { server in
            let answer = try RawClient(port: server.port).request(
                "PUT", "/echo", headers: WebSocketTestClient.handshake)
            #expect(answer.status == 405)
            #expect(answer.fields.first("Allow") == "GET")
        }
    }

    @Test func anEndpointThatOnlyUpgradesSaysSo() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let answer = try client.request("GET", "/echo")
            #expect(answer.status == 426)
            #expect(answer.fields.first("Upgrade") == "websocket")
            #expect(server.handler.abandoned == 1)
            #expect(try client.request("GET", "/healthz").status == 200)
        }
    }

    @Test func theOfferedSubprotocolIsSelectedAndTheKeysBesideItAreNot() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let answer = try client.request(
                "GET", "/echo?model=x",
                headers: WebSocketTestClient.handshake
                    + ["Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.secret"])
            #expect(answer.status == 101)
            #expect(answer.fields.values("Sec-WebSocket-Protocol") == ["realtime"])
            #expect(answer.fields.contains("Upgrade", token: "websocket"))
            #expect(answer.fields.contains("Connection", token: "upgrade"))
            let offered = server.handler.requests.first?.webSocket?.subprotocols
            #expect(offered == ["realtime", "openai-insecure-api-key.secret"])
        }
    }

    @Test func anUpgradeWaitsForAHandlerThatAnswersLater() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let lines = ["GET /late HTTP/1.1", "Host: test.example"] + WebSocketTestClient.handshake
            try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            try waitUntil("the handler") { !server.handler.held.isEmpty }
            let request = try #require(server.handler.requests.first)
            let completion = try #require(server.handler.held.first)
            completion(.upgrade(server.handler.upgrade(request)))
            #expect(try client.readResponse().status == 101)
        }
    }

    @Test func aClientThatLeftBeforeItsUpgradeLeavesNoSocketBehind() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let lines = ["GET /late HTTP/1.1", "Host: test.example"] + WebSocketTestClient.handshake
            try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            try waitUntil("the handler") { !server.handler.held.isEmpty }
            client.reset()
            let request = try #require(server.handler.requests.first)
            let completion = try #require(server.handler.held.first)
            completion(.upgrade(server.handler.upgrade(request)))
            // Either the socket never opened, or it opened and ended at once: the one who waits for it is told in both
            // cases.
            try waitUntil("one ending") {
                server.handler.abandoned + server.handler.sockets.filter { !$0.closures.isEmpty }.count == 1
            }
            try waitUntil("no connection") { server.server.statistics.connections == 0 }
        }
    }

    @Test func bytesRightBehindTheRequestAreNotLost() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            var frames: [UInt8] = []
            for index in 0..<20 {
                WebSocketEncoder(role: .client).append(.text(Array("early \(index)".utf8)), mask: 3, to: &frames)
            }
            let lines = ["GET /echo HTTP/1.1", "Host: test.example"] + WebSocketTestClient.handshake
            try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + frames)
            #expect(try client.readResponse().status == 101)
            var decoder = WebSocketDecoder(role: .client, maximumMessage: 1_000)
            var events: [WebSocketEvent] = []
            while events.count < 20 { try decoder.decode(try client.read(), into: &events) }
            #expect(events == (0..<20).map { .message(.text(Array("early \($0)".utf8))) })
        }
    }

    @Test func aRequestThatComesByteByByteIsUpgraded() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let lines = ["GET /echo HTTP/1.1", "Host: test.example"] + WebSocketTestClient.handshake
            for byte in (lines.joined(separator: "\r\n") + "\r\n\r\n").utf8 { try client.send([byte]) }
            #expect(try client.readResponse().status == 101)
        }
    }

    @Test func manyClientsThatLeaveInMidHandshakeDoNoHarm() async throws {
        let server = try TestServer { $0.headTime = .milliseconds(500) }
        try await TestServer.run(server) { server in
            let lines = ["GET /echo HTTP/1.1", "Host: test.example"] + WebSocketTestClient.handshake
            let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
            for end in stride(from: 1, through: request.count, by: 2) {
                let client = try RawClient(port: server.port)
                try client.send(Array(request[..<end]))
                client.reset()
            }
            try waitUntil("no connection") { server.server.statistics.connections == 0 }
            try waitUntil("every socket ended") { server.handler.sockets.allSatisfy { $0.closures.count == 1 } }
            let client = try WebSocketTestClient(port: server.port)
            try client.send("still here")
            #expect(try client.nextText() == "still here")
        }
    }
}
