import GlassesDomain
import GlassesNet
import GlassesWebSocket
import Glibc
import NetworkLab
import Testing

extension ExclusiveTests {
    /// Servers that stop answering once the connection is open.
    struct SilentSessionTests {
        private static func limits(_ change: (inout WebSocketLimits) -> Void) -> WebSocketLimits {
            var limits = WebSocketLimits.client
            change(&limits)
            return limits
        }

        @Test("A server that gives no sign of life is asked, and lost when it stays silent")
        func noPong() async throws {
            let pulse = try await Pulse()
            defer { pulse.stop() }
            let (told, tell) = AsyncStream.makeStream(of: WebSocketEvent?.self)
            let server = try ScriptedServer { peer in
                try peer.acceptUpgrade()
                tell.yield(try ScriptedWebSocket(peer).next())
                peer.hang()
            }
            defer { server.stop() }
            let limits = Self.limits { ($0.pingInterval, $0.pongTimeout) = (.milliseconds(150), .milliseconds(150)) }
            let receiver = TestReceiver()
            pulse.restart()
            _ = try await WebSocketClient.open(.to(server, limits: limits), receiver: receiver)
            let closure = try await receiver.closure()
            #expect(closure.code == "keep_alive_timeout")
            #expect(closure.closeCode == 1006)
            var events = told.makeAsyncIterator()
            #expect(await events.next() == .some(.ping([])))
            #expect(pulse.longestPause < SilentServerTests.stall)
            try await eventually { server.openConnections == 0 }
        }

        @Test("A server that answers pings, or sends anything else, is never lost", arguments: [true, false])
        func alive(answersPings: Bool) async throws {
            let server = try ScriptedServer { peer in
                try peer.acceptUpgrade()
                if answersPings { return try peer.echo() }
                while !peer.isOver {
                    try peer.sendMessage("alive")
                    usleep(20_000)
                }
            }
            defer { server.stop() }
            let limits = Self.limits { ($0.pingInterval, $0.pongTimeout) = (.milliseconds(60), .milliseconds(600)) }
            let receiver = TestReceiver()
            let opened = try await WebSocketClient.open(.to(server, limits: limits), receiver: receiver)
            try await Task.sleep(for: .milliseconds(1_500))
            #expect(receiver.closures.isEmpty)
            #expect(opened.channel.send(.text("on"), lane: .control) == .accepted)
            opened.channel.close(code: 1000, reason: "")
        }

        @Test("A server that does not answer a close is dropped when the time for it is over")
        func noClose() async throws {
            let pulse = try await Pulse()
            defer { pulse.stop() }
            let server = try ScriptedServer { peer in
                try peer.acceptUpgrade()
                peer.hang()
            }
            defer { server.stop() }
            let receiver = TestReceiver()
            let limits = Self.limits { $0.close = .milliseconds(200) }
            let opened = try await WebSocketClient.open(.to(server, limits: limits), receiver: receiver)
            pulse.restart()
            let start = ContinuousClock.now
            opened.channel.close(code: 1000, reason: "bye")
            opened.channel.close(code: 1001, reason: "again")
            let closure = try await receiver.closure()
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(closure.code == "close_unanswered")
            #expect(receiver.closures.count == 1)
            #expect(opened.channel.send(.text("late"), lane: .control) == .refused)
            #expect(pulse.longestPause < SilentServerTests.stall)
            try await eventually { server.openConnections == 0 }
        }

        @Test(
            "A session whose server falls silent before its first event, or inside a message, is closed without delay",
            arguments: [false, true])
        func silentInside(midAnswer: Bool) async throws {
            let pulse = try await Pulse()
            defer { pulse.stop() }
            let server = try ScriptedServer { peer in
                try peer.acceptUpgrade()
                if midAnswer { try peer.send([0x81, 126, 10, 0] + Array(repeating: 0x61, count: 1_000)) }
                // It answers the close and nothing else.
                let socket = ScriptedWebSocket(peer)
                while let event = try socket.next() {
                    guard case .close(let code, _) = event else { continue }
                    if midAnswer { return }
                    try socket.sendClose(code)
                    return
                }
            }
            defer { server.stop() }
            let receiver = TestReceiver()
            let limits = Self.limits { $0.close = .seconds(30) }
            let opened = try await WebSocketClient.open(.to(server, limits: limits), receiver: receiver)
            pulse.restart()
            try await Task.sleep(for: .milliseconds(30))
            let start = ContinuousClock.now
            opened.channel.close(code: 1000, reason: "")
            _ = try await receiver.closure()
            #expect(ContinuousClock.now - start < .seconds(5))
            #expect(receiver.messages.isEmpty)
            #expect(pulse.longestPause < SilentServerTests.stall)
        }

        @Test("Microphone audio that cannot leave for too long loses the connection; so does too much of anything else")
        func stalledUplink() async throws {
            let server = try ScriptedServer(receiveBuffer: 64 << 10) { peer in
                try peer.acceptUpgrade()
                peer.hang()
            }
            defer { server.stop() }
            let block = RealtimeMessage.binary([UInt8](repeating: 1, count: 64 << 10))
            let receiver = TestReceiver()
            let limits = Self.limits { $0.audioAge = .milliseconds(300) }
            let opened = try await WebSocketClient.open(.to(server, limits: limits), receiver: receiver)
            // More than the sockets of both sides hold.
            for _ in 0..<200 { _ = opened.channel.send(block, lane: .audio) }
            #expect(try await receiver.closure().code == "uplink_stalled")
            #expect(opened.channel.waitingBytes == 0)

            let other = TestReceiver()
            let small = Self.limits { $0.controlBytes = 16 << 20 }
            let second = try await WebSocketClient.open(.to(server, limits: small), receiver: other)
            var refused = 0
            for _ in 0..<2_000 where second.channel.send(block, lane: .control) == .refused { refused += 1 }
            #expect(refused > 0)
            #expect(try await other.closure().code == "send_queue_full")
        }
    }
}
