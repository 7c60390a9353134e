import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

/// A receiver that pauses its channel after the first message.
private final class PausingReceiver: WebSocketReceiver {
    private struct State {
        var channel: (any WebSocketChannel)?
        var received = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    var received: Int { state.withLock { $0.received } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func attach(_ channel: any WebSocketChannel) { state.withLock { $0.channel = channel } }

    func received(_ message: RealtimeMessage) {
        let channel = state.withLock { state in
            state.received += 1
            return state.channel
        }
        channel?.pauseReading()
    }

    func drained() {}
    func closed(_ closure: ConnectionClosure) { state.withLock { $0.isClosed = true } }
}

extension ExclusiveTests {
    struct BackPressureTests {
        private static let blockSize = 32 << 10

        /// What the kernel may hold of one TCP connection over loopback, in bytes.
        private static func kernelBuffers() throws -> Int {
            try ["tcp_rmem", "tcp_wmem"].reduce(0) { sum, name in
                let text = try String(contentsOfFile: "/proc/sys/net/ipv4/\(name)", encoding: .utf8)
                return sum + (text.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0)
            }
        }

        @Test(
            "A paused reader gets one message at a time, also of those that TLS has decrypted already",
            arguments: LinkKind.allCases)
        func oneByOne(kind: LinkKind) async throws {
            let (server, lab) = try await kind.server { peer in
                let head = try peer.receiveHead()
                // All in one TLS record: after the first message the others wait inside the TLS library, and the socket stays silent.
                var bytes = Array(ScriptedPeer.acceptance(of: head).utf8)
                try peer.send(bytes)
                _ = try ScriptedWebSocket(peer).next()
                bytes = []
                for number in 0..<50 {
                    WebSocketEncoder(role: .server).append(.text("\(number)"), mask: 0, to: &bytes)
                }
                try peer.send(bytes)
                try peer.waitForEnd()
            }
            defer { server.stop() }
            let receiver = PausingReceiver()
            let opened = try await WebSocketClient.open(.to(server, lab: lab), receiver: receiver)
            receiver.attach(opened.channel)
            _ = opened.channel.send(.text("ready"), lane: .control)
            var seen = 0
            while seen < 50 {
                try await eventually { receiver.received > seen }
                seen = receiver.received
                opened.channel.resumeReading()
            }
            #expect(seen == 50)
            opened.channel.close(code: 1000, reason: "")
            try await eventually { receiver.isClosed }
        }

        @Test(
            "A session that does not read holds its server back, and loses nothing when it reads on",
            arguments: LinkKind.allCases)
        func slowReader(kind: LinkKind) async throws {
            let sent = Mutex(0)
            let kernel = try Self.kernelBuffers()
            let total = (kernel + (16 << 20)) / Self.blockSize
            let (server, lab) = try await kind.server { peer in
                peer.limit = .seconds(60)
                try peer.acceptUpgrade()
                let socket = ScriptedWebSocket(peer)
                for number in 0..<total {
                    var block = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.blockSize)
                    block[0] = UInt8(number >> 8)
                    try socket.send(.binary, block)
                    sent.withLock { $0 = number + 1 }
                }
                try peer.waitForEnd()
            }
            defer { server.stop() }
            var endpoint = GatewayEndpoint(url: URL(string: server.webSocketURL)!, proxy: .none)
            endpoint.authorities = lab?.authority
            let connection = try await GatewayConnector.make(endpoint).connect(RealtimeRequest())
            // The server stops once the queue and the sockets of both sides are full.
            var before = -1
            while true {
                try await Task.sleep(for: .milliseconds(300))
                let now = sent.withLock { $0 }
                if now == before { break }
                before = now
            }
            #expect(before < total)
            #expect(before * Self.blockSize < kernel + (4 << 20))
            var count = 0
            for await inbound in connection.inbound {
                guard case .message(.binary(let block)) = inbound else { break }
                #expect(block[1] == UInt8(truncatingIfNeeded: count) && block[0] == UInt8(count >> 8))
                count += 1
                if count == total { break }
            }
            #expect(count == total)
            connection.close(code: 1000, reason: "")
        }

        @Test("A body that is not read holds the server back, and arrives whole when it is")
        func backPressure() async throws {
            let sent = Mutex(0)
            let total = 64 << 20
            let server = try ScriptedServer { peer in
                peer.limit = .seconds(60)
                _ = try peer.receiveHead()
                try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
                let block = [UInt8](repeating: 5, count: 64 << 10)
                for number in 1...(total / block.count) {
                    try peer.send(block)
                    sent.withLock { $0 = number * block.count }
                }
            }
            defer { server.stop() }
            let request = HTTPRequest("GET", try #require(URL(string: server.httpURL)))
            let response = try await HTTPClient(settings: NetworkSettings(proxy: .none)).send(request)
            var before = -1
            while true {
                try await Task.sleep(for: .milliseconds(300))
                let now = sent.withLock { $0 }
                if now == before { break }
                before = now
            }
            #expect(before < total)
            var received = 0
            for try await piece in response.body { received += piece.count }
            #expect(received == total)
        }

        @Test("A session that is flooded does not keep another one waiting", arguments: LinkKind.allCases)
        func flood(kind: LinkKind) async throws {
            let (server, lab) = try await kind.server { peer in
                try peer.acceptUpgrade()
                let socket = ScriptedWebSocket(peer)
                let block = [UInt8](repeating: 1, count: Self.blockSize)
                while !peer.isOver { try socket.send(.binary, block) }
            }
            defer { server.stop() }
            let flooded = CountingReceiver()
            let opened = try await WebSocketClient.open(.to(server, lab: lab), receiver: flooded)
            let pulse = try await Pulse()
            defer { pulse.stop() }
            pulse.restart()
            try await Task.sleep(for: .milliseconds(700))
            #expect(pulse.longestPause < SilentServerTests.stall)
            #expect(flooded.count > 10)
            opened.channel.close(code: 1000, reason: "")
        }
    }
}

/// A receiver that keeps nothing.
private final class CountingReceiver: WebSocketReceiver {
    private let received = Atomic(0)
    var count: Int { received.load(ordering: .relaxed) }
    func received(_ message: RealtimeMessage) { received.add(1, ordering: .relaxed) }
    func drained() {}
    func closed(_ closure: ConnectionClosure) {}
}
