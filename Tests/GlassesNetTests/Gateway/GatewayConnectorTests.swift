import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

struct GatewayConnectorTests {
    /// A server that tells each upgrade request and then echoes.
    private static func server() throws -> (server: ScriptedServer, heads: AsyncStream<String>) {
        let (heads, tell) = AsyncStream.makeStream(of: String.self)
        let server = try ScriptedServer { peer in
            tell.yield(try peer.acceptUpgrade(["Sec-WebSocket-Protocol: realtime"]))
            try peer.echo()
        }
        return (server, heads)
    }

    private static func endpoint(
        _ url: String, token: (@Sendable () async throws -> String)? = nil
    ) throws -> GatewayEndpoint {
        GatewayEndpoint(url: try #require(URL(string: url)), token: token, proxy: .none)
    }

    @Test("The base URL becomes the endpoint with the model, and the token goes into the header")
    func request() async throws {
        let (server, heads) = try Self.server()
        defer { server.stop() }
        let endpoint = try Self.endpoint("http://127.0.0.1:\(server.port)/v1?region=eu", token: { "tok-1" })
        let connector = GatewayConnector.make(endpoint)
        #expect(connector.providerName == "127.0.0.1")
        #expect(connector.audioDestination.contains("127.0.0.1:\(server.port)"))
        let connection = try await connector.connect(RealtimeRequest(model: "gpt realtime"))
        var iterator = heads.makeAsyncIterator()
        let head = try #require(await iterator.next())
        #expect(head.hasPrefix("GET /v1/realtime?region=eu&model=gpt%20realtime HTTP/1.1\r\n"))
        #expect(ScriptedPeer.value("authorization", in: head) == "Bearer tok-1")
        #expect(ScriptedPeer.value("sec-websocket-protocol", in: head) == "realtime")
        #expect(ScriptedPeer.value("host", in: head) == "127.0.0.1:\(server.port)")
        connection.close(code: 1000, reason: "")
    }

    @Test("A model in the configured URL stays; without a token no header is sent")
    func ownModel() async throws {
        let (server, heads) = try Self.server()
        defer { server.stop() }
        let base = "ws://127.0.0.1:\(server.port)/openai/v1/realtime?model=mine"
        let connector = GatewayConnector.make(try Self.endpoint(base, token: { "" }))
        let connection = try await connector.connect(RealtimeRequest(model: "other"))
        var iterator = heads.makeAsyncIterator()
        let head = try #require(await iterator.next())
        #expect(head.hasPrefix("GET /openai/v1/realtime?model=mine HTTP/1.1\r\n"))
        #expect(ScriptedPeer.value("authorization", in: head) == nil)
        connection.close(code: 1000, reason: "")
    }

    @Test("Header fields of the endpoint are sent, and a deployment in the URL stands for the model")
    func headers() async throws {
        let (server, heads) = try Self.server()
        defer { server.stop() }
        var endpoint = try Self.endpoint(
            "ws://127.0.0.1:\(server.port)/openai?api-version=2025-10-01&deployment=mine")
        endpoint.headers = [GatewayHeader("api-key", "key-1"), GatewayHeader("X-Region", "west europe")]
        let connector = GatewayConnector.make(endpoint)
        let connection = try await connector.connect(RealtimeRequest(model: "other"))
        var iterator = heads.makeAsyncIterator()
        let head = try #require(await iterator.next())
        #expect(head.hasPrefix("GET /openai/realtime?api-version=2025-10-01&deployment=mine HTTP/1.1\r\n"))
        #expect(ScriptedPeer.value("api-key", in: head) == "key-1")
        #expect(ScriptedPeer.value("x-region", in: head) == "west europe")
        #expect(ScriptedPeer.value("authorization", in: head) == nil)
        connection.close(code: 1000, reason: "")
    }

    @Test(
        "A header field that cannot be sent fails each connection, and its value is told to nobody",
        arguments: [
            ("api-key", "secret\r\nX-Other: 1"), ("api-key", "secret\u{0}"), ("api-key", ""), ("api-key", "secrét"),
            ("api-key", " secret"), ("api key", "secret"), ("", "secret"), ("Host", "secret"), ("upgrade", "secret"),
            ("Sec-WebSocket-Protocol", "secret"), ("api-key", String(repeating: "s", count: 9_000)),
        ])
    func unusableHeader(name: String, value: String) async throws {
        var endpoint = try Self.endpoint("ws://127.0.0.1:1")
        endpoint.headers = [GatewayHeader(name, value)]
        let connector = GatewayConnector.make(endpoint)
        let closure = await #expect(throws: ConnectionClosure.self) {
            _ = try await connector.connect(RealtimeRequest())
        }
        #expect(closure?.code == "invalid_header")
        #expect(closure?.message.contains("secr") == false)
    }

