import Testing

@testable import MWDATBridge

@Suite struct MessageAuthenticationTests {
    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func hmacIsThatOfItsStandard(_ key: [UInt8], _ message: String, _ expected: String) {
        #expect(Hexadecimal.text(MessageAuthentication.hmac(message.utf8, key: key)) == expected)
    }

    /// RFC 7914, section 11: the first 32 bytes.
    @Test(arguments: [
        ("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
        ("Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
    ])
    func derivedKeysAreThoseOfTheirStandard(_ password: String, _ salt: String, _ rounds: Int, _ expected: String) {
        let key = MessageAuthentication.derive(password: Array(password.utf8), salt: Array(salt.utf8), rounds: rounds)
        #expect(Hexadecimal.text(key) == expected)
    }

    @Test(arguments: ["", "0", "0g", "AB", "abcd", " a"])
    func onlyLowerCaseHexadecimalOfTheRightLengthIsRead(_ text: String) {
        #expect(Hexadecimal.bytes(text, count: 1) == nil)
        #expect(Hexadecimal.bytes("a0", count: 1) == [0xA0])
    }
}
