import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

extension ExclusiveTests {
    struct LargeMessageTests {
        @Test("A message of 16 MiB comes back whole", arguments: LinkKind.allCases)
        func largeEcho(kind: LinkKind) async throws {
            let (server, lab) = try await kind.server { peer in
                try peer.acceptUpgrade()
                try peer.echo()
            }
            defer { server.stop() }
            let receiver = TestReceiver()
            var bytes = Array(repeating: UInt8(7), count: 16 << 20)
            for index in stride(from: 0, to: bytes.count, by: 4_093) { bytes[index] = UInt8(truncatingIfNeeded: index) }
            let opened = try await WebSocketClient.open(.to(server, lab: lab), receiver: receiver)
            #expect(opened.channel.send(.binary(bytes), lane: .control) == .accepted)
            let received = try await receiver.messages(1, within: .seconds(60))
            #expect(received == [.binary(bytes)])
            #expect(opened.channel.waitingBytes == 0)
            #expect(receiver.drains == 1)
            opened.channel.close(code: 1000, reason: "")
            _ = try await receiver.closure()
        }

        @Test(
            "Messages up to the limit of 64 MiB are taken, fragmented or not", .timeLimit(.minutes(2)),
            arguments: [8 << 20, 21 << 20, 63 << 20], [false, true])
        func sizes(size: Int, fragmented: Bool) async throws {
            let body = [UInt8](repeating: 0x62, count: size)
            let server = try ScriptedServer { peer in
                peer.limit = .seconds(60)
                try peer.acceptUpgrade()
                let socket = ScriptedWebSocket(peer)
                if fragmented {
                    try socket.send(.binary, Array(body[..<(size / 2)]), isFinal: false)
                    try socket.send(.continuation, Array(body[(size / 2)...]))
                } else {
                    try socket.send(.binary, body)
                }
                try peer.waitForEnd()
            }
            defer { server.stop() }
            let receiver = TestReceiver()
            let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
            let received = try await receiver.messages(1, within: .seconds(60))
            #expect(received == [.binary(body)])
            opened.channel.close(code: 1000, reason: "")
        }

        @Test("A message of 65 MiB in fragments ends the connection with 1009, which the server is told")
        func tooLarge() async throws {
            let (told, tell) = AsyncStream.makeStream(of: WebSocketEvent?.self)
            let server = try ScriptedServer { peer in
                peer.limit = .seconds(60)
                try peer.acceptUpgrade()
                let socket = ScriptedWebSocket(peer)
                let piece = [UInt8](repeating: 0x62, count: 5 << 20)
                for part in 0..<13 { try socket.send(part == 0 ? .binary : .continuation, piece, isFinal: part == 12) }
                tell.yield(try socket.next())
            }
            defer { server.stop() }
            let receiver = TestReceiver()
            _ = try await WebSocketClient.open(.to(server), receiver: receiver)
            let closure = try await receiver.closure(within: .seconds(60))
            #expect(closure.closeCode == 1009)
            #expect(receiver.messages.isEmpty)
            var answers = told.makeAsyncIterator()
            guard case .close(code: 1009, _)?? = await answers.next() else {
                Issue.record("The server was not told.")
                return
            }
        }
    }
}
