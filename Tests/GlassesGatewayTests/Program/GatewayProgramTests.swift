import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket
import NetworkLab
import TestProcess
import Testing

@testable import GlassesGateway

@Suite("glasses gateway", .serialized, .timeLimit(.minutes(5)))
struct GatewayProgramTests {
    private static let key = "sk-operator-key-12345"
    private static let token = "client-token-12345"

    private func run(_ arguments: [String], environment: [String: String?] = [:]) async throws -> TestProcess.Outcome {
        var process = TestProcess(GatewayProcess.program, ["gateway"] + arguments)
        process.environment = ["EXTENTOS_GATEWAY_TOKENS": nil, "XDG_DATA_HOME": "/nonexistent"]
            .merging(environment) { _, new in new }
        return try await process.run()
    }

    @Test(
        "the first line is where it listens, then come its facts, and both signals end it in order",
        arguments: [SIGTERM, SIGINT])
    func firstLine(_ signal: Int32) async throws {
        let gateway = try GatewayProcess()
        let base = try await gateway.base()
        #expect(gateway.lines.first == "{\"event\":\"listening\",\"url\":\"\(base)\"}")
        #expect(base.wholeMatch(of: /ws:\/\/127\.0\.0\.1:[1-9][0-9]*\/v1/) != nil)
        let ready = try JSONValue(jsonText: try await gateway.line { $0.contains("\"ready\"") })
        #expect(ready["authentication"] == "none")
        #expect(ready["audioDestination"] == "Audio stays on this machine.")
        let client = try await SocketClient.open(base)
        client.say("what can you do")
        try await client.next("response.done")
        client.close()
        try await gateway.line { $0.contains("\"sessionEnded\"") }
        gateway.signal(signal)
        #expect(try await gateway.exitCode() == 0)
        #expect(gateway.lines.last?.contains("\"stopped\"") == true)
        #expect(!gateway.everything.contains("what can you do"))
    }

    @Test("a session that is open at the signal is closed with 1001, and the program ends within its bound")
    func openSession() async throws {
        let gateway = try GatewayProcess(["--drain", "0"])
        let client = try await SocketClient.open(try await gateway.base())
        try await client.next("session.created")
        gateway.signal(SIGTERM)
        #expect(try await client.closure().closeCode == 1_001)
        #expect(try await gateway.exitCode() == 0)
    }

    @Test("a client of a gateway that is killed sees the connection drop")
    func killed() async throws {
        let gateway = try GatewayProcess()
        let client = try await SocketClient.open(try await gateway.base())
        try await client.next("session.created")
        gateway.signal(SIGKILL)
        #expect(try await client.closure().closeCode == 1_006)
        #expect(try await gateway.exitCode() == 128 + SIGKILL)
    }

    @Test("with a certificate it serves wss")
    func tls() async throws {
        let lab = try await CertificateLab.shared()
        let gateway = try GatewayProcess(["--tls-cert", lab.server.certificate, "--tls-key", lab.server.key])
        let base = try await gateway.base()
        #expect(base.hasPrefix("wss://127.0.0.1:"))
        let client = try await SocketClient.open(base, caFile: lab.authority)
        try await client.next("session.created")
        client.close()
        gateway.signal(SIGTERM)
        #expect(try await gateway.exitCode() == 0)
    }

