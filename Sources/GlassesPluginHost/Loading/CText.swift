import CGlassesPlugin
import Glibc

/// A C string that a plugin handed over: its length is bounded before it is read, and its encoding is checked.
struct CText: Sendable, Hashable {
    /// The bytes before the NUL, at most one more than the limit.
    private let bytes: [UInt8]
    private let limit: Int

    /// Reads at most `limit` + 1 bytes.
    init(_ pointer: UnsafePointer<CChar>, limit: Int) {
        let count = strnlen(pointer, limit + 1)
        bytes = UnsafeRawBufferPointer(start: pointer, count: count).map { $0 }
        self.limit = limit
    }

    var isTooLong: Bool { bytes.count > limit }

    /// The text; nil when it is too long or not UTF-8.
    var text: String? { isTooLong ? nil : String(validating: bytes, as: UTF8.self) }

    /// The text for a line of a log: cut at the limit, mended where it is not UTF-8, control characters as spaces.
    var cutText: String {
        let mended = String(decoding: bytes.prefix(limit), as: UTF8.self)
        return String(String.UnicodeScalarView(mended.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}

extension CText {
    /// The longest text of a control call.
    static let messageLimit = Int(GLASSES_MESSAGE_MAX)
}
