import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import HangingNames
import NetworkLab
import Testing

/// Where a server stops answering before the connection is open.
enum SilentPhase: String, CaseIterable, CustomTestStringConvertible {
    case nameLookup, connect, tls, upgrade, halfUpgrade, proxyTunnel
    var testDescription: String { rawValue }
}

/// A server that is silent in one phase, and the request that gets stuck there.
final class SilentServer: Sendable {
    let request: WebSocketRequest
    private let server: ScriptedServer?
    private let listener: FullListener?

    init(_ phase: SilentPhase, openTimeout: Duration = .seconds(10)) throws {
        var url = ""
        var settings = NetworkSettings(proxy: .none)
        (server, listener) =
            switch phase {
            case .nameLookup: (nil, nil)
            case .connect: (nil, try FullListener())
            case .tls: (try ScriptedServer(handshakes: false) { $0.hang() }, nil)
            case .upgrade, .proxyTunnel: (try ScriptedServer { $0.hang() }, nil)
            case .halfUpgrade:
                (
                    try ScriptedServer { peer in
                        _ = try peer.receiveHead()
                        try peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgr")
                        peer.hang()
                    }, nil
                )
            }
        switch phase {
        case .nameLookup: url = "ws://gateway.hangs.invalid:8080"
        case .connect: url = "ws://127.0.0.1:\(listener?.port ?? 0)"
        case .tls, .upgrade, .halfUpgrade: url = server?.webSocketURL ?? ""
        case .proxyTunnel:
            url = "ws://gateway.example"
            settings.proxy = .fixed(Proxy(url: server?.httpURL ?? ""))
        }
        request = WebSocketRequest(
            url: URL(string: url + "/v1/realtime")!, settings: settings, openTimeout: openTimeout)
    }

    func stop() { server?.stop() }
}

extension ExclusiveTests {
    struct SilentServerTests {
        /// What the design promises.
        static let promptly = Duration.milliseconds(100)
        /// A pause that a loaded machine does not explain: a call that blocks waits for seconds.
        static let stall = Duration.seconds(2)
        /// The best of five pauses: a thread that stands still has none as short.
        static let shortPause = Duration.milliseconds(250)

        @Test(
            "An attempt that hangs is cancelled within 100 ms, and no other session stands still",
            arguments: SilentPhase.allCases)
        func cancel(phase: SilentPhase) async throws {
            let pulse = try await Pulse()
            defer { pulse.stop() }
            var fastest = Duration.seconds(60)
            var shortestPause = Duration.seconds(60)
            // A loaded machine may delay one measurement; a call that blocks would delay each of them by seconds.
            for _ in 0..<5 where fastest > Self.promptly || shortestPause > Self.shortPause {
                let silent = try SilentServer(phase)
                defer { silent.stop() }
                let lookups = hanging_names_begun()
                pulse.restart()
                let attempt = TimedAttempt()
                let opening = attempt.open(silent.request)
                try await Task.sleep(for: .milliseconds(60))
                if phase == .nameLookup { try await eventually { hanging_names_begun() > lookups } }
                let start = ContinuousClock.now
                opening.cancel()
                let (closure, end) = try await attempt.failure()
                #expect(closure.code == "cancelled")
                fastest = min(fastest, end - start)
                try await Task.sleep(for: .milliseconds(40))
                shortestPause = min(shortestPause, pulse.longestPause)
                #expect(attempt.endings == 1)
            }
            #expect(fastest <= Self.promptly)
            #expect(shortestPause <= Self.shortPause)
        }

        @Test(
            "An attempt that hangs ends with the code timeout when the time for opening is over",
            arguments: SilentPhase.allCases)
        func timeout(phase: SilentPhase) async throws {
            let pulse = try await Pulse()
            defer { pulse.stop() }
            let silent = try SilentServer(phase, openTimeout: .milliseconds(300))
            defer { silent.stop() }
            pulse.restart()
            let attempt = TimedAttempt()
            _ = attempt.open(silent.request)
            let (closure, end) = try await attempt.failure()
            #expect(closure.code == "timeout")
            #expect(end - attempt.start >= .milliseconds(300))
            #expect(end - attempt.start < .seconds(2))
            #expect(pulse.longestPause < Self.stall)
        }

        @Test("An attempt that is cancelled before it begins does not open anything")
        func cancelledBefore() async throws {
            let server = try ScriptedServer { $0.hang() }
            defer { server.stop() }
            let attempt = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await WebSocketClient.open(.to(server), receiver: TestReceiver())
            }
            await #expect(throws: CancellationError.self) { try await attempt.value }
        }

        @Test("The time for opening is 10 s, for closing 2 s, between pings 20 s")
        func bounds() {
            #expect(WebSocketRequest(url: URL(string: "ws://a")!).openTimeout == .seconds(10))
            #expect(WebSocketLimits.client.close == .seconds(2))
            #expect(WebSocketLimits.client.pingInterval == .seconds(20))
            #expect(WebSocketLimits.client.pongTimeout == .seconds(20))
            #expect(WebSocketLimits.client.inboundMessage == 64 << 20)
        }
    }
}
