import Glibc

/// An IPv4 or IPv6 address in its one canonical text form; an IPv4 address inside IPv6 counts as the IPv4 one.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// Whether the address is this machine's own loopback.
    var isLoopback: Bool { description == "::1" || description.hasPrefix("127.") }

    /// Whether the address stands for all of the machine's.
    var isWildcard: Bool { description == "0.0.0.0" || description == "::" }

    /// Whether the address has the IPv6 form.
    var isIPv6: Bool { description.contains(":") }

    /// The address as it stands in a URL.
    var urlHost: String { isIPv6 ? "[\(description)]" : description }

    /// The address that `text` spells in the usual form; nil for short, octal and hexadecimal IPv4 forms and for names.
    init?(_ text: some StringProtocol) {
        var four = in_addr()
        var six = in6_addr()
        let text = String(text)
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// The address of a socket's name; nil for another family.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            self.init(
                withUnsafePointer(to: &storage) {
                    $0.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
                })
        case AF_INET6:
            self.init(
                withUnsafePointer(to: &storage) {
                    $0.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
                })
        default: return nil
        }
    }

    private init(_ address: in_addr) { description = Self.text(address, AF_INET) }

    private init(_ address: in6_addr) {
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        description = isMapped ? bytes[12...].map { String($0) }.joined(separator: ".") : Self.text(address, AF_INET6)
    }

    private static func text<Address>(_ address: Address, _ family: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten = withUnsafePointer(to: address) {
            inet_ntop(family, $0, &buffer, socklen_t(buffer.count)) != nil
        }
        guard isWritten else { return "?" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
