import GlassesDomain
import GlassesWebSocket
import Testing

struct WebSocketDecoderTests {
    static let hello = Array("Hello".utf8)

    @Test(
        arguments: [
            ([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], WebSocketRole.client, WebSocketEvent.text("Hello")),
            (
                [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], WebSocketRole.server,
                WebSocketEvent.text("Hello")
            ),
            (
                [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], WebSocketRole.client,
                WebSocketEvent.text("Hello")
            ),
            ([0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], WebSocketRole.client, WebSocketEvent.ping(hello)),
            (
                [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], WebSocketRole.server,
                WebSocketEvent.pong(hello)
            ),
        ] as [([UInt8], WebSocketRole, WebSocketEvent)])
    func theExamplesOfTheStandardDecode(bytes: [UInt8], role: WebSocketRole, event: WebSocketEvent) {
        let decoded = Decoded(bytes, role: role)
        #expect(decoded.failure == nil)
        #expect(decoded.events == [event])
    }

    @Test(arguments: [0, 1, 125, 126, 127, 128, 0xFFFF, 0x10000, 0x10001], [WebSocketRole.client, .server])
    func everyLengthFormDecodesInBothRoles(length: Int, role: WebSocketRole) {
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let decoded = Decoded(Wire.frame(0x82, body, mask: role == .server ? Wire.key : nil), role: role)
        #expect(decoded.failure == nil)
        #expect(decoded.events == [.binary(body)])
    }

    @Test func anEmptyFinalFragmentCompletesTheMessage() {
        let bytes =
            Wire.frame(0x01, Array("{\"type\":".utf8)) + Wire.frame(0x00, Array("\"x\"}".utf8)) + Wire.frame(0x80)
        #expect(Decoded(bytes, role: .client).events == [.text("{\"type\":\"x\"}")])
    }

    @Test func controlFramesBetweenFragmentsComeBeforeTheirMessage() {
        let bytes =
            Wire.frame(0x01, [0x61]) + Wire.frame(0x89, [1]) + Wire.frame(0x00, [0x62]) + Wire.frame(0x8A, [2])
            + Wire.frame(0x80, [0x63])
        #expect(Decoded(bytes, role: .client).events == [.ping([1]), .pong([2]), .text("abc")])
    }

    @Test func aMaskOfZerosLeavesTheBytesAsTheyAre() {
        let bytes = Wire.frame(0x82, Self.hello, mask: [0, 0, 0, 0])
        #expect(Decoded(bytes, role: .server).events == [.binary(Self.hello)])
    }

    @Test func whatFollowsACloseFrameIsIgnored() {
        let bytes = Wire.frame(0x88, Wire.close(1001, "bye")) + [0xFF, 0xFF, 0xFF] + Wire.frame(0x81, Self.hello)
        let decoded = Decoded(bytes, role: .client)
        #expect(decoded.failure == nil)
        #expect(decoded.events == [.close(code: 1001, reason: "bye")])
    }

    @Test func aCloseFrameInsideAFragmentedMessageEndsTheStream() {
        let bytes = Wire.frame(0x01, [0x61]) + Wire.frame(0x88)
        #expect(Decoded(bytes, role: .client).events == [.close(code: nil, reason: "")])
    }

    @Test func aFailedDecoderFailsTheSameWayEverAfter() {
        var decoder = WebSocketDecoder(role: .client, maximumMessage: 100)
        var events: [WebSocketEvent] = []
        let good = Wire.frame(0x81, Self.hello)
        let first = #expect(throws: WebSocketFailure.self) { try decoder.decode(good + [0xF1], into: &events) }
        let second = #expect(throws: WebSocketFailure.self) { try decoder.decode(good, into: &events) }
        #expect(first == second)
        #expect(first?.code == "reserved_bit")
        #expect(events == [.text("Hello")])
    }

    @Test(arguments: [8, 21, 63])
    func aMessageOfSoManyMebibytesIsAcceptedByAClient(mebibytes: Int) {
        let length = mebibytes << 20
        let body = [UInt8](repeating: 0x61, count: length)
        var decoder = WebSocketDecoder(role: .client, maximumMessage: 64 << 20)
        var events: [WebSocketEvent] = []
        #expect(throws: Never.self) {
            try decoder.decode([0x82, 127] + Wire.bigEndian(UInt64(length), 8), into: &events)
            for start in stride(from: 0, to: length, by: 1 << 20) {
                try decoder.decode(body[start..<start + 1 << 20], into: &events)
            }
        }
        #expect(events == [.binary(body)])
    }

    @Test(arguments: [
        (65 << 20, 64 << 20), (22 << 20, 21 << 20), (101, 100), (126, 125), (70_000, 69_999), (1, 0),
        (Int.max, 64 << 20), (Int.max, Int.max - 1),
    ])
    func anAnnouncedMessageAboveTheLimitFailsBeforeItsFirstByte(length: Int, limit: Int) {
        let header = Wire.frame(0x82, announced: UInt64(length))
        let decoded = Decoded(header, role: .client, maximum: limit)
        #expect(decoded.failure?.closeCode == 1009)
        #expect(decoded.failure?.code == "message_too_big")
    }

    @Test func fragmentsThatExceedTheLimitTogetherFailAtTheHeaderThatDoes() {
        let allowed = Wire.frame(0x01, [UInt8](repeating: 0x61, count: 60)) + Wire.frame(0x89, [9])
        let header = Wire.frame(0x00, announced: 41)
        let decoded = Decoded(allowed + header, role: .client, maximum: 100)
        #expect(decoded.events == [.ping([9])])
        #expect(decoded.failure?.closeCode == 1009)
        let exact = Wire.frame(0x80, [UInt8](repeating: 0x62, count: 40))
        #expect(Decoded(allowed + exact, role: .client, maximum: 100).failure == nil)
    }

    @Test func theLimitDoesNotCountControlFrames() {
        let decoded = Decoded(Wire.frame(0x89, [1, 2, 3]), role: .client, maximum: 0)
        #expect(decoded.events == [.ping([1, 2, 3])])
    }
}
