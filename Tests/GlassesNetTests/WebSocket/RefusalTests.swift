import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

/// A server's answer to the upgrade, and what the client makes of it.
struct RefusalCase: Sendable, CustomTestStringConvertible {
    var status: String
    var fields: [String] = []
    var body = ""
    var code: String
    var retryAfter: ClosedRange<Double>?
    var testDescription: String { "\(status) \(code)" }

    static let all = [
        RefusalCase(status: "200 OK", body: "<html>", code: "not_upgraded"),
        RefusalCase(status: "302 Found", fields: ["Location: https://thief.example/v1"], code: "redirected"),
        RefusalCase(status: "400 Bad Request", code: "bad_request"),
        RefusalCase(
            status: "400 Bad Request", body: #"{"error":{"message":"no sk-SECRET","code":"model_not_found"}}"#,
            code: "model_not_found"),
        RefusalCase(status: "401 Unauthorized", fields: ["WWW-Authenticate: Bearer"], code: "unauthorized"),
        RefusalCase(
            status: "401 Unauthorized", body: #"{"error":{"message":"no sk-SECRET","code":"sk-SECRET123"}}"#,
            code: "unauthorized"),
        RefusalCase(status: "403 Forbidden", body: #"{"error":{"type":"forbidden_origin"}}"#, code: "forbidden_origin"),
        RefusalCase(status: "404 Not Found", body: "[1", code: "not_found"),
        RefusalCase(status: "426 Upgrade Required", code: "upgrade_required"),
        RefusalCase(status: "429 Too Many Requests", code: "rate_limited"),
        RefusalCase(
            status: "429 Too Many Requests", fields: ["Retry-After: 7"], code: "rate_limited", retryAfter: 7...7),
        RefusalCase(status: "500 Internal Server Error", code: "server_error"),
        RefusalCase(
            status: "503 Service Unavailable", fields: ["retry-after: \(httpDate(in: 30))"], code: "server_error",
            retryAfter: 15...30),
        RefusalCase(status: "503 Service Unavailable", fields: ["Retry-After: soon"], code: "server_error"),
    ]

    /// A moment in HTTP's form.
    static func httpDate(in seconds: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSinceNow: seconds))
    }
}

struct RefusalTests {
    @Test(
        "A refused upgrade is told with status, cause and pause, and without what the server said",
        arguments: RefusalCase.all)
    func refusal(expected: RefusalCase) async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send(ScriptedPeer.answer(expected.status, expected.fields, body: expected.body))
            try peer.waitForEnd()
        }
        defer { server.stop() }
        let failure = try await Self.failure(.to(server))
        #expect(failure.closure.httpStatus == Int(expected.status.prefix(3)))
        #expect(failure.closure.code == expected.code)
        #expect(failure.closure.closeCode == nil)
        if let range = expected.retryAfter {
            #expect(failure.closure.retryAfter.map(range.contains) == true)
        } else {
            #expect(failure.closure.retryAfter == nil)
        }
        #expect(!failure.closure.message.contains("SECRET") && !failure.closure.message.contains("thief"))
        #expect(failure.refusal?.body == Array(expected.body.utf8))
        #expect(failure.refusal?.status == failure.closure.httpStatus)
    }

    @Test("A redirect inside the same origin is named, without its query")
    func sameOriginRedirect() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send(ScriptedPeer.answer("307 Temporary Redirect", ["Location: /v2/realtime?key=SECRET"]))
        }
        defer { server.stop() }
        let failure = try await Self.failure(.to(server))
        #expect(failure.closure.message.contains("\(server.webSocketURL)/v2/realtime"))
        #expect(!failure.closure.message.contains("SECRET"))
    }

    @Test("A refusal whose body never ends is told within two seconds")
    func endlessBody() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.receiveHead()
            try peer.send("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 1000\r\n\r\nhalf")
            peer.hang()
        }
        defer { server.stop() }
        let attempt = TimedAttempt()
        _ = attempt.open(.to(server))
        let (closure, end) = try await attempt.failure()
        #expect(closure.httpStatus == 429)
        #expect(closure.retryAfter == 3)
        #expect(end - attempt.start < .seconds(4))
    }

    @Test(
        "An answer that is no acceptance of ours ends the attempt",
        arguments: [
            ("Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "wrong_accept_key"),
            ("Sec-WebSocket-Protocol: chat", "unoffered_subprotocol"),
            ("Sec-WebSocket-Extensions: permessage-deflate", "unoffered_extension"),
        ])
    func foreignAcceptance(field: String, code: String) async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.receiveHead()
            var answer = ScriptedPeer.acceptance(of: head, [field])
            if code == "wrong_accept_key" {
                answer = ScriptedPeer.acceptance(of: "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n")
            }
            try peer.send(answer)
            try peer.waitForEnd()
        }
        defer { server.stop() }
        let failure = try await Self.failure(.to(server, subprotocols: ["realtime"]))
        #expect(failure.closure.code == code)
        #expect(failure.closure.httpStatus == nil)
        try await eventually { server.openConnections == 0 }
    }

    @Test(
        "An answer that breaks off, or is no HTTP, ends the attempt",
        arguments: [
            ("", "connection_lost"), ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: webso", "handshake_ended"),
            ("SSH-2.0-OpenSSH_9.2\r\n", "malformed_status"), ("head of 80 KB", "head_too_long"),
        ])
    func brokenAnswer(answer: String, code: String) async throws {
        let longLine = "A: \(String(repeating: "b", count: 900))\r\n"
        let answer = code == "head_too_long" ? "HTTP/1.1 101 X\r\n" + String(repeating: longLine, count: 90) : answer
        for reset in [false, true] where !reset || answer.isEmpty {
            let server = try ScriptedServer { peer in
                _ = try peer.receiveHead()
                try peer.send(answer)
                if reset { peer.reset() }
            }
            defer { server.stop() }
            #expect(try await Self.failure(.to(server)).closure.code == code)
        }
    }

    @Test("The server's choice of an offered subprotocol is told")
    func subprotocol() async throws {
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade(["Sec-WebSocket-Protocol: realtime", "X-Request-Id: 7"])
            try peer.waitForEnd()
        }
        defer { server.stop() }
        let request = WebSocketRequest.to(server, subprotocols: ["extentos.opus.v1", "realtime"])
        let opened = try await WebSocketClient.open(request, receiver: TestReceiver())
        #expect(opened.subprotocol == "realtime")
        #expect(opened.fields.first("x-request-id") == "7")
        opened.channel.close(code: 1000, reason: "")
    }

    /// The failure of an attempt that must not succeed.
    static func failure(_ request: WebSocketRequest) async throws -> WebSocketOpenFailure {
        let receiver = TestReceiver()
        do {
            let opened = try await WebSocketClient.open(request, receiver: receiver)
            opened.channel.close(code: 1000, reason: "")
        } catch let failure as WebSocketOpenFailure {
            #expect(receiver.closures.isEmpty)
            return failure
        }
        Issue.record("The connection was opened.")
        throw TooLate()
    }
}
