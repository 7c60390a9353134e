import Foundation
import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

@Suite struct DrainTests {
    @Test func webSocketsAreClosedWith1001AndTheReason() async throws {
        let server = try TestServer()
        let client = try await onThread { try WebSocketTestClient(port: server.port) }
        async let drained: Void = server.server.drain(within: .seconds(5), reason: "new version")
        try await onThread {
            #expect(try client.next() == .close(code: 1001, reason: "new version"))
            try client.sendClose(code: 1001)
            #expect(try client.next() == nil)
        }
        await drained
        let socket = try #require(server.handler.sockets.first)
        #expect(socket.closures.map(\.closeCode) == [1001])
        #expect(server.server.statistics.connections == 0)
        #expect(server.server.isDraining)
    }

    @Test func nothingIsAcceptedAnyMore() async throws {
        let server = try TestServer()
        await server.server.drain(within: .zero)
        await #expect(throws: ClientFailure.self) {
            try await onThread { try RawClient(port: server.port).request("GET", "/healthz").status }
        }
    }

    @Test func aRequestUnderWayIsAnsweredBeforeTheEnd() async throws {
        let server = try TestServer()
        let client = try await onThread {
            let client = try RawClient(port: server.port)
            try client.send("GET /late HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the handler") { !server.handler.held.isEmpty }
            return client
        }
        async let drained: Void = server.server.drain(within: .seconds(10))
        try await onThread {
            try waitUntil("the drain") { server.server.isDraining }
            #expect(server.handler.held.first?(.text("in time")) == true)
            let answer = try client.readResponse()
            #expect(answer.text == "in time")
            #expect(answer.fields.contains("Connection", token: "close"))
            #expect(try client.readToEnd().isEmpty)
        }
        await drained
    }

    @Test func aRequestThatIsNeverAnsweredGets503AtTheBound() async throws {
        let server = try TestServer()
        let client = try await onThread {
            let client = try RawClient(port: server.port)
            try client.send("GET /late HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the handler") { !server.handler.held.isEmpty }
            return client
        }
        let start = Date()
        await server.server.drain(within: .milliseconds(200))
        #expect(Date().timeIntervalSince(start) < 3)
        let status = try await onThread { try client.readResponse().status }
        #expect(status == 503)
        try await onThread { try waitUntil("the handler was told") { server.handler.abandoned == 1 } }
    }

    @Test func aPeerThatDoesNotAnswerTheCloseIsDroppedAtTheBound() async throws {
        let server = try TestServer()
        let client = try await onThread { try WebSocketTestClient(port: server.port) }
        let stream = try await onThread {
            let client = try RawClient(port: server.port)
            try client.send("GET /stream HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the stream") { !server.handler.streams.isEmpty }
            return client
        }
        let start = Date()
        await server.server.drain(within: .milliseconds(200))
        #expect(Date().timeIntervalSince(start) < 3)
        #expect(server.handler.sockets.first?.closures.count == 1)
        try await onThread { try waitUntil("the stream was told") { server.handler.abandoned == 1 } }
        try await onThread {
            _ = try client.raw.readToEnd()
            _ = try stream.readToEnd()
        }
    }

    @Test func everyCallWaitsForTheSameEnd() async throws {
        let server = try TestServer()
        let client = try await onThread { try WebSocketTestClient(port: server.port) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { await server.server.drain(within: .milliseconds(100)) } }
        }
        await server.server.drain()
        #expect(server.server.statistics.connections == 0)
        _ = client
    }

    @Test func aServerThatIsForgottenEnds() async throws {
        let port = try await onThread {
            let server = try TestServer()
            return server.port
        }
        try await onThread {
            try waitUntil("nobody listens") { (try? RawClient(port: port)) == nil }
        }
    }
}
