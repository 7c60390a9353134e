import Foundation
import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

@Suite struct PlainRequestTests {
    @Test func headIsAnsweredWithoutABody() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let head = try client.request("HEAD", "/healthz")
            #expect(head.status == 200)
            #expect(head.fields.first("Content-Length") == "2")
            #expect(try client.request("GET", "/healthz").text == "ok")
        }
    }

    @Test func anotherMethodIsRefusedWithThoseAllowed() async throws {
        try await TestServer.run(TestServer()) { server in
            for (method, path, allowed) in [
                ("DELETE", "/healthz", "GET, HEAD"), ("OPTIONS", "/healthz", "GET, HEAD"),
                ("GET", "/v1/realtime/client_secrets", "POST"), ("TRACE", "/healthz", "GET, HEAD"),
            ] {
                let answer = try RawClient(port: server.port).request(method, path)
                #expect(answer.status == 405)
                #expect(answer.fields.first("Allow") == allowed)
                #expect(answer.fields.first("Access-Control-Allow-Methods") == nil)
            }
        }
    }

    @Test func anUnknownPathIsAnsweredWithTheErrorThatClientsRead() async throws {
        try await TestServer.run(TestServer()) { server in
            let answer = try RawClient(port: server.port).request("GET", "/v2/nothing")
            #expect(answer.status == 404)
            #expect(answer.fields.first("Content-Type") == "application/json")
            let error = try #require(try JSONValue(jsonText: answer.body)["error"])
            #expect(error["code"] == "not_found")
            #expect(error["type"] == "invalid_request_error")
            #expect(error["param"] == .null)
            #expect(error["message"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func aRequestArrivesWithItsParts() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            let answer = try client.request(
                "GET", "/v1/models/org%2Fmodel?x=1%202", headers: ["X-One: 1", "x-one: two, three", "Cookie: a=b"])
            #expect(answer.text == "org/model")
            let request = try #require(server.handler.requests.first)
            #expect(request.method == "GET")
            #expect(request.path == "/v1/models/org/model")
            #expect(request.queryValue("x") == "1 2")
            #expect(request.headers.values("X-ONE") == ["1", "two, three"])
            #expect(request.remoteAddress == "127.0.0.1")
            #expect(request.isLoopback && !request.isTLS && request.webSocket == nil)
        }
    }

    @Test(arguments: [1, 1_000, 70_000, 1 << 20])
    func aBodyOfAnyAllowedSizeArrivesWhole(size: Int) async throws {
        try await TestServer.run(TestServer()) { server in
            let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let answer = try RawClient(port: server.port).request("POST", "/body", body: body)
            #expect(answer.status == 200)
            #expect(answer.body == body)
        }
    }

    @Test func aChunkedBodyArrivesWhole() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try client.send("POST /body HTTP/1.1\r\nHost: test.example\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("5\r\nhello\r\n1;x=y\r\n \r\n")
            try client.send("5\r\nworld\r\n0\r\n\r\n")
            #expect(try client.readResponse().text == "hello world")
        }
    }

    @Test func aClientThatAsksBeforeItSendsItsBodyIsToldToGoOn() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try client.send(
                "POST /body HTTP/1.1\r\nHost: test.example\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.readLine() == "HTTP/1.1 100 Continue")
            #expect(try client.readLine() == "")
            try client.send("ok")
            #expect(try client.readResponse().text == "ok")
        }
    }

    @Test func aBodyAboveTheLimitIsRefusedAtItsAnnouncement() async throws {
        try await TestServer.run(TestServer { $0.requestBody = 1_000 }) { server in
            let client = try RawClient(port: server.port)
            try client.send("POST /body HTTP/1.1\r\nHost: test.example\r\nContent-Length: 1001\r\n\r\n")
            #expect(try client.readResponse().status == 413)
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func aChunkedBodyAboveTheLimitIsRefused() async throws {
        try await TestServer.run(TestServer { $0.requestBody = 1_000 }) { server in
            let client = try RawClient(port: server.port)
            try client.send("POST /body HTTP/1.1\r\nHost: test.example\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "258\r\n" + String(repeating: "x", count: 600) + "\r\n"
            try client.send(chunk + chunk + "0\r\n\r\n")
            #expect(try client.readResponse().status == 413)
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func aChunkedBodyWithoutEndEndsTheConnection() async throws {
        try await TestServer.run(TestServer { $0.requestBody = 1_000 }) { server in
            let client = try RawClient(port: server.port)
            try client.send("POST /body HTTP/1.1\r\nHost: test.example\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array(("258\r\n" + String(repeating: "x", count: 600) + "\r\n").utf8)
            var sent = 0
            do {
                while sent < 1_000 {
                    try client.send(chunk)
                    sent += 1
                }
            } catch { #expect(sent > 0) }
            #expect(sent < 1_000 || (try? client.readToEnd()) != nil)
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test(arguments: [
        ["Content-Length: 5", "Transfer-Encoding: chunked"], ["Content-Length: 5", "Content-Length: 6"],
        ["Content-Length: -1"],
        ["Content-Length: 5x"], ["Content-Length: 99999999999999999999"], ["Transfer-Encoding: gzip"],
        ["Transfer-Encoding: chunked, chunked"],
    ])
    func aBodyWhoseEndIsInDoubtIsRefused(headers: [String]) async throws {
        try await TestServer.run(TestServer()) { server in
            let answer = try RawClient(port: server.port).request("POST", "/body", headers: headers)
            #expect([400, 413].contains(answer.status))
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func anAnswerOfUnknownLengthComesInChunksAsItIsWritten() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try client.send("GET /stream HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the stream") { !server.handler.streams.isEmpty }
            let stream = try #require(server.handler.streams.first)
            #expect(stream.write(Array("one\n".utf8)))
            while try client.readLine() != "" {}
            #expect(try client.readLine() == "4")
            #expect(try client.readLine() == "one")
            #expect(try client.readLine() == "")
            #expect(stream.write(Array("two\n".utf8)))
            #expect(try client.readLine() == "4")
            #expect(try client.readLine() == "two")
            stream.finish()
            #expect(!stream.write([1]))
            _ = try client.readLine()
            #expect(try client.readLine() == "0")
            #expect(server.handler.abandoned == 0)
        }
    }

    @Test func aStreamRefusesMoreThanItsBoundAndIsReadyAgainOnceItIsRead() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port, receiveBuffer: 4_096)
            try client.send("GET /stream HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the stream") { !server.handler.streams.isEmpty }
            let stream = try #require(server.handler.streams.first)
            let ready = Flag()
            stream.whenReady { ready.set() }
            var written = 0
            while stream.write([UInt8](repeating: 7, count: 64 << 10)) {
                written += 64 << 10
                try #require(written < 64 << 20)
            }
            #expect(written >= HTTPBodyStream.highWater)
            #expect(stream.waitingBytes < HTTPBodyStream.highWater + (64 << 10))
            Thread { while let bytes = try? client.read(), !bytes.isEmpty {} }.start()
            try waitUntil("room") { ready.isSet }
            #expect(stream.write([1]))
        }
    }

    @Test func aStreamHearsThatItsReaderLeft() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try RawClient(port: server.port)
            try client.send("GET /stream HTTP/1.1\r\nHost: test.example\r\n\r\n")
            try waitUntil("the stream") { !server.handler.streams.isEmpty }
            let stream = try #require(server.handler.streams.first)
            client.reset()
            try waitUntil("the end") {
                _ = stream.write([1])
                return server.handler.abandoned == 1
            }
            #expect(!stream.write([1]))
        }
    }
}
