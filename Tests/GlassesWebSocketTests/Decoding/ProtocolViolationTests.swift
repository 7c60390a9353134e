import GlassesDomain
import GlassesWebSocket
import Testing

/// The negative cases of the Autobahn suite's sections 2 to 7, as bytes.
struct ProtocolViolationTests {
    struct Violation: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var closeCode: UInt16
        var code: String
        var role = WebSocketRole.client
        var testDescription: String { name }
    }

    static let long = [UInt8](repeating: 0x61, count: 126)
    static let violations: [Violation] = [
        Violation(name: "rsv1", bytes: Wire.frame(0xC1), closeCode: 1002, code: "reserved_bit"),
        Violation(name: "rsv2", bytes: Wire.frame(0xA2), closeCode: 1002, code: "reserved_bit"),
        Violation(name: "rsv3 on a ping", bytes: Wire.frame(0x99), closeCode: 1002, code: "reserved_bit"),
        Violation(name: "opcode 3", bytes: Wire.frame(0x83), closeCode: 1002, code: "unknown_opcode"),
        Violation(name: "opcode 7", bytes: Wire.frame(0x87), closeCode: 1002, code: "unknown_opcode"),
        Violation(name: "opcode 11", bytes: Wire.frame(0x8B), closeCode: 1002, code: "unknown_opcode"),
        Violation(name: "opcode 15", bytes: Wire.frame(0x8F), closeCode: 1002, code: "unknown_opcode"),
        Violation(name: "ping in fragments", bytes: Wire.frame(0x09), closeCode: 1002, code: "fragmented_control"),
        Violation(name: "close in fragments", bytes: Wire.frame(0x08), closeCode: 1002, code: "fragmented_control"),
        Violation(name: "ping of 126 bytes", bytes: Wire.frame(0x89, long), closeCode: 1002, code: "long_control"),
        Violation(
            name: "pong in the medium form", bytes: Wire.frame(0x8A, [1], form: .medium), closeCode: 1002,
            code: "long_control"),
        Violation(name: "close of 126 bytes", bytes: Wire.frame(0x88, long), closeCode: 1002, code: "long_control"),
        Violation(
            name: "masked by a server", bytes: Wire.frame(0x81, [0x61], mask: Wire.key), closeCode: 1002,
            code: "masked_frame"),
        Violation(
            name: "not masked by a client", bytes: Wire.frame(0x81, [0x61]), closeCode: 1002, code: "unmasked_frame",
            role: .server),
        Violation(
            name: "125 in the medium form", bytes: Wire.frame(0x82, Array(long.dropLast()), form: .medium),
            closeCode: 1002, code: "padded_length"),
        Violation(
            name: "65535 in the long form", bytes: Wire.frame(0x82, form: .long, announced: 0xFFFF), closeCode: 1002,
            code: "padded_length"),
        Violation(
            name: "a length with the top bit", bytes: Wire.frame(0x82, form: .long, announced: 1 << 63),
            closeCode: 1002, code: "negative_length"),
        Violation(
            name: "continuation of nothing", bytes: Wire.frame(0x80), closeCode: 1002, code: "stray_continuation"),
        Violation(
            name: "continuation after the end", bytes: Wire.frame(0x01) + Wire.frame(0x80) + Wire.frame(0x00),
            closeCode: 1002, code: "stray_continuation"),
        Violation(
            name: "text inside a message", bytes: Wire.frame(0x01, [0x61]) + Wire.frame(0x81, [0x62]),
            closeCode: 1002, code: "unfinished_message"),
        Violation(
            name: "binary inside an empty first fragment", bytes: Wire.frame(0x01) + Wire.frame(0x82),
            closeCode: 1002, code: "unfinished_message"),
        Violation(name: "close of one byte", bytes: Wire.frame(0x88, [3]), closeCode: 1002, code: "short_close"),
        Violation(
            name: "close reason not UTF-8", bytes: Wire.frame(0x88, Wire.close(1000) + [0xC3]), closeCode: 1007,
            code: "invalid_utf8"),
    ]

    @Test(arguments: violations)
    func aViolationFailsWithItsCode(_ violation: Violation) {
        let decoded = Decoded(violation.bytes, role: violation.role)
        #expect(decoded.failure?.closeCode == violation.closeCode)
        #expect(decoded.failure?.code == violation.code)
        #expect(decoded.failure?.blame == .remote)
        #expect(decoded.events.isEmpty || violation.name == "continuation after the end")
    }

    @Test(arguments: [
        UInt16(1000), 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
    ])
    func aCloseCodeOfTheRegistryIsAccepted(code: UInt16) {
        let decoded = Decoded(Wire.frame(0x88, Wire.close(code, "grüße")), role: .client)
        #expect(decoded.events == [.close(code: code, reason: "grüße")])
    }

    @Test(arguments: [UInt16(0), 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
    func aCloseCodeThatMayNotBeSentFails(code: UInt16) {
        let decoded = Decoded(Wire.frame(0x88, Wire.close(code)), role: .client)
        #expect(decoded.events.isEmpty)
        #expect(decoded.failure?.closeCode == 1002)
        #expect(decoded.failure?.code == "close_code")
    }
}
