import Foundation

/// One message of `docs/dat-bridge.md`, section 2.
struct BridgeMessage: Sendable, Equatable {
    var kind: String
    var fields: [String: BridgeValue] = [:]
    var payload = Data()

    func text(_ name: String) -> String? { if case .text(let value)? = fields[name] { value } else { nil } }
    func integer(_ name: String) -> Int? { if case .integer(let value)? = fields[name] { value } else { nil } }
    func flag(_ name: String) -> Bool? { if case .flag(let value)? = fields[name] { value } else { nil } }

    /// The message as bytes.
    func encoded() throws -> Data {
        var members = fields
        members["kind"] = .text(kind)
        let header = try JSONEncoder().encode(members)
        return Data(BridgeFraming.mark) + BridgeFraming.bytes(header.count) + BridgeFraming.bytes(payload.count)
            + header
            + payload
    }
}

/// Why the connection ends.
struct BridgeFault: Error, CustomStringConvertible {
    let description: String
}

/// The prefix of every message.
enum BridgeFraming {
    static let mark: [UInt8] = [0x44, 0x41, 0x54, 0x01]
    static let prefix = 12
    static let mostHeader = 65_536
    static let mostPayload = 16_777_216

    static func bytes(_ length: Int) -> Data { Data([24, 16, 8, 0].map { UInt8(length >> $0 & 0xFF) }) }

    static func length(_ bytes: Data) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Makes messages of bytes, however these are cut into pieces.
struct BridgeDecoder {
    private var buffer = Data()

    mutating func append(_ bytes: Data) throws -> [BridgeMessage] {
        buffer.append(bytes)
        var messages: [BridgeMessage] = []
        while let message = try next() { messages.append(message) }
        return messages
    }

    private mutating func next() throws -> BridgeMessage? {
        guard buffer.count >= BridgeFraming.prefix else { return nil }
        let start = buffer.startIndex
        guard buffer.prefix(4).elementsEqual(BridgeFraming.mark) else {
            throw BridgeFault(description: "The host speaks something else.")
        }
        let header = BridgeFraming.length(buffer[(start + 4)..<(start + 8)])
        let payload = BridgeFraming.length(buffer[(start + 8)..<(start + 12)])
        guard header <= BridgeFraming.mostHeader, payload <= BridgeFraming.mostPayload else {
            throw BridgeFault(description: "The host announced a message that is too large.")
        }
        let split = start + BridgeFraming.prefix + header
        guard buffer.endIndex >= split + payload else { return nil }
        var fields = try JSONDecoder().decode(
            [String: BridgeValue].self, from: Data(buffer[(start + BridgeFraming.prefix)..<split]))
        guard case .text(let kind)? = fields.removeValue(forKey: "kind") else {
            throw BridgeFault(description: "The host sent a message without a kind.")
        }
        let message = BridgeMessage(kind: kind, fields: fields, payload: Data(buffer[split..<(split + payload)]))
        buffer = Data(buffer[(split + payload)...])
        return message
    }
}