    @Test("neither a token nor an upstream's key is ever printed")
    func secrets() async throws {
        let folder = try PrivateFolder()
        let body = #"{"error":{"message":"Incorrect key \#(Self.key)","code":"invalid_api_key"}}"#
        let refusing = try ScriptedUpstream(.refuse(status: 401, headers: ["X-Debug": Self.key], body: body))
        let good = try ScriptedUpstream()
        let model = { (url: String) in "{\"url\":\"\(url)\",\"model\":\"m\",\"key\":{\"env\":\"UPSTREAM_KEY\"}}" }
        let chat = try ChatUpstreamLab { _ in .error(401, code: "bad", message: "Incorrect key \(Self.key)") }
        let upstreams = try folder.write(
            "{\"models\":{\"bad\":\(model(refusing.url)),\"good\":\(model(good.url))},"
                + "\"chat\":{\"models\":{\"small\":\(model(chat.url))}}}", to: "upstreams.json")
        let tokens = try folder.write(Self.token + "\n", to: "tokens")
        let gateway = try GatewayProcess(
            ["--upstream", upstreams, "--token-file", tokens], environment: ["UPSTREAM_KEY": Self.key])
        let base = try await gateway.base()
        let headers = ["Authorization": "Bearer \(Self.token)"]
        #expect(try await SocketClient.refusal(base, query: "model=bad", headers: headers).status == 502)
        let client = try await SocketClient.open(
            base, query: "model=good", subprotocols: ["realtime", "openai-insecure-api-key.\(Self.token)"])
        try await client.next("session.created")
        try await good.connection().channel.close(code: 1_011, reason: Self.key)
        _ = try await client.closure()
        #expect(try await SocketClient.refusal(base, headers: ["api-key": "wrong-\(Self.token)"]).status == 401)
        try await gateway.line { $0.contains("\"sessionEnded\"") }
        try await gateway.line { $0.contains("\"upstreamRefused\"") && $0.contains("\"bad\"") }
        let answer = try await PlainRequest.send(
            base.replacingOccurrences(of: "ws", with: "http") + "/chat/completions", method: "POST", headers: headers,
            body: #"{"model":"small","messages":[{"role":"user","content":"hello"}]}"#)
        #expect(answer.status == 502)
        #expect(!answer.text.contains(Self.key))
        try await gateway.line { $0.contains("\"upstreamRefused\"") && $0.contains("\"small\"") }
        gateway.signal(SIGTERM)
        #expect(try await gateway.exitCode() == 0)
        #expect(!gateway.everything.contains(Self.key))
        #expect(!gateway.everything.contains(Self.token))
        #expect(good.arrivals.first?.authorization == ["Bearer \(Self.key)"])
        #expect(chat.arrivals.first?.authorization == ["Bearer \(Self.key)"])
        await chat.stop()
    }

    @Test("tokens of the environment are asked for")
    func environmentTokens() async throws {
        let gateway = try GatewayProcess(environment: ["EXTENTOS_GATEWAY_TOKENS": Self.token])
        let base = try await gateway.base()
        #expect(try await SocketClient.refusal(base).status == 401)
        let client = try await SocketClient.open(base, headers: ["Authorization": "Bearer \(Self.token)"])
        try await client.next("session.created")
        client.close()
        gateway.signal(SIGTERM)
        #expect(try await gateway.exitCode() == 0)
    }

    @Test(
        "what must not be started is refused with exit code 2 and a sentence",
        arguments: [
            (["--listen", "0.0.0.0:0"], "is reachable from other machines"),
            (["--listen", "localhost"], "--listen takes ADDRESS:PORT"),
            (["--listen", "example.com:80"], "--listen takes ADDRESS:PORT"),
            (["--tls-cert", "x.pem"], "--tls-cert and --tls-key belong together"),
            (["--token-file", "/nonexistent"], "The token file /nonexistent cannot be read"),
            (["--upstream", "/nonexistent"], "The upstream file /nonexistent cannot be read"),
            (["--allow-origin", "*"], "is no origin"),
            (["--max-sessions", "0"], "--max-sessions takes a number"),
        ])
    func refused(_ arguments: [String], _ sentence: String) async throws {
        let outcome = try await run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("an upstream without tokens is refused")
    func upstreamWithoutTokens() async throws {
        let folder = try PrivateFolder()
        let file = try folder.write(
            #"{"models":{"fast":{"url":"wss://a.example/v1","model":"m"}}}"#, to: "upstreams.json")
        let outcome = try await run(["--upstream", file])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("--token-file"))
    }

    @Test("a port that is taken is refused with exit code 3 and the option that helps")
    func portTaken() async throws {
        let listener = try #require(LoopbackListener())
        let outcome = try await run(["--listen", "127.0.0.1:\(listener.port)"])
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("--listen"))
    }

    @Test("a soft limit of descriptors that is too low for the sessions is raised")
    func descriptors() async throws {
        let script = #"""
            ulimit -Sn 200
            coproc GATEWAY { exec "$0" gateway --listen 127.0.0.1:0; }
            pid=$GATEWAY_PID
            read -r first <&"${GATEWAY[0]}"
            grep "Max open files" "/proc/$pid/limits"
            kill "$pid"
            """#
        var process = TestProcess("/bin/bash", ["-c", script, GatewayProcess.program])
        process.environment = ["EXTENTOS_GATEWAY_TOKENS": nil, "XDG_DATA_HOME": "/nonexistent"]
        let outcome = try await process.run()
        let numbers = outcome.output.split(separator: " ").compactMap { Int($0) }
        #expect(numbers.count == 2)
        let (soft, hard) = (try #require(numbers.first), try #require(numbers.last))
        #expect(soft == min(hard, 256 + 4 * 1_024))
    }

    @Test("without JSON a person reads where it listens, who is let in and where audio goes")
    func person() async throws {
        var process = TestProcess(GatewayProcess.program, ["gateway", "--listen", "127.0.0.1:0"])
        process.environment = ["EXTENTOS_GATEWAY_TOKENS": nil, "XDG_DATA_HOME": "/nonexistent"]
        process.signals = ([SIGTERM], after: "No token is asked for")
        let outcome = try await process.run()
        #expect(outcome.code == 0)
        #expect(outcome.lines.first?.hasPrefix("Listening on ws://127.0.0.1:") == true)
        #expect(outcome.output.contains("Audio stays on this machine."))
        #expect(outcome.lines.last == "Ended.")
    }
}
