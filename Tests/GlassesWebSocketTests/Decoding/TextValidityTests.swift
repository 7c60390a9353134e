import GlassesDomain
import GlassesWebSocket
import Testing

struct TextValidityTests {
    static let valid: [[UInt8]] = [
        Array("κόσμε".utf8), Array("日本語テキスト".utf8), Array("🎧 ok 🕶️".utf8), [0xEF, 0xBF, 0xBF], [0x00], [0x7F],
        [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
        [0xF0, 0x90, 0x80, 0x80],
        [0xF4, 0x8F, 0xBF, 0xBF], Array(String(repeating: "a", count: 63).utf8) + [0xC3, 0xA9],
        Array(String(repeating: "aé", count: 100).utf8),
    ]

    /// Each with the number of bytes after which it cannot become valid any more; nil when only its end shows it.
    static let invalid: [([UInt8], Int?)] = [
        ([0x80], 1), ([0xBF], 1), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1), ([0xE0, 0x80], 2), ([0xE0, 0x9F, 0xBF], 2),
        ([0xED, 0xA0, 0x80], 2), ([0xED, 0xBF], 2), ([0xF0, 0x8F], 2), ([0xF4, 0x90], 2), ([0xF5], 1), ([0xFE], 1),
        ([0xFF], 1), ([0xC3, 0x28], 2), ([0xE2, 0x28], 2), ([0xE2, 0x82, 0x28], 3), ([0xF0, 0x9F, 0x28], 3),
        ([0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xED, 0xA0, 0x80], 7), ([0xC3], nil), ([0xE2, 0x82], nil),
        ([0xF0, 0x9F, 0x8E], nil), (Array(String(repeating: "a", count: 40).utf8) + [0xFF], 41),
    ]

    @Test(arguments: valid)
    func validTextIsAccepted(text: [UInt8]) {
        #expect(Decoded(Wire.frame(0x81, text), role: .client).events == [.message(.text(text))])
    }

    @Test(arguments: valid)
    func aTextMayBeCutInsideEveryCharacter(text: [UInt8]) {
        for cut in 0...text.count {
            let bytes = Wire.frame(0x01, Array(text[..<cut])) + Wire.frame(0x80, Array(text[cut...]))
            #expect(Decoded(bytes, role: .client).events == [.message(.text(text))])
        }
    }

    @Test(arguments: invalid)
    func invalidTextFailsAtTheByteThatRuinsIt(text: [UInt8], fatal: Int?) {
        let frame = Wire.frame(0x81, text)
        #expect(Decoded(frame, role: .client).failure?.closeCode == 1007)
        let header = frame.count - text.count
        for end in 0..<text.count {
            let failed = Decoded(Array(frame[..<(header + end)]), role: .client).failure != nil
            #expect(failed == (end >= fatal ?? .max))
        }
    }

    @Test(arguments: invalid)
    func invalidTextFailsInAnOpenFragmentToo(text: [UInt8], fatal: Int?) {
        let open = Decoded(Wire.frame(0x01, text), role: .client)
        #expect((open.failure?.closeCode == 1007) == (fatal != nil))
        let closed = Decoded(Wire.frame(0x01, text) + Wire.frame(0x80), role: .client)
        #expect(closed.failure?.closeCode == 1007)
    }

    @Test(arguments: invalid)
    func aBinaryMessageMayHoldAnything(bytes: [UInt8], fatal: Int?) {
        #expect(Decoded(Wire.frame(0x82, bytes), role: .client).events == [.binary(bytes)])
    }
}
