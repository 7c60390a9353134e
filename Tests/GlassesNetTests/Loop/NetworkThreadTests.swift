import GlassesDomain
import GlassesNet
import GlassesWebSocket
import Glibc
import NetworkLab
import Synchronization
import Testing

struct NetworkThreadTests {
    @Test("However many connections there are, all are served by one thread")
    func oneThread() async throws {
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            try peer.echo()
        }
        defer { server.stop() }
        let threads = Mutex<Set<UInt>>([])
        let ends = Mutex(0)
        for _ in 0..<40 {
            let receiver = ThreadReceiver { isEnd in
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
                if isEnd { ends.withLock { $0 += 1 } }
            }
            WebSocketClient.open(.to(server), receiver: receiver) { result in
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
                guard case .success(let opened) = result else { return }
                _ = opened.channel.send(.text("hello"), lane: .control)
                receiver.attach(opened.channel)
            }
        }
        try await eventually(within: .seconds(30)) { ends.withLock { $0 } == 40 }
        #expect(threads.withLock { $0.count } == 1)
        try await eventually { server.openConnections == 0 }
    }
}

/// A receiver that closes after the first message and reports each call.
private final class ThreadReceiver: WebSocketReceiver {
    private let report: @Sendable (_ isEnd: Bool) -> Void
    private let channel = Mutex<(any WebSocketChannel)?>(nil)

    init(_ report: @escaping @Sendable (_ isEnd: Bool) -> Void) { self.report = report }

    func attach(_ channel: any WebSocketChannel) { self.channel.withLock { $0 = channel } }

    func received(_ message: RealtimeMessage) {
        report(false)
        channel.withLock { $0 }?.close(code: 1000, reason: "")
    }

    func drained() {}
    func closed(_ closure: ConnectionClosure) { report(true) }
}
