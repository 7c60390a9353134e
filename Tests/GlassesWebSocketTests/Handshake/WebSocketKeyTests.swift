import Testing

@testable import GlassesWebSocket

struct WebSocketKeyTests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func theDigestIsThatOfTheStandard(text: String, hexadecimal: String) {
        let digest = SHA1.digest(Array(text.utf8))
        #expect(digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == hexadecimal)
    }

    @Test func theAcceptKeyIsThatOfTheStandard() {
        #expect(WebSocketKey.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64IsThatOfTheStandard(text: String, encoded: String) {
        #expect(WebSocketKey.base64(Array(text.utf8)) == encoded)
    }

    @Test(arguments: [
        ("dGhlIHNhbXBsZSBub25jZQ==", true), ("dGhlIHNhbXBsZSBub25jZQ=", false), ("dGhlIHNhbXBsZSBub25jZQ", false),
        ("dGhlIHNhbXBsZSBub25jZTEx", false), ("dGhlIHNhbXBsZSBub25j ZQ==", false), ("", false),
        ("dGhlIHNhbXBsZSBub25jZé==", false), ("dGhlIHNhbXBsZSBub25jZ*==", false),
    ])
    func aKeyIsSixteenBytesInBase64(key: String, isValid: Bool) {
        #expect(WebSocketKey.isValid(key) == isValid)
    }
}
