import SeededRandom
import GlassesDomain
import Testing

@testable import GlassesRealtime

/// Invariant: any bytes give an event or a `RealtimeCodecError`, the same by the fast and the general way, and what was
/// decoded can be encoded and read again.
@Suite struct HostileInputTests {
    static let texts = serverEventTable.map(\.text) + clientEventTable.map(\.text)

    @Test(arguments: texts)
    func aMessageCutAtAnyByteIsAnError(_ text: String) {
        let bytes = Array(text.utf8)
        for end in bytes.indices {
            let cut = Array(bytes[..<end])
            #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeServerEvent(cut) }
            #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeClientEvent(cut) }
        }
    }

    @Test(arguments: 0..<6)
    func aMutatedMessageIsAnEventOrAnError(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for text in Self.texts {
            for _ in 0..<12 { try check(Self.mutated(Array(text.utf8), using: &random)) }
        }
    }

    @Test(arguments: 0..<4)
    func aMessageWithForeignValuesIsAnEventOrAnError(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for text in Self.texts {
            let tree = try json(text)
            for _ in 0..<12 { try check(Array(Self.swapped(tree, using: &random).jsonText.utf8)) }
        }
    }

    private func check(_ bytes: [UInt8]) throws {
        let server = Result { () throws(RealtimeCodecError) in try RealtimeCodec.decodeServerEvent(bytes) }
        #expect(server == Result { () throws(RealtimeCodecError) in try RealtimeCodec.decodeServerTree(bytes) })
        if case .success(let event) = server {
            let encoded = RealtimeCodec.encode(event)
            #expect(throws: Never.self) { try RealtimeCodec.decodeServerEvent(encoded) }
        }
        let client = Result { () throws(RealtimeCodecError) in try RealtimeCodec.decodeClientEvent(bytes) }
        #expect(client == Result { () throws(RealtimeCodecError) in try RealtimeCodec.decodeClientTree(bytes) })
        if case .success(let event) = client {
            exercise(event.event)
            let encoded = RealtimeCodec.encode(event)
            #expect(try RealtimeCodec.decodeClientEvent(encoded) == event)
        }
    }

    /// Runs the checks that a server makes on what a client sent.
    private func exercise(_ event: ClientEvent) {
        switch event {
        case .sessionUpdate(let update):
            if case .success(let session) = RealtimeSession().applying(update) {
                #expect(throws: Never.self) {
                    try RealtimeCodec.decodeServerEvent(RealtimeCodec.encode(.sessionUpdated(session), eventId: "e"))
                }
            }
        case .conversationItemCreate(let creation): _ = creation.item.firstProblem()
        case .responseCreate(let parameters): _ = parameters?.firstProblem
        case .inputAudioBufferAppend, .inputAudioBufferCommit, .inputAudioBufferClear, .outputAudioBufferClear,
            .conversationItemRetrieve, .conversationItemTruncate, .conversationItemDelete, .responseCancel, .unknown:
            break
        }
    }

    private static func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
            default: bytes.insert(Array("{}[]\",:0-\\n".utf8).randomElement(using: &random) ?? 0, at: index)
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }

    private static let foreign: [JSONValue] = [
        .null, true, "", "inf", "none", "audio", 0, -1, 1.5, .int(.max), .int(.min), .double(1e300), [], [1, "a"], [:],
        ["type": "message"], ["type": 1], ["id": "x"],
    ]

    /// The tree with one of its values, at any depth, replaced or removed.
    private static func swapped(_ value: JSONValue, using random: inout SeededGenerator) -> JSONValue {
        switch value {
        case .object(var members):
            guard let key = members.keys.sorted().randomElement(using: &random) else { return value }
            if Int.random(in: 0..<8, using: &random) == 0 {
                members[key] = nil
            } else {
                members[key] = members[key].map { swapped($0, using: &random) }
            }
            return .object(members)
        case .array(var elements):
            guard let index = elements.indices.randomElement(using: &random) else { return value }
            elements[index] = swapped(elements[index], using: &random)
            return .array(elements)
        case .string, .int, .double, .bool, .null:
            return foreign.randomElement(using: &random) ?? .null
        }
    }
}
