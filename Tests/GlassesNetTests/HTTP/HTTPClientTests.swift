import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

struct HTTPClientTests {
    private static let client = HTTPClient(settings: NetworkSettings(proxy: .none))

    private static func request(
        _ method: String = "GET", _ server: ScriptedServer, _ path: String = "/v1/models",
        fields: HTTPFields = HTTPFields(), body: HTTPRequestBody = .none
    ) throws -> HTTPRequest {
        HTTPRequest(method, try #require(URL(string: server.httpURL + path)), fields: fields, body: body)
    }

    @Test("A response's status, fields and body arrive, over plain and encrypted links", arguments: LinkKind.allCases)
    func get(kind: LinkKind) async throws {
        let (server, lab) = try await kind.server { peer in
            let head = try peer.receiveHead()
            let isRight =
                head.hasPrefix("GET /v1/models?a=b%20c HTTP/1.1\r\n")
                && ScriptedPeer.value("x-key", in: head) == "1"
            try peer.send(ScriptedPeer.answer(isRight ? "200 OK" : "400 Bad Request", ["X-Id:  7 "], body: "hello"))
        }
        defer { server.stop() }
        let client = HTTPClient(settings: NetworkSettings(caFile: lab?.authority, proxy: .none))
        let response = try await client.send(
            Self.request("GET", server, "/v1/models?a=b%20c", fields: HTTPFields([("X-Key", "1")])))
        #expect(response.status == 200)
        #expect(response.fields.first("x-id") == "7")
        #expect(try await response.body.collect(limit: 100) == Array("hello".utf8))
    }

    @Test(
        "A body is sent whole, with its length or in chunks",
        arguments: ["bytes", "empty", "stream with length", "stream in chunks"])
    func post(how: String) async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.receiveHead()
            let length = ScriptedPeer.value("Content-Length", in: head).flatMap { Int($0) }
            var received = ""
            if let length {
                received = String(decoding: try peer.receive(length), as: UTF8.self)
            } else {
                while !received.hasSuffix("0\r\n\r\n") {
                    received += String(decoding: try peer.receive(1), as: UTF8.self)
                }
            }
            let type = ScriptedPeer.value("Content-Type", in: head) ?? "none"
            let expects = ScriptedPeer.value("Expect", in: head) ?? "none"
            try peer.send(ScriptedPeer.answer("200 OK", body: "\(type) \(expects) \(received)"))
        }
        defer { server.stop() }
        let pieces = Mutex(["{\"a\"", "", ":1}"].map { Array($0.utf8) })
        let next: @Sendable () async throws -> [UInt8]? = {
            pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        let body: HTTPRequestBody =
            switch how {
            case "bytes": .bytes(Array(#"{"a":1}"#.utf8))
            case "empty": .none
            case "stream with length": .stream(length: 7, next: next)
            default: .stream(length: nil, next: next)
            }
        let fields = HTTPFields([("Content-Type", "application/json")])
        let response = try await Self.client.send(Self.request("POST", server, fields: fields, body: body))
        let answer = String(decoding: try await response.body.collect(limit: 1_000), as: UTF8.self)
        let sent =
            switch how {
            case "empty": ""
            case "stream in chunks": "4\r\n{\"a\"\r\n3\r\n:1}\r\n0\r\n\r\n"
            default: #"{"a":1}"#
            }
        #expect(answer == "application/json none \(sent)")
    }

    @Test("A redirect is told and not followed")
    func redirect() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send(ScriptedPeer.answer("302 Found", ["Location: http://127.0.0.1:1/"]))
        }
        defer { server.stop() }
        let response = try await Self.client.send(Self.request("GET", server))
        #expect(response.status == 302)
        #expect(server.connections == 1)
    }

