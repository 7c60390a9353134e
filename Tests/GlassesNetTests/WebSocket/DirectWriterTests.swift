import Dispatch
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

extension ExclusiveTests {
    struct DirectWriterTests {
        @Test(
            "A message to a plain socket arrives while the network thread is held up by another connection's receiver")
        func busyNetworkThread() async throws {
            let arrived = Mutex(false)
            let server = try ScriptedServer { peer in
                try peer.acceptUpgrade()
                if try ScriptedWebSocket(peer).next() == .message(.text("direct")) { arrived.withLock { $0 = true } }
                try peer.waitForEnd()
            }
            defer { server.stop() }
            let greeter = try ScriptedServer { peer in
                try peer.acceptUpgrade()
                try peer.sendMessage("hello")
                try peer.waitForEnd()
            }
            defer { greeter.stop() }
            let sender = try await WebSocketClient.open(.to(server), receiver: TestReceiver())
            let holder = HoldingReceiver()
            let held = try await WebSocketClient.open(.to(greeter), receiver: holder)
            defer { holder.letGo() }
            try await eventually { holder.isHolding }
            #expect(sender.channel.send(.text("direct"), lane: .audio) == .accepted)
            try await eventually { arrived.withLock { $0 } }
            #expect(holder.isHolding)
            #expect(sender.channel.waitingBytes == 0)
            holder.letGo()
            sender.channel.close(code: 1000, reason: "")
            held.channel.close(code: 1000, reason: "")
        }

        @Test(
            "What several senders send arrives whole and each one's messages in order, though the peer reads late",
            arguments: LinkKind.allCases)
        func severalSenders(kind: LinkKind) async throws {
            let (senders, count, size) = (4, 120, 16 << 10)
            let seen = Mutex<[[UInt8]]>([])
            let begins = DispatchSemaphore(value: 0)
            let (server, lab) = try await kind.server { peer in
                peer.limit = .seconds(60)
                try peer.acceptUpgrade()
                begins.wait()
                let socket = ScriptedWebSocket(peer)
                for _ in 0..<senders * count {
                    guard case .message(.binary(let bytes))? = try socket.next() else { return }
                    let isWhole = bytes.count == size && Set(bytes[2...]).count == 1
                    seen.withLock { $0.append(isWhole ? Array(bytes[..<2]) : []) }
                }
                try peer.waitForEnd()
            }
            defer { server.stop() }
            var limits = WebSocketLimits.client
            limits.controlBytes = 2 * senders * count * size
            let opened = try await WebSocketClient.open(.to(server, lab: lab, limits: limits), receiver: TestReceiver())
            await withTaskGroup(of: Void.self) { group in
                for sender in 0..<senders {
                    group.addTask {
                        for number in 0..<count {
                            var bytes = [UInt8](repeating: UInt8(sender ^ number), count: size)
                            (bytes[0], bytes[1]) = (UInt8(sender), UInt8(number))
                            #expect(opened.channel.send(.binary(bytes), lane: .control) == .accepted)
                        }
                    }
                }
            }
            // The kernel holds less than all of it, so that both ways of writing were used.
            #expect(opened.channel.waitingBytes > 0)
            begins.signal()
            try await eventually(within: .seconds(60)) { seen.withLock { $0.count } == senders * count }
            for sender in 0..<senders {
                let numbers = seen.withLock { $0.filter { $0.first == UInt8(sender) }.map { $0[1] } }
                #expect(numbers == (0..<count).map { UInt8($0) })
            }
            try await eventually { opened.channel.waitingBytes == 0 }
            opened.channel.close(code: 1000, reason: "")
        }
    }
}

/// A receiver that holds the network thread from its first message until it is let go.
private final class HoldingReceiver: WebSocketReceiver {
    private let holding = Mutex(false)
    private let release = DispatchSemaphore(value: 0)

    var isHolding: Bool { holding.withLock { $0 } }

    func letGo() { release.signal() }

    func received(_ message: RealtimeMessage) {
        holding.withLock { $0 = true }
        release.wait()
        holding.withLock { $0 = false }
    }

    func drained() {}
    func closed(_ closure: ConnectionClosure) {}
}
