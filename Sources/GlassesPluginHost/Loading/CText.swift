import CGlassesPlugin
import Glibc

/// A C string that a plugin handed over: its length is bounded before it is read, and its encoding is checked.
struct CText: Sendable, Hashable {
    /// The bytes before the NUL, at most as many as are allowed.
    let bytes: [UInt8]
    /// Whether there were more.
    let isTooLong: Bool

    init(bytes: [UInt8], isTooLong: Bool = false) {
        self.bytes = bytes
        self.isTooLong = isTooLong
    }

    /// Reads at most `limit` + 1 bytes.
    init(_ pointer: UnsafePointer<CChar>, limit: Int = messageLimit) {
        let count = strnlen(pointer, limit + 1)
        self.init(
            bytes: Array(UnsafeRawBufferPointer(start: pointer, count: min(count, limit))), isTooLong: count > limit)
    }

    /// The text; nil when it is too long or not UTF-8.
    var text: String? { isTooLong ? nil : String(validating: bytes, as: UTF8.self) }

    /// The text for a line of a log: mended where it is not UTF-8, control characters as spaces.
    var cutText: String {
        let mended = String(decoding: bytes, as: UTF8.self)
        return String(String.UnicodeScalarView(mended.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}

extension CText {
    /// The longest text of a control call.
    static let messageLimit = Int(GLASSES_MESSAGE_MAX)
}