    @Test("A header field never goes over a network in the clear, and no description holds its value")
    func secretHeader() async throws {
        var endpoint = try Self.endpoint("ws://192.0.2.1/v1")
        let header = GatewayHeader("api-key", "secret")
        endpoint.headers = [header]
        let connector = GatewayConnector.make(endpoint)
        let closure = await #expect(throws: ConnectionClosure.self) {
            _ = try await connector.connect(RealtimeRequest())
        }
        #expect(closure?.code == "insecure_url")
        var dumped = ""
        dump(endpoint, to: &dumped)
        for text in ["\(header)", String(reflecting: header), "\(endpoint)", dumped] {
            #expect(!text.contains("secret"))
        }
    }

    @Test(
        "An endpoint of Gemini Live gets no model in its URL, and the token where it wants it",
        arguments: [
            ("key-1", nil, "x-goog-api-key", "key-1"),
            ("auth_tokens/t1", nil, "authorization", "Token auth_tokens/t1"),
            ("key-1", .bearer, "authorization", "Bearer key-1"),
            ("key-1", .header("api-key"), "api-key", "key-1"),
        ] as [(String, GatewayTokenField?, String, String)])
    func geminiRequest(_ token: String, _ field: GatewayTokenField?, _ name: String, _ value: String) async throws {
        let (server, heads) = try Self.server()
        defer { server.stop() }
        var endpoint = try Self.endpoint("ws://127.0.0.1:\(server.port)", token: { token })
        (endpoint.dialect, endpoint.tokenField) = (.gemini, field)
        var options = GatewayConnectorOptions()
        options.adapter = { _, open, receiver in try await open(receiver) }
        let connection = try await GatewayConnector.make(endpoint, options: options)
            .connect(RealtimeRequest(model: "live"))
        var iterator = heads.makeAsyncIterator()
        let head = try #require(await iterator.next())
        let path = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
        #expect(head.hasPrefix("GET \(path) HTTP/1.1\r\n"))
        let sent = ["x-goog-api-key", "authorization", "api-key"].filter { ScriptedPeer.value($0, in: head) != nil }
        #expect(sent == [name] && ScriptedPeer.value(name, in: head) == value)
        connection.close(code: 1000, reason: "")
    }

    @Test("Messages of both kinds go both ways, and the end is the last thing told")
    func conversation() async throws {
        let (server, _) = try Self.server()
        defer { server.stop() }
        let connector = GatewayConnector.make(try Self.endpoint(server.webSocketURL))
        let connection = try await connector.connect(RealtimeRequest())
        #expect(connection.send(.text("{}"), lane: .control) == .accepted)
        #expect(connection.send(.binary([1, 2]), lane: .audio) == .accepted)
        var heard: [RealtimeInbound] = []
        for await inbound in connection.inbound {
            heard.append(inbound)
            if heard.count == 2 { connection.close(code: 1000, reason: "") }
        }
        #expect(heard.count == 3)
        #expect(heard.contains(.message(.text("{}"))) && heard.contains(.message(.binary([1, 2]))))
        guard case .closed(let closure)? = heard.last else {
            Issue.record("The end was not told.")
            return
        }
        #expect(closure.closeCode == 1000)
        #expect(connection.send(.text("{}"), lane: .control) == .refused)
    }

    @Test("A connection that nobody holds is closed with 1001")
    func abandoned() async throws {
        let (told, tell) = AsyncStream.makeStream(of: WebSocketEvent?.self)
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            tell.yield(try ScriptedWebSocket(peer).next())
        }
        defer { server.stop() }
        _ = try await GatewayConnector.make(try Self.endpoint(server.webSocketURL)).connect(RealtimeRequest())
        var events = told.makeAsyncIterator()
        #expect(await events.next() == .some(.close(code: 1001, reason: "")))
    }

    @Test("The token is asked for at each connection, and a 401 tells its status")
    func freshToken() async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.receiveHead()
            guard ScriptedPeer.value("Authorization", in: head) == "Bearer token-2" else {
                return try peer.send(ScriptedPeer.answer("401 Unauthorized"))
            }
            try peer.send(ScriptedPeer.acceptance(of: head))
            try peer.echo()
        }
        defer { server.stop() }
        let asked = Mutex(0)
        let endpoint = try Self.endpoint(server.webSocketURL) {
            "token-\(asked.withLock { $0 += 1; return $0 })"
        }
        let connector = GatewayConnector.make(endpoint)
        let closure = await #expect(throws: ConnectionClosure.self) { try await connector.connect(RealtimeRequest()) }
        #expect(closure?.httpStatus == 401)
        let connection = try await connector.connect(RealtimeRequest())
        #expect(asked.withLock { $0 } == 2)
        #expect(server.connections == 2)
        connection.close(code: 1000, reason: "")
    }

    @Test(
        "An address that cannot be used fails each connection before anything is sent",
        arguments: [
            ("ftp://gateway.example/v1", "invalid_url"), ("ws:///v1", "invalid_url"),
            ("wss://user:SECRET@gateway.example", "invalid_url"), ("ws://gateway.example/v1", "insecure_url"),
            ("http://192.0.2.7/v1", "insecure_url"),
        ])
    func unusable(url: String, code: String) async throws {
        let connector = GatewayConnector.make(try Self.endpoint(url, token: { "SECRET" }))
        let closure = await #expect(throws: ConnectionClosure.self) { try await connector.connect(RealtimeRequest()) }
        #expect(closure?.code == code)
        #expect(closure?.message.contains("SECRET") == false)
        #expect(!connector.audioDestination.contains("SECRET"))
    }

    @Test("A token may go over an unencrypted network only when that was allowed")
    func insecureAllowed() async throws {
        var options = GatewayConnectorOptions()
        options.allowsTokenInClearText = true
        options.openTimeout = .seconds(3)
        let endpoint = try Self.endpoint("ws://gateway.hangs.invalid/v1", token: { "t" })
        let connector = GatewayConnector.make(endpoint, options: options)
        let closure = await #expect(throws: ConnectionClosure.self) { try await connector.connect(RealtimeRequest()) }
        #expect(closure?.code == "timeout")
    }

    @Test("A token that fails or never comes ends the attempt within the time for opening, without its own words")
    func brokenToken() async throws {
        struct Secret: Error { let text = "SECRET" }
        var options = GatewayConnectorOptions()
        options.openTimeout = .milliseconds(150)
        let failing = GatewayConnector.make(try Self.endpoint("ws://127.0.0.1:9", token: { throw Secret() }))
        let closure = await #expect(throws: ConnectionClosure.self) { try await failing.connect(RealtimeRequest()) }
        #expect(closure?.code == "token_unavailable")
        #expect(closure?.message.contains("SECRET") == false)
        let hanging = try Self.endpoint("ws://127.0.0.1:9") {
            // It does not care for its cancellation.
            await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            return ""
        }
        let connector = GatewayConnector.make(hanging, options: options)
        let late = await #expect(throws: ConnectionClosure.self) { try await connector.connect(RealtimeRequest()) }
        #expect(late?.code == "token_timeout")
        let attempt = Task { try await GatewayConnector.make(hanging).connect(RealtimeRequest()) }
        attempt.cancel()
        await #expect(throws: CancellationError.self) { try await attempt.value }
    }
}
