/// A header field of the request that opens a connection to a gateway.
///
/// Its value may be a secret: it is in no log, no error and no description, and goes over an encrypted connection, or to this machine, only.
public struct GatewayHeader: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name, such as `api-key`: a token of RFC 9110 section 5.6.2.
    public let name: String
    /// The value: visible ASCII characters, spaces between them, at most 8 KiB.
    public let value: String

    /// A field; whether it can be sent is checked when the gateway is chosen.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The name and not the value.
    public var description: String { "\(name): …" }

    /// As ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// Fields that the connection itself is made of.
    private static let reserved: Set<String> = [
        "host", "connection", "upgrade", "content-length", "content-type", "transfer-encoding", "te", "trailer",
        "expect",
    ]
    private static let longestValue = 8_192

    /// Throws a closure with the code `invalid_header`, which names the field and never its value, when it cannot be sent.
    public func check() throws(ConnectionClosure) {
        guard Self.isToken(name), name.utf8.count <= 256 else {
            throw Self.invalid("A header field of the gateway has no usable name. Use letters, digits and hyphens.")
        }
        let lowercased = name.lowercased()
        guard !Self.reserved.contains(lowercased), !lowercased.hasPrefix("sec-websocket-") else {
            throw Self.invalid("The header field '\(name)' belongs to the connection itself. Leave it out.")
        }
        let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isVisible, !value.isEmpty, value.first != " ", value.last != " ", value.utf8.count <= Self.longestValue
        else {
            throw Self.invalid(
                "The value of the header field '\(name)' cannot be sent: it is empty, too long, or holds control or other "
                    + "characters that header fields have not. Set it again.")
        }
    }

    private static func invalid(_ message: String) -> ConnectionClosure {
        ConnectionClosure(code: "invalid_header", message: message)
    }

    private static func isToken(_ text: String) -> Bool {
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

extension GatewayEndpoint {
    /// The endpoint's address, after its header fields were checked. Throws as ``GatewayAddress/init(_:dialect:)``, and a closure
    /// with the code `invalid_header`.
    public func checkedAddress() throws(ConnectionClosure) -> GatewayAddress {
        for header in headers { try header.check() }
        if case .header(let name) = tokenField { try GatewayHeader(name, "token").check() }
        return try GatewayAddress(url, dialect: dialect)
    }
}
