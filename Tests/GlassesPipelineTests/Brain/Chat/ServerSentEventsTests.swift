import Testing

@testable import GlassesPipeline

@Suite("Server-sent events in pieces")
struct ServerSentEventsTests {
    private static func events(_ text: String, cutEvery size: Int = .max, limit: Int = 1_000) throws -> [String] {
        var reader = ServerSentEvents(limit: limit)
        let bytes = Array(text.utf8)
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: min(size, bytes.count)) {
            found += try reader.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        if let last = try reader.finish() { found.append(last) }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "every line end, comment and field is read alike, whole and byte by byte",
        arguments: [
            "data: one\n\ndata: two\n\n", "data: one\r\n\r\ndata: two\r\n\r\n", "data: one\r\rdata: two\r\r",
            "\u{FEFF}data: one\n\n: a comment\n\n:\nevent: message\nid: 5\nretry: 3\ndata:two\n\n",
            "data: one\n\nnoise\ndata: two",
        ])
    func forms(_ text: String) throws {
        for size in 1...text.utf8.count {
            #expect(try Self.events(text, cutEvery: size) == ["one", "two"], "cut every \(size) bytes")
        }
    }

    @Test("data in several lines is one event, and an event without data is none")
    func lines() throws {
        #expect(try Self.events("data: a\ndata:  b\ndata\n\n\n\nevent: x\n\n") == ["a\n b\n"])
    }

    @Test("a line and an event without end are refused instead of kept")
    func endless() {
        #expect(throws: ServerSentEvents.TooLong.self) {
            try Self.events("data: " + String(repeating: "x", count: 99), limit: 50)
        }
        #expect(throws: ServerSentEvents.TooLong.self) {
            try Self.events(String(repeating: "data: 1234567890\n", count: 9), limit: 50)
        }
        #expect(throws: ServerSentEvents.TooLong.self) {
            try Self.events(":" + String(repeating: "x", count: 99), limit: 50)
        }
    }
}
