import GlassesDomain
import GlassesWebSocket
import Testing

struct WebSocketEncoderTests {
    static let mask = Wire.key.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }

    @Test(
        arguments: [0, 1, 3, 4, 7, 31, 32, 33, 125, 126, 127, 1_000, 0xFFFF, 0x10000], [WebSocketRole.client, .server])
    func aMessageIsWrittenAsTheStandardSays(length: Int, role: WebSocketRole) {
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        var output: [UInt8] = [0xEE]
        WebSocketEncoder(role: role).append(.binary(body), mask: Self.mask, to: &output)
        #expect(output == [0xEE] + Wire.frame(0x82, body, mask: role == .client ? Wire.key : nil))
    }

    @Test func controlFramesAreWrittenAsTheStandardSays() {
        let encoder = WebSocketEncoder(role: .server)
        var output: [UInt8] = []
        encoder.appendPing([1], mask: 0, to: &output)
        encoder.appendPong([2], mask: 0, to: &output)
        encoder.appendClose(code: 4001, reason: "bye", mask: 0, to: &output)
        encoder.appendClose(code: nil, reason: "not sent", mask: 0, to: &output)
        #expect(
            output == Wire.frame(0x89, [1]) + Wire.frame(0x8A, [2]) + Wire.frame(0x88, Wire.close(4001, "bye"))
                + Wire.frame(0x88))
    }

    @Test(arguments: [UInt16(1005), 1006, 1015, 0, 999, 5000])
    func aCodeThatMayNotBeSentIsLeftOut(code: UInt16) {
        var output: [UInt8] = []
        WebSocketEncoder(role: .server).appendClose(code: code, reason: "x", mask: 0, to: &output)
        #expect(output == Wire.frame(0x88))
    }

    @Test func aLongReasonIsCutBetweenCharacters() {
        var output: [UInt8] = []
        WebSocketEncoder(role: .server)
            .appendClose(code: 1000, reason: String(repeating: "é", count: 100), mask: 0, to: &output)
        let expected = WebSocketEvent.close(code: 1000, reason: String(repeating: "é", count: 61))
        #expect(Decoded(output, role: .client).events == [expected])
    }

    @Test func aLongPingIsCutAfter125Bytes() {
        var output: [UInt8] = []
        WebSocketEncoder(role: .server).appendPing([UInt8](repeating: 7, count: 300), mask: 0, to: &output)
        #expect(Decoded(output, role: .client).events == [.ping([UInt8](repeating: 7, count: 125))])
    }

    @Test(arguments: [1, 2, 10, 99, 100, 101, 0, -5])
    func aMessageInFragmentsLeavesRoomForControlFrames(maximum: Int) {
        let text = String(repeating: "ü", count: 50)
        let encoder = WebSocketEncoder(role: .client)
        var outgoing = OutgoingMessage(.text(Array(text.utf8)))
        var output: [UInt8] = []
        var frames = 0
        #expect(!outgoing.hasBegun)
        while true {
            let before = outgoing.remaining
            let isLast = outgoing.appendFrame(encoder, maximumPayload: maximum, mask: Self.mask, to: &output)
            frames += 1
            #expect(outgoing.hasBegun)
            #expect(before - outgoing.remaining <= max(1, maximum))
            if isLast { break }
            encoder.appendPong([UInt8(truncatingIfNeeded: frames)], mask: Self.mask, to: &output)
        }
        let decoded = Decoded(output, role: .server)
        #expect(decoded.failure == nil)
        #expect(decoded.events.count == frames)
        #expect(decoded.events.last == .text(text))
    }

    @Test func anEmptyMessageIsOneFrame() {
        var outgoing = OutgoingMessage(.text([]))
        var output: [UInt8] = []
        #expect(outgoing.appendFrame(WebSocketEncoder(role: .server), maximumPayload: 10, mask: 0, to: &output))
        #expect(output == Wire.frame(0x81))
    }
}
