import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

/// Both kinds of connection.
enum LinkKind: String, CaseIterable, CustomTestStringConvertible {
    case ws, wss
    var testDescription: String { rawValue }

    /// A server of this kind that runs `script`.
    func server(
        _ script: @escaping @Sendable (ScriptedPeer) throws -> Void
    ) async throws -> (server: ScriptedServer, lab: CertificateLab?) {
        switch self {
        case .ws: return (try ScriptedServer(script), nil)
        case .wss:
            let lab = try await CertificateLab.shared()
            return (try ScriptedServer(certificate: lab.server, script), lab)
        }
    }
}

struct EchoTests {
    @Test("What is sent comes back, in order", arguments: LinkKind.allCases)
    func echo(kind: LinkKind) async throws {
        let (server, lab) = try await kind.server { peer in
            try peer.acceptUpgrade()
            try peer.echo()
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server, lab: lab), receiver: receiver)
        let sent = (0..<200).map { RealtimeMessage.text("message \($0) \(String(repeating: "x", count: $0 * 50))") }
        for message in sent { #expect(opened.channel.send(message, lane: .control) == .accepted) }
        #expect(try await receiver.messages(200) == sent)
        opened.channel.close(code: 1000, reason: "done")
        let closure = try await receiver.closure()
        #expect(closure.closeCode == 1000)
        #expect(receiver.closures.count == 1)
    }

    @Test("A server that speaks in the same packet as its acceptance is heard")
    func speaksAtOnce() async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.receiveHead()
            var bytes = Array(ScriptedPeer.acceptance(of: head).utf8)
            WebSocketEncoder(role: .server).append(.text("hello"), mask: 0, to: &bytes)
            try peer.send(bytes)
            try peer.waitForEnd()
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
        #expect(try await receiver.messages(1) == [.text("hello")])
        opened.channel.close(code: 1000, reason: "")
    }
}
