import Foundation
@_spi(ExtentosTools) import MWDATCore
import SeededRandom
import Testing

@Suite struct LinkCodecTests {
    private func decode(_ bytes: [UInt8]) throws -> [LinkMessage] {
        var decoder = LinkMessageDecoder()
        var messages: [LinkMessage] = []
        try decoder.decode(bytes, into: &messages)
        return messages
    }

    private func framed(_ header: String, payload: [UInt8] = [], announced: Int? = nil) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
        let header = Array(header.utf8)
        return LinkPrefix.mark + big(header.count) + big(announced ?? payload.count) + header + payload
    }

    @Test(arguments: SampleMessages.all)
    func everyMessageComesBackAsItWent(_ message: LinkMessage) throws {
        #expect(try decode(message.encoded().bytes) == [message])
    }

    @Test(arguments: [1, 2, 3, 7, 11, 12, 13, 64, 1_000, 100_000])
    func messagesComeWholeHoweverTheirBytesAreCut(_ piece: Int) throws {
        let bytes = try SampleMessages.all.flatMap { try $0.encoded().bytes }
        var decoder = LinkMessageDecoder()
        var messages: [LinkMessage] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try decoder.decode(Array(bytes[start..<min(start + piece, bytes.count)]), into: &messages)
        }
        #expect(messages == SampleMessages.all)
        #expect(!decoder.isInsideMessage)
    }

    @Test func anUnknownKindIsSkippedAndTheNextMessageComes() throws {
        let bytes = framed("{\"kind\":\"session.teleported\",\"session\":1}", payload: [1, 2, 3])
        #expect(
            try decode(bytes + LinkMessage.control(.ping).encoded().bytes) == [
                .unknown(kind: "session.teleported"), .control(.ping),
            ])
    }

    @Test func anUnknownFieldIsLeftOut() throws {
        #expect(
            try decode(framed("{\"kind\":\"session.started\",\"session\":3,\"mood\":{\"a\":[1,null]}}")) == [
                .event(.sessionStarted(3))
            ])
    }

    @Test func anUnknownValueOfWhatAReceiverHasToKnowMakesTheMessageUnknown() throws {
        #expect(
            try decode(framed("{\"kind\":\"permission\",\"request\":1,\"status\":\"perhaps\"}")) == [
                .unknown(kind: "permission")
            ])
    }

    @Test func anUnknownCheckOrModelIsReadAsOneThatIsNotKnown() throws {
        let refusal = "{\"check\":\"moonPhase\",\"message\":\"m\",\"retryable\":false}"
        #expect(
            try decode(framed("{\"kind\":\"unavailable\",\"refusal\":\(refusal)}")) == [
                .event(.unavailable(Refusal(.transport, "m", isRetryable: false)))
            ])
        let state =
            "{\"link\":\"connected\",\"compatibility\":\"odd\",\"charging\":\"x\",\"worn\":\"x\",\"hinges\":\"x\",\"thermal\":\"x\"}"
        let device = "{\"identifier\":\"d\",\"type\":\"metaMonocle\",\"state\":\(state)}"
        #expect(
            try decode(framed("{\"kind\":\"device\",\"device\":\(device)}")) == [
                .event(
                    .device(
                        LinkDevice(
                            identifier: "d", name: "", type: .unknown, state: DeviceState(linkState: .connected))))
            ])
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n", LinkCodecError.Code.notAMessage), ("D", nil), ("DX", .notAMessage),
        ("DAT\u{2}", .framingVersion), ("\u{16}\u{3}\u{1}", .notAMessage),
    ])
    func aStrangerIsNoticedAtItsFirstBytes(_ text: String, _ code: LinkCodecError.Code?) {
        var decoder = LinkMessageDecoder()
        var messages: [LinkMessage] = []
        var thrown: LinkCodecError?
        do throws(LinkCodecError) { try decoder.decode(Array(text.utf8), into: &messages) } catch { thrown = error }
        #expect(thrown?.code == code)
        #expect(messages.isEmpty)
    }

    @Test(arguments: [(64 << 10) + 1, 1 << 24, Int(UInt32.max)])
    func aHeaderThatIsAnnouncedAsTooLongEndsTheStreamAtOnce(_ length: Int) {
        let bytes = LinkPrefix.mark + [24, 16, 8, 0].map { UInt8(length >> $0 & 0xFF) } + [0, 0, 0, 0]
        #expect(throws: LinkCodecError.self) { try decode(bytes) }
    }

    @Test(arguments: [(16 << 20) + 1, Int(UInt32.max)])
    func aPayloadThatIsAnnouncedAsTooLongEndsTheStreamAtOnce(_ length: Int) {
        let bytes = framed("{\"kind\":\"ping\"}", announced: length)
        #expect(throws: LinkCodecError.self) { try decode(bytes) }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "{\"kind\":1}", "{\"kind\":\"ping\"", "{\"kind\":\"session.started\"}",
        "{\"kind\":\"session.started\",\"session\":9007199254740992}",
        "{\"kind\":\"session.started\",\"session\":-1}", "{\"kind\":\"session.started\",\"session\":\"1\"}",
        "{\"kind\":\"session.started\",\"session\":1.5}", "{\"kind\":\"credit\",\"frames\":0}",
        "{\"kind\":\"credit\",\"frames\":99999999999999999999}", "{\"kind\":\"devices\",\"devices\":[1]}",
        "{\"kind\":\"hello\",\"versions\":[\"1\"],\"name\":\"a\",\"version\":\"1\"}", "{\"kind\":\"p\u{0}ing\"}",
        String(repeating: "[", count: 60_000), "{\"kind\":\"\\ud83d\\u\"}", "{\"kind\":\"ping\"}x",
        "{\"kind\":\"ping\",\"kind\":\"ping\"}", "\u{FEFF}{\"kind\":\"ping\"}",
        "{\"kind\":\"ping\",\"later\":\"\\ud83d\"}", "{\"kind\":\"ping\",\"later\":\"\\ude00\\ud83d\"}",
        "{\"kind\":\"ping\",\"later\":\"\\ud83d\\u0041\"}",
        "{\"kind\":\"welcome\",\"version\":1,\"name\":\"a\",\"heartbeat\":-1}",
        "{\"kind\":\"refused\",\"code\":\"order\",\"message\":\"a\",\"retryAfter\":-1}",
    ])
    func aHeaderThatLacksWhatItsKindNeedsIsAnError(_ header: String) {
        #expect(throws: LinkCodecError.self) { try decode(framed(header)) }
    }

    @Test func aPictureWhoseBytesDoNotFitItsSizeIsAnError() {
        let header = """
            {"kind":"frame","session":1,"stream":2,"coding":"i420","width":4,"height":2,"time":0,"keyFrame":true,\
            "parameters":0}
            """
        #expect(throws: LinkCodecError.self) { try decode(framed(header, payload: [UInt8](repeating: 0, count: 11))) }
        #expect(throws: Never.self) { try decode(framed(header, payload: [UInt8](repeating: 0, count: 12))) }
    }

    @Test func parameterSetsThatReachBeyondThePayloadAreAnError() {
        let header = """
            {"kind":"frame","session":1,"stream":2,"coding":"hvc1","width":4,"height":2,"time":0,"keyFrame":true,\
            "parameters":5}
            """
        #expect(throws: LinkCodecError.self) { try decode(framed(header, payload: [1, 2, 3, 4])) }
    }

    @Test func anEscapedCharacterIsRead() throws {
        let header = "{\"kind\":\"view.tapped\",\"session\":1,\"element\":\"\\u00e9\\ud83d\\ude00\\/\\n\"}"
        #expect(try decode(framed(header)) == [.event(.viewTapped(1, element: "é😀/\n"))])
    }

    @Test(arguments: [15, 16])
    func aHeaderNestsSixteenDeepItsOwnObjectIncluded(_ lists: Int) throws {
        let value = String(repeating: "[", count: lists) + String(repeating: "]", count: lists)
        let bytes = framed("{\"kind\":\"ping\",\"later\":\(value)}")
        if lists == 15 {
            #expect(try decode(bytes) == [.control(.ping)])
        } else {
            #expect(throws: LinkCodecError.self) { try decode(bytes) }
        }
    }

    @Test func aPayloadBehindAKindThatHasNoneIsAnErrorAndBehindAnUnknownKindIsSkipped() throws {
        #expect(throws: LinkCodecError.self) { try decode(framed("{\"kind\":\"ping\"}", payload: [1])) }
        #expect(try decode(framed("{\"kind\":\"smell\"}", payload: [1])) == [.unknown(kind: "smell")])
    }

    @Test func whatIsLargerThanTheProtocolAllowsIsNotMadeIntoBytes() {
        let photo = LinkPhoto(format: .jpeg, bytes: Data(count: LinkLimits.payload + 1))
        #expect(throws: LinkCodecError.self) { try LinkMessage.event(.photo(1, 2, photo)).encoded() }
        let url = String(repeating: "u", count: LinkLimits.header)
        #expect(throws: LinkCodecError.self) { try LinkMessage.command(.openedURL(url)).encoded() }
    }

    @Test func afterAnErrorADecoderStaysFailed() throws {
        var decoder = LinkMessageDecoder()
        var messages: [LinkMessage] = []
        #expect(throws: LinkCodecError.self) { try decoder.decode([0], into: &messages) }
        let good = try LinkMessage.control(.ping).encoded().bytes
        #expect(throws: LinkCodecError.self) { try decoder.decode(good, into: &messages) }
        #expect(messages.isEmpty)
    }

    /// Seeded: what fails here fails again.
    @Test(arguments: 0..<8)
    func damagedBytesEndInMessagesOrAnErrorAndNeverInATrap(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let samples = try SampleMessages.all.map { try $0.encoded().bytes }
        for _ in 0..<400 {
            var bytes = (0..<3).flatMap { _ in samples[Int.random(in: samples.indices, using: &random)] }
            for _ in 0..<Int.random(in: 1...6, using: &random) { damage(&bytes, using: &random) }
            var decoder = LinkMessageDecoder()
            var messages: [LinkMessage] = []
            var start = 0
            do {
                while start < bytes.count {
                    let end = min(start + Int.random(in: 1...600, using: &random), bytes.count)
                    try decoder.decode(Array(bytes[start..<end]), into: &messages)
                    start = end
                }
            } catch {
                #expect(!error.message.isEmpty)
            }
            #expect(messages.count <= bytes.count / LinkPrefix.count)
            #expect(HostilePeer.say(bytes, cutAt: Int.random(in: 0...bytes.count, using: &random)))
        }
    }

    private func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
        default: bytes.removeSubrange(index...)
        }
    }
}
