/// The status line and the header of an HTTP/1 answer.
public struct HTTPResponseHead: Sendable, Hashable {
    /// The second number of the version: 0 for HTTP/1.0, 1 for HTTP/1.1.
    public var minorVersion: Int
    /// The status, 100 to 999.
    public var status: Int
    /// The phrase after the status; often empty.
    public var reason: String
    /// The header.
    public var fields: HTTPFields

    /// A head made of its parts.
    public init(minorVersion: Int = 1, status: Int, reason: String = "", fields: HTTPFields = HTTPFields()) {
        self.minorVersion = minorVersion
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// The head that `line` begins.
    init(statusLine line: ArraySlice<UInt8>) throws(WebSocketHandshakeFailure) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, line.allSatisfy(HTTPSyntax.isValueByte) else { throw .malformedStatus }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "HTTP/1.0": minorVersion = 0
        case "HTTP/1.1": minorVersion = 1
        default: throw .malformedStatus
        }
        let digits = parts[1]
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .malformedStatus
        }
        status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100 else { throw .malformedStatus }
        reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        fields = HTTPFields()
    }

    /// Adds the field on `line`.
    mutating func append(fieldLine line: ArraySlice<UInt8>) throws(WebSocketHandshakeFailure) {
        if line.first == 0x20 || line.first == 0x09 { throw .foldedHeader }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPSyntax.isToken(line[..<colon]) else {
            throw .malformedHeader
        }
        var value = line[(colon + 1)...]
        guard value.allSatisfy(HTTPSyntax.isValueByte) else { throw .malformedHeader }
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        guard fields.all.count < HandshakeLimits.fields else { throw .tooManyHeaders }
        fields.append(
            name: String(decoding: line[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }
}
