import Foundation
import GlassesCore
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import glasses

@Suite("Checkup of a gateway")
struct GatewayCheckupTests {
    private struct Outcome {
        var isWell: Bool
        var findings: [Finding]
        var failure: Finding? { findings.first { $0.level == .failed } }
        var subjects: [String] { findings.map(\.subject) }
    }

    /// Checks up on `provider` at `url`; addresses and ports are real ones of this machine unless they are given.
    private func check(
        _ arguments: [String], provider: ScriptedProvider = ScriptedProvider(),
        name: PortProbe.Failure? = nil, port: PortProbe.Failure? = nil
    ) async throws -> Outcome {
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: DoctorCommand.spec) else {
            throw UsageError("help")
        }
        let ports = GatewayCheckup.Ports(
            addresses: { _, _ in
                name.map(Result.failure) ?? .success([PortProbe.Address(family: 0, bytes: [], text: "192.0.2.1")])
            },
            connect: { list in port.map(Result.failure) ?? .success(list[0]) },
            connector: { _, connected in provider.connector(connected) }, environment: [:],
            answerLimit: .seconds(60))
        let findings = Mutex<[Finding]>([])
        let checkup = GatewayCheckup(options: try GatewayClientOptions(parsed, environment: [:]), ports: ports) {
            finding in
            findings.withLock { $0.append(finding) }
        }
        let isWell = await checkup.run()
        return Outcome(isWell: isWell, findings: findings.withLock { $0 })
    }

    @Test("a gateway that serves passes every step, each with its time, and the connection is closed")
    func passes() async throws {
        let provider = ScriptedProvider()
        let outcome = try await check(["--gateway", "wss://gateway.example/v1"], provider: provider)
        #expect(outcome.isWell, "\(outcome.findings)")
        #expect(
            outcome.subjects == [
                "URL", "name", "port", "TLS", "upgrade", "first event", "session.update", "close",
            ])
        for subject in ["name", "port", "TLS", "upgrade", "first event", "session.update", "close"] {
            #expect(outcome.findings.first { $0.subject == subject }?.milliseconds != nil)
        }
        #expect(provider.openCount == 0)
        #expect(provider.connections.first?.appendedBytes == 0)
    }

    @Test(
        "what the network refuses is told at its step with the next one",
        arguments: [
            (["--gateway", "gateway.example"], nil, nil, "URL", "wss://gateway.example/v1"),
            (["--gateway", "wss://h", "--token-file", "/nonexistent"], nil, nil, "settings", "/nonexistent"),
            (["--gateway", "wss://h"], PortProbe.Failure(sentence: "No address."), nil, "name", "No address."),
            (["--gateway", "wss://h"], nil, PortProbe.Failure(sentence: "Refused."), "port", "Refused."),
        ] as [([String], PortProbe.Failure?, PortProbe.Failure?, String, String)])
    func network(
        _ arguments: [String], _ name: PortProbe.Failure?, _ port: PortProbe.Failure?, _ subject: String, _ text: String
    ) async throws {
        let provider = ScriptedProvider()
        let outcome = try await check(arguments, provider: provider, name: name, port: port)
        #expect(!outcome.isWell)
        #expect(outcome.failure?.subject == subject)
        #expect(outcome.failure?.text.contains(text) == true)
        #expect(outcome.findings.last == outcome.failure)
        #expect(provider.attempts == 0)
    }

    @Test(
        "a refused upgrade says what its status means",
        arguments: [
            ("certificate_refused", nil, nil, "TLS", "refused"), ("proxy_failed", 407, nil, "proxy", "refused"),
            ("refused", 401, nil, "upgrade", "--token-file"), ("refused", 403, nil, "upgrade", "refused"),
            ("refused", 404, nil, "upgrade", "/v1"), ("refused", 429, 6.5, "upgrade", "wait 7 s"),
            ("refused", 429, nil, "upgrade", "refused"), ("refused", 503, nil, "upgrade", "refused"),
            ("refused", 302, nil, "upgrade", "refused"), ("timeout", nil, nil, "upgrade", "refused"),
        ] as [(String, Int?, Double?, String, String)])
    func refused(
        _ code: String, _ status: Int?, _ retryAfter: Double?, _ subject: String, _ text: String
    ) async throws {
        let provider = ScriptedProvider()
        provider.plan([
            .refuse(
                ConnectionClosure(code: code, message: "It refused.", httpStatus: status, retryAfter: retryAfter))
        ])
        let outcome = try await check(["--gateway", "wss://gateway.example/v1"], provider: provider)
        #expect(!outcome.isWell)
        #expect(outcome.failure?.subject == subject)
        #expect(outcome.failure?.text.contains(text) == true, "\(outcome.failure?.text ?? "")")
        #expect(outcome.subjects.contains("TLS") == (subject != "proxy"))
        #expect(outcome.findings.last == outcome.failure)
    }

    @Test("a port that nobody listens at, and a name that does not exist, are told by the real probes")
    func realProbes() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Bound and not listening: nobody else gets the port, and it refuses.
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        #expect(isBound)
        let port = Int(UInt16(bigEndian: address.sin_port))
        let addresses = try await PortProbe.addresses(of: "127.0.0.1", port: port).get()
        #expect(addresses.map(\.text) == ["127.0.0.1"])
        guard case .failure(let refused) = await PortProbe.connect(to: addresses) else {
            Issue.record("The port answered.")
            return
        }
        #expect(refused.sentence.contains("Nobody listens there"))
        #expect(listen(listener, 1) == 0)
        #expect(try await PortProbe.connect(to: addresses).get().text == "127.0.0.1")
        guard case .failure(let unknown) = await PortProbe.addresses(of: "no-such-host.invalid", port: 1) else {
            Issue.record("The name has an address.")
            return
        }
        #expect(unknown.sentence.contains("Check the n"))
    }

    @Test(
        "the way goes through the proxy that the environment names, unless the host is excepted",
        arguments: [
            ("wss://h.example", ["https_proxy": "http://p.example:3128"], "p.example", 3_128, "https_proxy"),
            ("ws://h.example", ["https_proxy": "http://p.example:3128"], "h.example", 80, nil),
            ("ws://h.example", ["http_proxy": "p.example:8"], "p.example", 8, "http_proxy"),
            ("wss://h.example", ["ALL_PROXY": "http://p.example"], "p.example", 1_080, "ALL_PROXY"),
            ("wss://h.example", ["https_proxy": "http://p", "no_proxy": "x, .example"], "h.example", 443, nil),
            ("wss://h.example", ["https_proxy": "http://p", "NO_PROXY": "*"], "h.example", 443, nil),
            ("wss://h.example", ["https_proxy": "http://p:1", "no_proxy": "ample"], "p", 1, "https_proxy"),
        ] as [(String, [String: String], String, Int, String?)])
    func proxy(_ url: String, _ environment: [String: String], _ host: String, _ port: Int, _ variable: String?) throws
    {
        let route = NetworkRoute(to: try GatewayAddress(text: url), environment: environment)
        #expect(route.host == host)
        #expect(route.port == port)
        #expect(route.proxyVariable == variable)
    }
}

