/// The characters that RFC 9110 allows in the parts of a header.
enum HTTPSyntax {
    /// Whether `text` is a token: a field name, a subprotocol.
    static func isToken(_ text: some Sequence<UInt8>) -> Bool {
        var isEmpty = true
        for byte in text {
            guard isTokenByte(byte) else { return false }
            isEmpty = false
        }
        return !isEmpty
    }

    /// Whether `byte` may stand in a field's value: anything but control characters, of which a tab is allowed.
    static func isValueByte(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }

    /// Whether `text` can stand in a request line or `Host`: visible ASCII only.
    static func isVisible(_ text: some Sequence<UInt8>) -> Bool { text.allSatisfy { (0x21...0x7E).contains($0) } }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
