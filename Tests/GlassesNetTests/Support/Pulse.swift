import Foundation
import Glibc
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Synchronization

/// A second session of the process, whose server speaks every 5 ms: its longest pause shows whether the network thread stood still.
final class Pulse: Sendable {
    private let receiver: PulseReceiver
    private let server: ScriptedServer
    private let channel: any WebSocketChannel

    /// Opens the session and waits for its first beat.
    init() async throws {
        let receiver = PulseReceiver()
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            while !peer.isOver {
                try peer.sendMessage("beat")
                usleep(5_000)
            }
        }
        channel = try await WebSocketClient.open(.to(server), receiver: receiver).channel
        try await eventually { receiver.beats > 0 }
        self.server = server
        self.receiver = receiver
    }

    /// Forgets the pauses so far.
    func restart() { receiver.restart() }

    /// The longest time without a beat since the start, the pause that lasts included.
    var longestPause: Duration { receiver.longestPause }

    /// Ends the session.
    func stop() {
        channel.close(code: 1000, reason: "")
        server.stop()
    }
}

private final class PulseReceiver: WebSocketReceiver {
    private struct State {
        var last = ContinuousClock.now
        var longest = Duration.zero
        var beats = 0
    }

    private let state = Mutex(State())

    var beats: Int { state.withLock { $0.beats } }

    func restart() {
        state.withLock { state in
            state.last = .now
            state.longest = .zero
        }
    }

    var longestPause: Duration { state.withLock { max($0.longest, .now - $0.last) } }

    func received(_ message: RealtimeMessage) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.longest = max(state.longest, now - state.last)
            state.last = now
            state.beats += 1
        }
    }

    func drained() {}
    func closed(_ closure: ConnectionClosure) {}
}
