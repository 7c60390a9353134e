import CShims
import GlassesDomain

/// Keeps the operator's key out of what an upstream says: some servers quote a key that they refuse.
struct KeyRedaction: Sendable {
    private let key: [UInt8]
    /// Shorter texts stand in messages by chance.
    private static let shortest = 8

    init(key: String?) {
        let bytes = Array((key ?? "").utf8)
        self.key = bytes.count >= Self.shortest ? bytes : []
    }

    /// `message` with asterisks wherever the key stood.
    func redacted(_ message: [UInt8]) -> [UInt8] {
        guard !key.isEmpty, var place = find(in: message, from: 0) else { return message }
        var message = message
        while true {
            for index in place..<(place + key.count) { message[index] = UInt8(ascii: "*") }
            guard let next = find(in: message, from: place + key.count) else { return message }
            place = next
        }
    }

    /// `closure` for the operator's eyes: a machine code of the upstream's own can hold a key that is made of words.
    func redacted(_ closure: ConnectionClosure) -> ConnectionClosure {
        var closure = closure
        closure.code = String(decoding: redacted(Array(closure.code.utf8)), as: UTF8.self)
        closure.message = String(decoding: redacted(Array(closure.message.utf8)), as: UTF8.self)
        return closure
    }

    private func find(in message: [UInt8], from start: Int) -> Int? {
        let offset = message.withUnsafeBytes { bytes in
            cshims_find(bytes.baseAddress.map { $0 + start }, bytes.count - start, key, key.count)
        }
        return offset < 0 ? nil : start + offset
    }
}
