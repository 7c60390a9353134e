import CMicrohttpd
import GlassesWebSocket

/// The header lines of a request, copied out of the library.
enum RequestFields {
    private final class Collector {
        var fields = HTTPFields()
    }

    /// Every line, in order. Bytes that are not UTF-8 become U+FFFD.
    static func read(_ handle: OpaquePointer) -> HTTPFields {
        let collector = Collector()
        let context = Unmanaged.passUnretained(collector).toOpaque()
        MHD_get_connection_values_n(handle, .HEADER_KIND, take, context)
        return collector.fields
    }

    private static let take: MHD_KeyValueIteratorN = { context, _, name, nameLength, value, valueLength in
        guard let context, let name else { return .YES }
        Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue().fields.append(
            name: text(name, nameLength), value: value.map { text($0, valueLength) } ?? "")
        return .YES
    }

    private static func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