    @Test("A body that ends early fails behind its pieces; one that is longer than wanted fails too")
    func brokenBodies() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")
        }
        defer { server.stop() }
        let response = try await Self.client.send(Self.request("GET", server))
        var received: [UInt8] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await piece in response.body { received += piece }
        }
        #expect(error?.code == "connection_lost")
        #expect(received == Array("only this".utf8))

        let long = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send(ScriptedPeer.answer("200 OK", body: String(repeating: "x", count: 5_000)))
        }
        defer { long.stop() }
        let second = try await Self.client.send(Self.request("GET", long))
        let tooLarge = await #expect(throws: NetworkError.self) { try await second.body.collect(limit: 4_999) }
        #expect(tooLarge?.code == "too_large")
    }

    @Test("A header without end is refused")
    func endlessHeader() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send("HTTP/1.1 200 OK\r\n")
            while true { try peer.send("X-Filler: \(String(repeating: "x", count: 1_000))\r\n") }
        }
        defer { server.stop() }
        let error = await #expect(throws: NetworkError.self) { try await Self.client.send(Self.request("GET", server)) }
        #expect(error?.code == "too_large")
        try await eventually { server.openConnections == 0 }
    }

    @Test("A server that is silent before the head, or inside the body, is given up in time", arguments: [false, true])
    func timeouts(insideBody: Bool) async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            if insideBody { try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") }
            peer.hang()
        }
        defer { server.stop() }
        var request = try Self.request("GET", server)
        request.timeout = insideBody ? .seconds(20) : .milliseconds(200)
        request.idleTimeout = .milliseconds(200)
        let error = await #expect(throws: NetworkError.self) {
            let response = try await Self.client.send(request)
            for try await _ in response.body {}
        }
        #expect(error?.code == "timeout")
        try await eventually { server.openConnections == 0 }
    }

    @Test("A cancelled request ends at once, whatever it waits for", arguments: ["head", "body", "upload", "name"])
    func cancel(what: String) async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            if what == "body" { try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") }
            peer.hang()
        }
        defer { server.stop() }
        var request = try Self.request("POST", server)
        if what == "name" { request.url = try #require(URL(string: "http://files.hangs.invalid/")) }
        if what == "upload" {
            request.body = .stream(length: nil) {
                try await Task.sleep(for: .seconds(60))
                return nil
            }
        }
        let sent = request
        let attempt = Task {
            let response = try await Self.client.send(sent)
            for try await _ in response.body {}
            try Task.checkCancellation()
        }
        if what != "name" { try await eventually { server.connections == 1 } }
        try await Task.sleep(for: .milliseconds(50))
        attempt.cancel()
        await #expect(throws: CancellationError.self) { try await attempt.value }
        try await eventually { server.openConnections == 0 }
    }

    @Test("A response that nobody reads is ended when it is let go of")
    func abandoned() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            peer.hang()
        }
        defer { server.stop() }
        _ = try await Self.client.send(Self.request("GET", server))
        try await eventually { server.openConnections == 0 }
    }

    @Test("A source of a body that fails ends the request")
    func failingSource() async throws {
        struct Failure: Error {}
        let server = try ScriptedServer { try $0.waitForEnd() }
        defer { server.stop() }
        let request = try Self.request("POST", server, body: .stream(length: nil) { throw Failure() })
        let error = await #expect(throws: NetworkError.self) { try await Self.client.send(request) }
        #expect(error?.code == "invalid_request")
    }

    @Test("What could break out of its line is not sent", arguments: ["name", "value", "method", "scheme", "host"])
    func injection(where place: String) async throws {
        var request = HTTPRequest("GET", try #require(URL(string: "http://127.0.0.1:9/")))
        switch place {
        case "name": request.fields.append(name: "X\r\nY", value: "1")
        case "value": request.fields.append(name: "X", value: "1\r\nY: 2")
        case "method": request.method = "GET /\r\n"
        case "scheme": request.url = try #require(URL(string: "file:///etc/passwd"))
        default: request.url = try #require(URL(string: "http:///x"))
        }
        let sent = request
        let error = await #expect(throws: NetworkError.self) { try await Self.client.send(sent) }
        #expect(error?.code == (["scheme", "host"].contains(place) ? "invalid_url" : "invalid_request"))
        #expect(error?.blame == .local)
    }
}
