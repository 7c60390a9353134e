import SeededRandom
import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// What leaves the process in each state, counted behind a real socket.
@Suite(.serialized) struct SilentStatesTests {
    /// The value of the samples that nobody may ever see; the others are quiet.
    private static let forbidden: Int16 = 12_000

    /// Everything that a client sent.
    private final class WireRecord: Sendable {
        private struct Storage {
            var bytes = 0
            var samples = 0
            var forbiddenSamples = 0
        }

        private let storage = Mutex(Storage())

        var bytes: Int { storage.withLock { $0.bytes } }
        var samples: Int { storage.withLock { $0.samples } }
        var forbiddenSamples: Int { storage.withLock { $0.forbiddenSamples } }

        func add(bytes count: Int) { storage.withLock { $0.bytes += count } }

        func add(audio: [UInt8]) {
            let samples = PCMBlock.samples(littleEndian: audio)
            // A resampler overshoots and rings; half the value is far above any quiet sample.
            let loud = samples.count { abs(Int($0)) > Int(SilentStatesTests.forbidden) / 2 }
            storage.withLock { storage in
                storage.samples += samples.count
                storage.forbiddenSamples += loud
            }
        }
    }

    /// A server that accepts every session and keeps what the client sends.
    private static func server(_ record: WireRecord) throws -> ScriptedServer {
        try ScriptedServer { peer in
            peer.limit = .seconds(60)
            try peer.acceptUpgrade(["Sec-WebSocket-Protocol: realtime"])
            let socket = ScriptedWebSocket(peer)
            var session = RealtimeSession(id: "sess_1", model: "recorder")
            try socket.send(.text, RealtimeCodec.encode(.sessionCreated(session), eventId: "event_1"))
            while let event = try socket.next() {
                switch event {
                case .message(.text(let text)):
                    record.add(bytes: text.count)
                    switch try RealtimeCodec.decodeClientEvent(text).event {
                    case .inputAudioBufferAppend(let audio): record.add(audio: audio)
                    case .sessionUpdate(let update):
                        if case .success(let changed) = session.applying(update) { session = changed }
                        try socket.send(.text, RealtimeCodec.encode(.sessionUpdated(session), eventId: "event_2"))
                    default: break
                    }
                case .message(.binary(let bytes)): record.add(bytes: bytes.count)
                case .ping, .pong: break
                case .close(let code, _):
                    try socket.sendClose(code)
                    return
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func nothingIsHeardOutsideBecauseTheSocketIsClosedAndNoSampleLeavesFromTheFirstMomentOfSleep() async throws {
        let record = WireRecord()
        let server = try Self.server(record)
        let url = try #require(URL(string: server.webSocketURL + "/v1"))
        let live = try await LiveSession(Extentos.connector(to: GatewayEndpoint(url: url)), starts: false) {
            $0.startActive = false
        }
        let session = live.session
        // Decided block by block, before each is heard: what is loud was spoken when the session had begun to sleep or stop.
        live.microphone.setBackground { [weak session] in
            switch session?.state.current {
            case .idle, .dormant, .activating, .active, .reconnecting, nil: 100
            case .sleeping, .stopping, .stopped: Self.forbidden
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        #expect(session.state.current == .idle)
        #expect(server.connections == 0)
        try await session.start()
        try await Task.sleep(for: .milliseconds(200))
        #expect(session.state.current == .dormant)
        #expect(server.connections == 0)

        var random = SeededGenerator(seed: 3)
        for round in 1...10 {
            let before = record.samples
            try await session.wake()
            #expect(await LiveSession.until(.seconds(10)) { record.samples > before }, "round \(round) sends audio")
            try await Task.sleep(for: .milliseconds(Int64.random(in: 0...60, using: &random)))
            try await session.sleep()
            #expect(await LiveSession.until(.seconds(5)) { server.openConnections == 0 }, "round \(round) closes")
            let bytes = record.bytes
            try await Task.sleep(for: .milliseconds(100))
            #expect(record.bytes == bytes)
            #expect(server.connections == round)
        }
        try await session.wake()
        #expect(await LiveSession.until(.seconds(10)) { server.openConnections == 1 })
        await session.stop()
        #expect(await LiveSession.until(.seconds(5)) { server.openConnections == 0 })
        let bytes = record.bytes
        try await Task.sleep(for: .milliseconds(200))
        #expect(record.bytes == bytes)
        #expect(record.forbiddenSamples == 0)
        #expect(record.samples > 10 * 480)
        print("\(record.bytes) bytes and \(record.samples) samples left in \(server.connections) connections")
        await live.end()
        server.stop()
    }
}
