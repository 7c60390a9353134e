import CShims
import GlassesDomain

/// Keeps the operator's key out of what an upstream says: some servers quote a key that they refuse.
struct KeyRedaction: Sendable {
    private let keys: [[UInt8]]
    /// Shorter texts stand in messages by chance.
    private static let shortest = 8

    /// Hides `key`, and whatever else is secret.
    init(key: String?, others: [String] = []) {
        keys = ([key ?? ""] + others).map { Array($0.utf8) }.filter { $0.count >= Self.shortest }
    }

    /// `message` with asterisks wherever a key stood.
    func redacted(_ message: [UInt8]) -> [UInt8] { keys.reduce(message) { redacted($0, key: $1) } }

    private func redacted(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        guard var place = find(key, in: message, from: 0) else { return message }
        var message = message
        while true {
            for index in place..<(place + key.count) { message[index] = UInt8(ascii: "*") }
            guard let next = find(key, in: message, from: place + key.count) else { return message }
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

    private func find(_ key: [UInt8], in message: [UInt8], from start: Int) -> Int? {
        let offset = message.withUnsafeBytes { bytes in
            cshims_find(bytes.baseAddress.map { $0 + start }, bytes.count - start, key, key.count)
        }
        return offset < 0 ? nil : start + offset
    }
}
