import Foundation
import GlassesDomain
import NetworkLab
import TestProcess
import Testing

/// `glasses talk` and `glasses doctor` with a `glasses gateway`, as people run them.
@Suite(.serialized) struct TalkOverGatewayTests {
    private static let token = "lab-token-1"

    private func glasses(
        _ arguments: [String], token: String? = nil, url: String? = nil
    ) async throws -> TestProcess.Outcome {
        var process = TestProcess(GatewayProcess.programs.appendingPathComponent("glasses").path, arguments)
        process.environment = ["EXTENTOS_GATEWAY_TOKEN": token, "EXTENTOS_GATEWAY_URL": url, "NO_COLOR": nil]
        process.limit = .seconds(90)
        return try await process.run()
    }

    /// A file that only its owner can read.
    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return path
    }

    private func events(_ outcome: TestProcess.Outcome) throws -> [JSONValue] {
        try outcome.lines.map { try JSONValue(jsonText: $0) }
    }

    private func expectConversation(_ outcome: TestProcess.Outcome, at host: String) throws {
        #expect(outcome.code == 0, "\(outcome.errors) \(outcome.output.suffix(2_000))")
        let events = try events(outcome)
        let named = { (name: String) in events.filter { $0["event"]?.stringValue == name } }
        #expect(named("userSpoke").map { $0["transcript"] } == ["what time is it", "set a timer for five minutes"])
        #expect(named("toolCalled").map { $0["name"] } == ["get_time", "set_timer"])
        #expect(named("toolCalled").last?["args"] == ["seconds": 300])
        #expect(named("assistantAudioFinished").count == named("assistantAudioStarted").count)
        #expect(named("ready").first?["gateway"]?.stringValue == host)
        #expect(named("ready").first?["recogniser"] == .null)
        #expect(named("ready").first?["audioDestination"]?.stringValue?.contains(host) == true)
        #expect(events.last?["errors"] == 0)
    }

    private static let lines = ["--say", "what time is it", "--type", "set a timer for five minutes"]

    @Test(.timeLimit(.minutes(3)))
    func aConversationIsHeldOverAPlainWebSocket() async throws {
        let gateway = try GatewayProcess()
        let url = try await gateway.start()
        let host = "127.0.0.1:\(gateway.port)"
        let talk = ["talk", "--device", "null", "--json"] + Self.lines
        try expectConversation(try await glasses(talk + ["--gateway", url.absoluteString]), at: host)
        try expectConversation(try await glasses(talk, url: url.absoluteString), at: host)
        let readable = try await glasses(
            ["talk", "--device", "null", "--type", "what time is it"], url: url.absoluteString)
        #expect(readable.output.contains("Audio goes to a gateway on this machine, \(host), unencrypted."))

        let well = try await glasses(["doctor", "--gateway", url.absoluteString, "--json"])
        #expect(well.code == 0, "\(well.output)")
        let report = try JSONValue(jsonText: well.output)
        #expect(report["ok"] == true)
        #expect(
            report["checks"]?.arrayValue?.map { $0["check"] } == [
                "URL", "name", "port", "upgrade", "first event", "session.update", "close",
            ])
        #expect(gateway.end() == 0)

        let gone = try await glasses(talk + ["--gateway", url.absoluteString])
        #expect(gone.code == 4)
        #expect(gone.errors.contains("Try: glasses doctor --gateway \(url.absoluteString)"), "\(gone.errors)")
        let ill = try await glasses(["doctor", "--gateway", url.absoluteString])
        #expect(ill.code == 4)
        #expect(ill.output.contains("failed   port: "))
        #expect(ill.output.contains("Nobody listens there"))
    }

    @Test(.timeLimit(.minutes(3)))
    func theSameConversationIsHeldInGeminiLive() async throws {
        let gateway = try GatewayProcess()
        let base = try await gateway.start().absoluteString
        let method = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
        let url = String(base.dropLast("/v1".count)) + method
        let talk = ["talk", "--device", "null", "--json", "--gateway", url, "--model", "local"] + Self.lines
        try expectConversation(try await glasses(talk), at: "127.0.0.1:\(gateway.port)")
        let nameless = try await glasses(["talk", "--device", "null", "--type", "hello", "--gateway", url])
        #expect(nameless.code == 4)
        #expect(nameless.errors.contains("Name one"), "\(nameless.errors)")
        #expect(gateway.end() == 0)
    }

    @Test(.timeLimit(.minutes(3)))
    func aConversationIsHeldOverTLSWithAPrivateAuthorityAndAToken() async throws {
        let lab = try await CertificateLab.shared()
        let tokens = try file(Self.token + "\n")
        let gateway = try GatewayProcess([
            "--tls-cert", lab.server.certificate, "--tls-key", lab.server.key, "--token-file", tokens,
        ])
        let url = try await gateway.start().absoluteString
        #expect(url.hasPrefix("wss://"))
        let talk = ["talk", "--device", "null", "--json", "--gateway", url]
        let trust = ["--ca", lab.authority]
        let host = "127.0.0.1:\(gateway.port)"
        try expectConversation(try await glasses(talk + trust + ["--token-file", tokens] + Self.lines), at: host)
        let well = try await glasses(["doctor", "--gateway", url] + trust, token: Self.token)
        #expect(well.code == 0, "\(well.output)")
        #expect(well.output.contains("ok       TLS: "))
        #expect(well.output.contains("over TLS."))

        let untrusted = try await glasses(talk + ["--type", "hello"], token: Self.token)
        #expect(untrusted.code == 4)
        #expect(untrusted.errors.contains("certificate"), "\(untrusted.errors)")
        let refused = try await glasses(talk + trust + ["--type", "hello"], token: "wr0ng")
        #expect(refused.code == 4)
        #expect(!refused.errors.contains("wr0ng"))
        for (arguments, token, step) in [
            (["--ca", lab.otherAuthority], Self.token, "TLS"), (trust, "wr0ng", "upgrade"), (trust, nil, "upgrade"),
        ] as [([String], String?, String)] {
            let ill = try await glasses(["doctor", "--gateway", url] + arguments, token: token)
            #expect(ill.code == 4)
            #expect(ill.output.contains("failed   \(step): "), "\(ill.output)")
            #expect(!ill.output.contains("wr0ng"))
        }
        gateway.kill()
        unlink(tokens)
    }

    @Test(.timeLimit(.minutes(1)))
    func aTokenFileThatOthersCanReadIsRefusedBeforeAnythingIsSent() async throws {
        let tokens = try file(Self.token)
        chmod(tokens, 0o644)
        let outcome = try await glasses([
            "talk", "--device", "null", "--type", "hello", "--gateway", "ws://127.0.0.1:9", "--token-file", tokens,
        ])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("chmod 600 \(tokens)"))
        #expect(!outcome.errors.contains(Self.token))
        unlink(tokens)
    }
}
