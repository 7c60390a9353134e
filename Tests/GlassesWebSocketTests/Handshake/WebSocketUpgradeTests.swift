import GlassesDomain
import GlassesWebSocket
import Testing

struct WebSocketUpgradeTests {
    static let key = Array("the sample nonce".utf8)
    static let good: [(name: String, value: String)] = [
        ("upgrade", "WebSocket"), ("Connection", "keep-alive, Upgrade"),
        ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]

    private func request(_ subprotocols: [String] = []) throws -> WebSocketUpgradeRequest {
        try WebSocketUpgradeRequest(host: "h", path: "/", key: Self.key, subprotocols: subprotocols)
    }

    @Test func theRequestHasEachLineOnce() throws {
        let request = try WebSocketUpgradeRequest(
            host: "example.org:8443", path: "/v1/realtime?model=a%20b", key: Self.key,
            subprotocols: ["realtime", "extentos.opus.v1"],
            headers: HTTPFields([("Authorization", "Bearer t"), ("OpenAI-Beta", "realtime=v1")]))
        #expect(
            String(decoding: request.bytes, as: UTF8.self) == """
                GET /v1/realtime?model=a%20b HTTP/1.1\r
                Host: example.org:8443\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: realtime, extentos.opus.v1\r
                Authorization: Bearer t\r
                OpenAI-Beta: realtime=v1\r
                \r\n
                """)
    }

    @Test(arguments: [
        ("a\r\nX: y", "v", "invalid_header"), ("", "v", "invalid_header"), ("a b", "v", "invalid_header"),
        ("é", "v", "invalid_header"), ("X", "a\r\nEvil: 1", "invalid_header"), ("X", "a\nb", "invalid_header"),
        ("X", "a\0b", "invalid_header"), ("X", "a\u{7F}", "invalid_header"), ("hOST", "v", "reserved_header"),
        ("Sec-WebSocket-Extensions", "x", "reserved_header"), ("Transfer-Encoding", "x", "reserved_header"),
    ])
    func aHeaderThatBreaksTheRequestIsRefused(name: String, value: String, code: String) {
        let failure = #expect(throws: WebSocketHandshakeFailure.self) {
            try WebSocketUpgradeRequest(
                host: "h", path: "/", key: Self.key, headers: HTTPFields([("Fine", "1"), (name, value)]))
        }
        #expect(failure?.code == code)
        #expect(failure?.blame == .local)
        #expect(failure?.message.contains("Evil") == false)
    }

    @Test(
        arguments: [
            ("", "/", 16, [], "invalid_host"), ("a b", "/", 16, [], "invalid_host"),
            ("a\r\n", "/", 16, [], "invalid_host"),
            ("a/b", "/", 16, [], "invalid_host"), ("h", "", 16, [], "invalid_path"), ("h", "x", 16, [], "invalid_path"),
            ("h", "/a b", 16, [], "invalid_path"), ("h", "/ü", 16, [], "invalid_path"),
            ("h", "/#f", 16, [], "invalid_path"),
            ("h", "/", 15, [], "invalid_key"), ("h", "/", 16, ["a b"], "invalid_subprotocol"),
            ("h", "/", 16, ["a", "a"], "invalid_subprotocol"), ("h", "/", 16, [""], "invalid_subprotocol"),
        ] as [(String, String, Int, [String], String)])
    func aRequestThatCannotBeWrittenIsRefused(
        host: String, path: String, keyLength: Int, subprotocols: [String], code: String
    ) {
        let failure = #expect(throws: WebSocketHandshakeFailure.self) {
            try WebSocketUpgradeRequest(
                host: host, path: path, key: Array(Self.key.prefix(keyLength)), subprotocols: subprotocols)
        }
        #expect(failure?.code == code)
    }

    @Test func aGoodAnswerIsAcceptedWithTheChosenSubprotocol() throws {
        let plain = HTTPResponseHead(status: 101, fields: HTTPFields(Self.good))
        #expect(try request().check(plain) == nil)
        let chosen = HTTPResponseHead(
            status: 101, fields: HTTPFields(Self.good + [("Sec-WebSocket-Protocol", "realtime")]))
        #expect(try request(["extentos.opus.v1", "realtime"]).check(chosen) == "realtime")
    }

    @Test(
        arguments: [
            (200, good, "not_upgraded"), (101, Array(good.dropFirst()), "missing_upgrade"),
            (101, [good[0], good[2]], "missing_connection"), (101, Array(good.dropLast()), "wrong_accept_key"),
            (101, good.dropLast() + [("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOO=")], "wrong_accept_key"),
            (101, good + [good[2]], "wrong_accept_key"),
            (101, good + [("Sec-WebSocket-Protocol", "other")], "unoffered_subprotocol"),
            (101, good + [("Sec-WebSocket-Protocol", "realtime, realtime")], "unoffered_subprotocol"),
            (101, good + [("Sec-WebSocket-Extensions", "permessage-deflate")], "unoffered_extension"),
        ] as [(Int, [(name: String, value: String)], String)])
    func aWrongAnswerIsRefused(status: Int, fields: [(name: String, value: String)], code: String) throws {
        let request = try request(["realtime"])
        let failure = #expect(throws: WebSocketHandshakeFailure.self) {
            try request.check(HTTPResponseHead(status: status, fields: HTTPFields(fields)))
        }
        #expect(failure?.code == code)
        #expect(failure?.blame == .remote)
    }

    static let offer: [(name: String, value: String)] = [
        ("Host", "h"), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    @Test func aGoodOfferIsAnsweredWithItsAcceptKey() throws {
        let fields = HTTPFields(
            Self.offer + [
                ("Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.x"), ("sec-websocket-protocol", "b"),
            ])
        let offer = try WebSocketUpgradeOffer(method: "GET", fields: fields)
        #expect(offer.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(offer.subprotocols == ["realtime", "openai-insecure-api-key.x", "b"])
    }

    @Test(
        arguments: [
            ("POST", offer, 405, "method_not_allowed"),
            ("GET", offer.filter { $0.name != "Upgrade" }, 426, "upgrade_required"),
            ("GET", [], 426, "upgrade_required"),
            ("GET", offer.filter { $0.name != "Connection" }, 400, "missing_connection"),
            ("GET", offer.filter { $0.name != "Sec-WebSocket-Version" }, 426, "version_not_supported"),
            (
                "GET", offer.filter { $0.name != "Sec-WebSocket-Version" } + [("Sec-WebSocket-Version", "8")], 426,
                "version_not_supported"
            ),
            ("GET", Array(offer.dropLast()), 400, "invalid_key"), ("GET", offer + [offer[4]], 400, "invalid_key"),
            ("GET", offer.dropLast() + [("Sec-WebSocket-Key", "c2hvcnQ=")], 400, "invalid_key"),
            ("GET", offer + [("Sec-WebSocket-Protocol", "a b")], 400, "invalid_subprotocol"),
        ] as [(String, [(name: String, value: String)], Int, String)])
    func aRequestThatIsNoUpgradeIsRefused(
        method: String, fields: [(name: String, value: String)], status: Int, code: String
    ) {
        let refusal = #expect(throws: WebSocketUpgradeRefusal.self) {
            try WebSocketUpgradeOffer(method: method, fields: HTTPFields(fields))
        }
        #expect(refusal?.status == status)
        #expect(refusal?.code == code)
        #expect((refusal?.fields.first("Sec-WebSocket-Version") == "13") == (status == 426))
    }

    @Test func clientAndServerAgree() throws {
        let request = try request(["realtime"])
        let lines = String(decoding: request.bytes, as: UTF8.self).split(separator: "\r\n").dropFirst()
        let fields = lines.map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (name: String(line[..<colon]), value: String(line[colon...].dropFirst(2)))
        }
        let offer = try WebSocketUpgradeOffer(method: "GET", fields: HTTPFields(fields))
        let answer = HTTPResponseHead(
            status: 101,
            fields: HTTPFields([
                ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", offer.accept),
                ("Sec-WebSocket-Protocol", offer.subprotocols[0]),
            ]))
        #expect(try request.check(answer) == "realtime")
    }
}
