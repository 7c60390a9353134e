import GlassesWebSocket
import Testing

struct UpgradeResponseParserTests {
    /// What a parser made of pieces, and of the end after them.
    struct Parsed: Equatable {
        var answer: UpgradeResponseParser.Answer?
        var failure: String?

        init(_ pieces: [ArraySlice<UInt8>], ended: Bool = true) {
            var parser = UpgradeResponseParser()
            do throws(WebSocketHandshakeFailure) {
                for piece in pieces where answer == nil { answer = try parser.receive(Array(piece)) }
                if answer == nil && ended { answer = try parser.peerEnded() }
            } catch {
                failure = error.code
            }
        }

        init(_ text: String, ended: Bool = true) { self.init([Array(text.utf8)[...]], ended: ended) }

        var refusal: (status: Int, body: String)? {
            guard case .refused(let head, let body) = answer else { return nil }
            return (head.status, String(decoding: body, as: UTF8.self))
        }
    }

    @Test func theBytesAfterA101AreKept() {
        let parsed = Parsed(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nX:  a \t\r\nx:b\r\n\r\n\u{1}\u{2}rest")
        guard case .switched(let head, let rest) = parsed.answer else {
            Issue.record("not switched: \(parsed)")
            return
        }
        #expect(head.status == 101)
        #expect(head.minorVersion == 1)
        #expect(head.reason == "Switching Protocols")
        #expect(head.fields.values("X") == ["a", "b"])
        #expect(rest == [1, 2] + Array("rest".utf8))
    }

    @Test func interimAnswersAreSkipped() {
        let parsed = Parsed(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 503 \r\n\r\nbusy")
        #expect(parsed.refusal?.status == 503)
        #expect(parsed.refusal?.body == "busy")
    }

    @Test(arguments: [
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\nhello world", 401, "hello"),
        ("HTTP/1.0 404 Not Found\r\n\r\nuntil the end", 404, "until the end"),
        ("HTTP/1.1 429\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\nx", 429, ""),
        ("HTTP/1.1 500 x\nContent-Length: 2\n\nok", 500, "ok"),
        (
            "HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;ext=1\r\n, 10 bytes\r\n0\r\n\r\n", 503,
            "hello, 10 bytes"
        ),
        ("HTTP/1.1 503 x\r\nTransfer-Encoding: Chunked\r\nContent-Length: 1\r\n\r\n2\r\nab\r\n0\r\n\r\n", 503, "ab"),
        ("HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\nnever", 503, "ab"),
        ("HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabXX", 503, "ab"),
        ("HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nab", 503, ""),
        ("HTTP/1.1 400 x\r\nContent-Length: 99999999999999999999999\r\n\r\nab", 400, "ab"),
        ("HTTP/1.1 400 x\r\nContent-Length: -3\r\n\r\nab", 400, "ab"),
        ("HTTP/1.1 400 x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nabc", 400, "ab"),
        ("HTTP/1.1 400 x\r\nContent-Length: 10\r\n\r\nab", 400, "ab"),
        ("HTTP/1.1 204 x\r\nContent-Length: 2\r\n\r\nab", 204, ""),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", 302, ""),
    ])
    func aRefusalKeepsItsStatusAndBodyWhateverItsFraming(text: String, status: Int, body: String) {
        let parsed = Parsed(text)
        #expect(parsed.refusal?.status == status)
        #expect(parsed.refusal?.body == body)
    }

    @Test func aBodyWithALengthEndsWithoutTheConnection() {
        #expect(Parsed("HTTP/1.1 401 x\r\nContent-Length: 2\r\n\r\nok", ended: false).refusal?.body == "ok")
        #expect(Parsed("HTTP/1.1 401 x\r\nContent-Length: 3\r\n\r\nok", ended: false).answer == nil)
    }

    @Test(arguments: [
        "HTTP/1.1 400 x\r\n\r\n", "HTTP/1.1 400 x\r\nContent-Length: 9999999\r\n\r\n",
        "HTTP/1.1 400 x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n",
    ])
    func anEndlessBodyIsCut(head: String) {
        let parsed = Parsed(head + String(repeating: "x", count: 100_000), ended: false)
        #expect(parsed.refusal?.body.utf8.count == HandshakeLimits.body)
    }

    @Test(arguments: [
        ("", "handshake_ended"), ("HTTP/1.1 101 x\r\nA: b\r\n", "handshake_ended"),
        ("HTTP/2 200\r\n", "malformed_status"),
        ("HTTP/1.1\r\n", "malformed_status"), ("HTTP/1.1 20 x\r\n", "malformed_status"),
        ("HTTP/1.1 099 x\r\n", "malformed_status"), ("HTTP/1.1 2000 x\r\n", "malformed_status"),
        ("HTTP/1.1  200 x\r\n", "malformed_status"), ("SSH-2.0-x\r\n", "malformed_status"),
        ("\r\n", "malformed_status"),
        ("HTTP/1.1 200 a\0b\r\n", "malformed_status"), ("HTTP/1.1 101 x\r\nA: b\r\n c\r\n", "folded_header"),
        ("HTTP/1.1 101 x\r\nno colon\r\n", "malformed_header"), ("HTTP/1.1 101 x\r\n: b\r\n", "malformed_header"),
        ("HTTP/1.1 101 x\r\nA : b\r\n", "malformed_header"), ("HTTP/1.1 101 x\r\nA: b\rc\r\n", "malformed_header"),
        ("HTTP/1.1 101 x\r\nA: \0\r\n", "malformed_header"),
        ("HTTP/1.1 101 x\r\n" + String(repeating: "A: b\r\n", count: 101), "too_many_headers"),
        ("HTTP/1.1 101 " + String(repeating: "x", count: 70_000), "head_too_long"),
        ("HTTP/1.1 101 x\r\nA: " + String(repeating: "x", count: 70_000) + "\r\n\r\n", "head_too_long"),
        (String(repeating: "HTTP/1.1 100 x\r\n\r\n", count: 4_000), "head_too_long"),
    ])
    func anAnswerThatIsNoHeaderFails(text: String, code: String) {
        #expect(Parsed(text).failure == code)
    }

    @Test(arguments: [
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nX:  a \t\r\nx:b\r\n\r\n",
        "HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;ext=1\r\n, 10 bytes\r\n0\r\n\r\n",
        "HTTP/1.1 103 Early\nA: b\n\nHTTP/1.0 404 Not Found\r\n\r\nuntil the end", "HTTP/1.1 101 x\r\nA: b\r\n c\r\n",
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabXX",
    ])
    func anAnswerCutAnywhereIsTheSame(text: String) {
        let bytes = Array(text.utf8)
        let whole = Parsed([bytes[...]])
        #expect(Parsed(bytes.indices.map { bytes[$0...$0] }) == whole)
        for cut in bytes.indices { #expect(Parsed([bytes[..<cut], bytes[cut...]]) == whole) }
    }

    @Test func anAnsweredParserKeepsItsAnswer() throws {
        var parser = UpgradeResponseParser()
        let first = try parser.receive(Array("HTTP/1.1 401 x\r\nContent-Length: 2\r\n\r\nok".utf8))
        #expect(first != nil)
        #expect(try parser.receive([1, 2, 3]) == first)
        #expect(try parser.peerEnded() == first)
    }
}
