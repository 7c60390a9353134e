import Foundation
import GlassesDomain
import GlassesNet
import GlassesTesting
import NetworkLab
import Synchronization
import Testing

@_spi(ExtentosTools) @testable import GlassesRuntime

/// A summary that is asked for at a gateway in another process, which is killed in the middle of it.
@Suite("A gateway that is killed while it summarises", .serialized)
struct KilledSummaryTests {
    @Test("the history stays as it was, and the next gateway's answer shortens it", .timeLimit(.minutes(5)))
    func killed() async throws {
        // An upstream that takes the request and never answers.
        let upstream = try #require(LoopbackListener())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("summary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { print("left: \(folder.path)") } }
        let tokens = try Self.write("token", to: folder.appendingPathComponent("tokens"))
        let model: JSONValue = ["url": .string("http://127.0.0.1:\(upstream.port)/v1"), "model": "m"]
        let file: JSONValue = ["chat": ["models": ["gpt-4o-mini": model]]]
        let upstreams = try Self.write(file.jsonText, to: folder.appendingPathComponent("upstreams"))
        let gateway = try GatewayProcess(["--token-file", tokens])
        let url = try await gateway.start(["--upstream", upstreams])

        let clock = ManualClock()
        let provider = ScriptedProvider()
        let device = SimulatedDevice(clock: clock.port)
        var ports = RuntimePorts(
            clock: clock.port, loadTransport: { .success(device) }, connector: provider.connector,
            speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }), seed: { 7 })
        ports.chat = try GatewayChat.make(GatewayEndpoint(url: url, token: { "token" }, proxy: .none))
        let glasses = DefaultExtentosGlasses(config: ExtentosConfig(logLevel: .warn), ports: ports)
        let log = Lines(glasses)
        _ = await glasses.connect()
        var config = AssistantConfig(provider: .managed())
        config.startActive = true
        config.silenceTimeout = nil
        config.historyCap = 10
        let session = glasses.assistant.createSession(config: config)
        try await session.start()
        for number in 0..<9 { session.appendHistory(.userText(text: "number \(number)", timestampMs: 1)) }
        let before = session.conversationHistory()

        #expect(await LiveSession.until(.seconds(60)) { Self.isReached(upstream) })
        gateway.kill()
        #expect(await LiveSession.until(.seconds(60)) { log.contains("history.not_compacted") })
        #expect(session.conversationHistory() == before)
        #expect(session.state.current == .active)

        // The next one has no model that writes, which is no failure.
        try await gateway.start()
        clock.advance(by: .seconds(31))
        session.appendHistory(.userText(text: "number 9", timestampMs: 1))
        #expect(await LiveSession.until(.seconds(60)) { session.conversationHistory().count < 9 })
        guard case .assistantText(let summary, _)? = session.conversationHistory().first else {
            Issue.record("there is no summary")
            return
        }
        #expect(summary.contains("number 0"))
        await session.stop()
        await glasses.shutdown()
        #expect(gateway.end() == 0)
    }

    private static func isReached(_ listener: LoopbackListener) -> Bool {
        var waiting = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) == 1
    }

    private static func write(_ text: String, to file: URL) throws -> String {
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    /// The log lines of glasses.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        init(_ glasses: DefaultExtentosGlasses) {
            let events = glasses.runtime.events
            Task { [weak self] in
                for await case .log(_, let message, _) in events { self?.lines.withLock { $0.append(message) } }
            }
        }

        func contains(_ line: String) -> Bool { lines.withLock { $0.contains(line) } }
    }
}
