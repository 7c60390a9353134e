import GlassesWebSocket

extension HTTPFields {
    /// Whether a field could break out of its line, or is no HTTP field at all.
    var hasForbiddenBytes: Bool {
        all.contains { field in
            !Self.isToken(field.name) || field.value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
        }
    }

    /// Whether `text` is a token (RFC 9110 section 5.6.2), as names of fields and methods are.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
