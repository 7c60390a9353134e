import Foundation
import Testing

@testable import MWDATBridge
@testable import MWDATCore

/// Holds `docs/dat-bridge.md` against the code: its worked example, its messages and its tables.
@Suite struct DocumentedExampleTests {
    private struct Greeting: Decodable {
        let versions: [Int]
        let phoneNonce: String
        let hostNonce: String
        let K: String?
        let phoneProof: String
        let hostProof: String
        let key: String?
    }

    private struct Example: Decodable {
        let code: String
        let peer: String
        let host: String
        let rounds: Int
        let pairing: Greeting
        let `return`: Greeting

        func transcript(_ greeting: Greeting, _ secret: LinkSecret) -> GreetingTranscript {
            GreetingTranscript(
                version: 1, offered: greeting.versions, peer: peer, host: host, secret: secret,
                peerNonce: greeting.phoneNonce, hostNonce: greeting.hostNonce)
        }
    }

    private static func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        return try String(contentsOf: root.appendingPathComponent("docs/dat-bridge.md"), encoding: .utf8)
    }

    private func example() throws -> Example {
        let page = try Self.page()
        let start = try #require(page.range(of: "### Worked example"))
        let block = try #require(page.range(of: "```json\n", range: start.upperBound..<page.endIndex))
        let end = try #require(page.range(of: "```", range: block.upperBound..<page.endIndex))
        return try JSONDecoder().decode(Example.self, from: Data(page[block.upperBound..<end.lowerBound].utf8))
    }

    @Test func theWorkedPairingIsWhatThisEndComputes() throws {
        let example = try example()
        #expect(example.rounds == DATBridge.rounds)
        let transcript = example.transcript(example.pairing, .code)
        let secret = try #require(transcript.secret(ofCode: example.code, rounds: example.rounds))
        #expect(Hexadecimal.text(secret) == example.pairing.K)
        #expect(Hexadecimal.text(transcript.phoneProof(secret)) == example.pairing.phoneProof)
        #expect(Hexadecimal.text(transcript.hostProof(secret)) == example.pairing.hostProof)
        #expect(Hexadecimal.text(transcript.pairingKey(secret)) == example.pairing.key)
    }

    @Test func theWorkedReturnUsesTheKeyOfThePairing() throws {
        let example = try example()
        let key = try #require(Hexadecimal.bytes(example.pairing.key ?? "", count: 32))
        let transcript = example.transcript(example.return, .key)
        #expect(Hexadecimal.text(transcript.phoneProof(key)) == example.return.phoneProof)
        #expect(Hexadecimal.text(transcript.hostProof(key)) == example.return.hostProof)
    }

    @Test func thePageNamesEveryKindCheckAndCode() throws {
        let page = try Self.page()
        for message in SampleMessages.all {
            let header = try message.encoded().head.dropFirst(LinkPrefix.count)
            guard case .object(let members) = try LinkJSON.read(Array(header)),
                case .string(let kind)? = members["kind"]
            else {
                Issue.record("a header is no object")
                continue
            }
            #expect(page.contains("`\(kind)`"), "\(kind)")
        }
        let names =
            Refusal.Check.allCases.map(\.rawValue) + LinkRefused.Code.allCases.map(\.rawValue)
            + DeviceType.allCases.map(\.rawValue) + ThermalLevel.allCases.map(\.rawValue)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    @Test func theBytesOnThePageAreThoseOfThisEnd() throws {
        let page = try Self.page()
        let ping = try LinkMessage.control(.ping).encoded().bytes
        let spaced = ping.map { Hexadecimal.text([$0]) }.joined(separator: " ")
        #expect(page.replacingOccurrences(of: "  ", with: " ").contains(spaced))
        let frame = LinkFrame(coding: .i420, width: 2, height: 2, time: 33_000_000, bytes: Data(count: 6))
        let encoded = try LinkMessage.event(.frame(7, 9, frame)).encoded()
        let header = String(decoding: encoded.head.dropFirst(LinkPrefix.count), as: UTF8.self)
        #expect(page.contains(header))
        let prefix = encoded.head.prefix(LinkPrefix.count).map { Hexadecimal.text([$0]) }.joined(separator: " ")
        #expect(page.replacingOccurrences(of: "  ", with: " ").contains(prefix))
    }
}
