/// The target of a request line, taken apart: decoded once, after it was split, so that an encoded separator separates
/// nothing.
struct HTTPTarget: Equatable {
    var path: String
    var segments: [String]
    var query: [HTTPRequest.QueryItem]

    /// The origin form `/path?query`, and `*` for OPTIONS; nil for anything else, for wrong escapes, for text that is
    /// not UTF-8, for control characters, and for `.` and `..` segments.
    init?(_ raw: String) {
        if raw == "*" {
            (path, segments, query) = ("*", [], [])
            return
        }
        guard raw.utf8.first == UInt8(ascii: "/"), !raw.utf8.contains(UInt8(ascii: "#")) else { return nil }
        let halves = raw.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        for piece in halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = Self.decode(piece, plusIsSpace: false), segment != ".", segment != ".." else {
                return nil
            }
            segments.append(segment)
        }
        var query: [HTTPRequest.QueryItem] = []
        for piece in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0], plusIsSpace: true),
                let value = parts.count > 1 ? Self.decode(parts[1], plusIsSpace: true) : ""
            else { return nil }
            query.append(HTTPRequest.QueryItem(name: name, value: value))
        }
        (path, self.segments, self.query) = ("/" + segments.joined(separator: "/"), segments, query)
    }

    private static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension StringProtocol {
    /// This text without white space around it.
    var trimmed: String {
        var rest = Substring(self)
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
