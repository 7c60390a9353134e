import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

/// Field bugs A18, A20 and A21: frames in every kind of piece.
struct SplitTests {
    /// A conversation with every kind of frame, with the offset after each frame's first byte.
    private static func conversation() -> (bytes: [UInt8], cuts: [Int]) {
        var bytes: [UInt8] = []
        var cuts: [Int] = []
        let encoder = WebSocketEncoder(role: .server)
        func add(_ opcode: WebSocketOpcode, _ text: String, isFinal: Bool = true) {
            cuts.append(bytes.count + 1)
            encoder.append(opcode, isFinal: isFinal, Array(text.utf8)[...], mask: 0, to: &bytes)
        }
        add(.text, "first")
        add(.ping, "are you there")
        add(.text, #"{"type":"#, isFinal: false)
        add(.pong, "")
        add(.continuation, #""äöü €"}"#, isFinal: false)
        add(.continuation, "")
        add(.binary, String(repeating: "b", count: 300))
        add(.text, "")
        add(.text, String(repeating: "long ", count: 14_000))
        return (bytes, cuts)
    }

    private static let expected: [RealtimeMessage] = [
        .text("first"), .text(#"{"type":"äöü €"}"#), .binary(Array(repeating: UInt8(ascii: "b"), count: 300)),
        .text(""),
        .text(String(repeating: "long ", count: 14_000)),
    ]

    @Test(
        "Whatever pieces the bytes come in, the messages are the same",
        arguments: ["whole", "1", "7", "after each start"])
    func pieces(how: String) async throws {
        let (bytes, cuts) = Self.conversation()
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            switch Int(how) {
            case let size?: try peer.send(bytes, inPiecesOf: size)
            case nil where how == "whole": try peer.send(bytes)
            case nil:
                for (start, end) in zip([0] + cuts, cuts + [bytes.count]) { try peer.send(Array(bytes[start..<end])) }
            }
            try peer.waitForEnd()
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
        #expect(try await receiver.messages(Self.expected.count, within: .seconds(30)) == Self.expected)
        opened.channel.close(code: 1000, reason: "")
    }

    @Test("An event of 3 MB in 16 KB fragments with pings between them arrives, and the next one too")
    func largeEventInFragments() async throws {
        let event = Array(String(repeating: #"{"a":1}"#, count: 440_000).utf8)
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            let socket = ScriptedWebSocket(peer)
            for start in stride(from: 0, to: event.count, by: 16 << 10) {
                let end = min(start + 16 << 10, event.count)
                try socket.send(
                    start == 0 ? .text : .continuation, Array(event[start..<end]), isFinal: end == event.count)
                try socket.send(.ping, [1])
            }
            try socket.send(.text, Array("next".utf8))
            try peer.waitForEnd()
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
        #expect(try await receiver.messages(2, within: .seconds(30)) == [.text(event), .text("next")])
        opened.channel.close(code: 1000, reason: "")
    }

    @Test("A large message over a slow link stays whole while pings are answered between its frames")
    func pongsBetweenFrames() async throws {
        let message = [UInt8](repeating: 0x61, count: 2 << 20)
        let (told, tell) = AsyncStream.makeStream(of: (message: RealtimeMessage?, pongsBefore: Int).self)
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            var decoder = WebSocketDecoder(role: .server, maximumMessage: 4 << 20)
            let socket = ScriptedWebSocket(peer)
            var pongs = 0
            while true {
                try socket.send(.ping, [9])
                var events: [WebSocketEvent] = []
                try decoder.decode(try peer.receive(8 << 10)[...], into: &events)
                for event in events {
                    if case .pong = event { pongs += 1 }
                    if case .message(let received) = event {
                        tell.yield((received, pongs))
                        return
                    }
                }
            }
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
        #expect(opened.channel.send(.binary(message), lane: .control) == .accepted)
        // The server reads whole 8 KiB: what follows fills its last one.
        #expect(opened.channel.send(.binary([UInt8](repeating: 0, count: 16 << 10)), lane: .control) == .accepted)
        var outcomes = told.makeAsyncIterator()
        let outcome = await outcomes.next()
        #expect(outcome?.message == .binary(message))
        #expect((outcome?.pongsBefore ?? 0) > 0)
    }
}
