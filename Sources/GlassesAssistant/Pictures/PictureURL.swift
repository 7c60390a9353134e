/// What an app names a picture by.
public enum PictureURL: Sendable, Hashable {
    /// A `data:` URL with base64: its type by its own word, and the base64 text.
    case data(mimeType: String, base64: Substring)
    /// An `http:` or `https:` URL, for the provider to follow.
    case link(String)
    /// The path of a file on this machine.
    case file(path: String)

    /// The longest beginning of a data URL, up to its comma.
    private static let headBytes = 256
    /// The longest path that systems take.
    private static let pathBytes = 4096

    /// Reads `text`; nil for a kind of URL that is not taken, and for one that is not whole.
    public init?(_ text: String) {
        let scheme = Self.scheme(of: text)
        let rest = text.utf8.dropFirst(scheme.map { $0.utf8.count + 1 } ?? 0)
        switch scheme?.lowercased() {
        case nil:
            guard Self.isPath(text) else { return nil }
            self = .file(path: text)
        case "data":
            guard let comma = rest.prefix(Self.headBytes).firstIndex(of: UInt8(ascii: ",")) else { return nil }
            let head = String(Substring(rest[..<comma])).lowercased()
            guard head.hasSuffix(";base64") else { return nil }
            self = .data(mimeType: String(head.prefix { $0 != ";" }), base64: Substring(rest[comma...].dropFirst()))
        case "http", "https":
            guard rest.starts(with: "//".utf8), rest.count > 2 else { return nil }
            self = .link(text)
        case "file":
            guard rest.count <= 3 * Self.pathBytes, let path = Self.path(ofFileURL: Substring(rest)),
                Self.isPath(path)
            else { return nil }
            self = .file(path: path)
        default: return nil
        }
    }

    private static func isPath(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= pathBytes && !text.utf8.contains(0)
    }

    /// The bytes of the data URL of a file.
    static func length(fileBytes: Int, mimeType: String) -> Int {
        prefix(mimeType: mimeType).utf8.count + (fileBytes + 2) / 3 * 4
    }

    /// What a data URL of a type begins with.
    public static func prefix(mimeType: String) -> String { "data:\(mimeType);base64," }

    /// The longest name of a scheme that is looked for.
    private static let schemeBytes = 32

    /// The scheme before the first colon; nil for a path.
    private static func scheme(of text: String) -> Substring? {
        let head = text.utf8.prefix(schemeBytes)
        guard let colon = head.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme
    }

    /// `///path`, `//localhost/path` or `/path`, with `%` escapes; nil for another host and for escapes that are no text.
    private static func path(ofFileURL rest: Substring) -> String? {
        var rest = rest
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            guard ["", "localhost"].contains(rest[..<slash].lowercased()) else { return nil }
            rest = rest[slash...]
        }
        guard rest.hasPrefix("/") else { return nil }
        return unescaped(rest)
    }

    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