extension ScriptedProvider {
    /// The connector, which says of every attempt that reaches the provider that TLS is agreed on.
    fileprivate func connector(_ connected: @escaping @Sendable () -> Void) -> RealtimeConnector {
        var told = connector
        told.connect = { [connector] request in
            do {
                let connection = try await connector.connect(request)
                connected()
                return connection
            } catch let closure as ConnectionClosure {
                if !["certificate_refused", "proxy_failed"].contains(closure.code) { connected() }
                throw closure
            }
        }
        return told
    }
}

@Suite("First words with a gateway")
struct GatewayGreetingTests {
    /// A connection that says what a test tells it to, and nothing by itself.
    private final class QuietConnection: RealtimeConnection {
        let inbound: AsyncStream<RealtimeInbound>
        private let continuation: AsyncStream<RealtimeInbound>.Continuation

        init() { (inbound, continuation) = AsyncStream.makeStream() }

        func say(_ event: ServerEvent) {
            continuation.yield(.message(.text(RealtimeCodec.encode(event, eventId: "event_1"))))
        }

        func say(text: String) { continuation.yield(.message(.text(Array(text.utf8)))) }

        func drop(code: UInt16) {
            continuation.yield(.closed(ConnectionClosure(code: "closed", message: "It ended.", closeCode: code)))
            continuation.finish()
        }

        func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome { .accepted }

        func close(code: UInt16, reason: String) { drop(code: 1000) }
    }

    private func greet(_ prepare: (QuietConnection) -> Void) async -> (isWell: Bool, findings: [Finding]) {
        let connection = QuietConnection()
        prepare(connection)
        let findings = Mutex<[Finding]>([])
        let greeting = GatewayGreeting(connection: connection, answerLimit: .milliseconds(300)) { finding in
            findings.withLock { $0.append(finding) }
        }
        let isWell = await greeting.run()
        return (isWell, findings.withLock { $0 })
    }

    @Test("silence, an error, an end and what is no event each fail the step in which they come")
    func surprises() async {
        let session = RealtimeSession(id: "sess_1", model: "m")
        let cases: [(subject: String, text: String, prepare: (QuietConnection) -> Void)] = [
            ("first event", "did not answer in time", { _ in }),
            (
                "first event", "no_model: Take \"x\".",
                { $0.say(.error(RealtimeErrorInfo(message: "Take\u{1B}[31m \"x\".", code: "no_model"))) }
            ),
            ("first event", "ended the connection. It ended.", { $0.drop(code: 1011) }),
            ("first event", "no event of the protocol", { $0.say(text: "hello") }),
            ("session.update", "did not answer in time", { $0.say(.sessionCreated(session)) }),
            (
                "session.update", "bad_voice",
                {
                    $0.say(.sessionCreated(session))
                    $0.say(.error(RealtimeErrorInfo(message: "No.", code: "bad_voice")))
                }
            ),
        ]
        for (subject, text, prepare) in cases {
            let (isWell, findings) = await greet(prepare)
            #expect(!isWell)
            #expect(findings.last?.subject == subject)
            #expect(findings.last?.level == .failed)
            #expect(findings.last?.text.replacing("[31m", with: "").contains(text) == true, "\(findings)")
            #expect(findings.last?.text.contains("\u{1B}") == false)
        }
    }

    @Test("a close that is not answered cleanly is told")
    func uncleanClose() async {
        let (isWell, findings) = await greet { connection in
            connection.say(.sessionCreated(RealtimeSession(id: "sess_1", model: "m")))
            connection.say(.sessionUpdated(RealtimeSession(id: "sess_1", model: "m")))
            connection.drop(code: 1006)
        }
        #expect(!isWell)
        #expect(findings.map(\.subject) == ["first event", "session.update", "close"])
        #expect(findings.last?.level == .failed)
    }
}
