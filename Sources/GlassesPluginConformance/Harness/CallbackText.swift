import CGlassesPlugin
import GlassesDomain
import Glibc

/// A text that the plugin handed over, copied during the call.
struct CallbackText: Sendable, Hashable {
    /// At most one byte more than the ABI allows.
    private let bytes: [UInt8]

    init(_ pointer: UnsafePointer<CChar>) {
        let count = strnlen(pointer, Int(GLASSES_MESSAGE_MAX) + 1)
        bytes = UnsafeRawBufferPointer(start: pointer, count: count).map { $0 }
    }

    /// What is wrong with it as a text; nil for nothing.
    var problem: String? {
        if bytes.count > Int(GLASSES_MESSAGE_MAX) { return "longer than \(GLASSES_MESSAGE_MAX) bytes" }
        return String(validating: bytes, as: UTF8.self) == nil ? "not UTF-8" : nil
    }

    /// The JSON object that it holds; nil for everything else.
    var object: JSONValue? {
        do {
            let value = try JSONValue(jsonText: bytes)
            if case .object = value { return value }
        } catch {
            // Told by the caller, who knows which callback it was.
        }
        return nil
    }

    /// The first words for a log or a reason, mended where they are not UTF-8.
    var cutText: String { String(decoding: bytes.prefix(200), as: UTF8.self) }
}
