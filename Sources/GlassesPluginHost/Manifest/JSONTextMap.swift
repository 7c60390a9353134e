/// Where the values of a JSON text begin: the members of the outermost object, and the elements of its lists.
struct JSONTextMap {
    /// Byte offsets by JSON pointer.
    private(set) var offsets: [String: Int] = [:]
    /// The pointers of keys that stand twice in one object.
    private(set) var duplicates: [String] = []

    private let bytes: [UInt8]
    private var at = 0

    /// Maps a text that a parser has accepted; of any other text only the part that makes sense.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        skipSpace()
        value(pointer: "", depth: 0)
    }

    /// The pointer of a member of the outermost object.
    static func pointer(_ key: String) -> String {
        "/"
            + key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }

    /// More levels are of no interest to a manifest's rules.
    private static let depthLimit = 2

    private mutating func value(pointer: String, depth: Int) {
        if depth <= Self.depthLimit { offsets[pointer] = at }
        guard at < bytes.count else { return }
        switch bytes[at] {
        case UInt8(ascii: "{"): members(of: pointer, depth: depth)
        case UInt8(ascii: "["): elements(of: pointer, depth: depth)
        case UInt8(ascii: "\""): _ = text()
        default: while at < bytes.count, !Self.ends.contains(bytes[at]) { at += 1 }
        }
    }

    private static let ends: Set<UInt8> = Set(",]} \t\r\n".utf8)

    private mutating func members(of pointer: String, depth: Int) {
        var seen: Set<String> = []
        repeat {
            at += 1
            skipSpace()
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { break }
            let keyOffset = at
            let key = text()
            let member = pointer + Self.pointer(key)
            skipSpace()
            at += 1
            skipSpace()
            value(pointer: member, depth: depth + 1)
            if depth < Self.depthLimit {
                if !seen.insert(key).inserted { duplicates.append(member) }
                // A key is easier to find for a person than its value.
                offsets[member] = keyOffset
            }
            skipSpace()
        } while at < bytes.count && bytes[at] == UInt8(ascii: ",")
        at += 1
    }

    private mutating func elements(of pointer: String, depth: Int) {
        var index = 0
        repeat {
            at += 1
            skipSpace()
            guard at < bytes.count, bytes[at] != UInt8(ascii: "]") else { break }
            value(pointer: pointer + "/\(index)", depth: depth + 1)
            index += 1
            skipSpace()
        } while at < bytes.count && bytes[at] == UInt8(ascii: ",")
        at += 1
    }

    /// The text of the string at the cursor; a key with escapes keeps them, since no known key has any.
    private mutating func text() -> String {
        let start = at + 1
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        let end = min(at, bytes.count)
        at += 1
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }
}
