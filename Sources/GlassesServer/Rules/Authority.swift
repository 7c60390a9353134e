/// A host with an optional port, as in a `Host` header or a URL, in the one form in which two of them compare.
struct Authority: Hashable, Sendable {
    /// A name in small letters without its final dot, or an address in its canonical form, without brackets.
    var host: String
    /// The port; nil when none was written.
    var port: UInt16?

    /// The authority that `text` spells; nil for anything else, such as user names, spaces, paths and ports above
    /// 65,535.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        let hostText: Substring
        let rest: Substring
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"),
                let address = IPAddress(text[text.index(after: text.startIndex)..<end])
            else { return nil }
            // A bracket never holds the IPv4 form; one inside IPv6 is compared as IPv4.
            guard text[..<end].contains(":") else { return nil }
            host = address.description
            rest = text[text.index(after: end)...]
        } else {
            hostText = text.prefix { $0 != ":" }
            rest = text[hostText.endIndex...]
            guard let name = Self.name(hostText) else { return nil }
            host = name
        }
        if rest.isEmpty || rest == ":" { return }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy(Self.isDigit), let port = UInt16(rest.dropFirst())
        else {
            return nil
        }
        self.port = port
    }

    private static func name(_ text: Substring) -> String? {
        var name = text
        if name.last == "." { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return nil }
        guard labels.allSatisfy({ $0.utf8.allSatisfy(isNameByte) }) else { return nil }
        return String(name)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
