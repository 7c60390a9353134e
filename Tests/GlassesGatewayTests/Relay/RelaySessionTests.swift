import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket
import NetworkLab
import Testing

@testable import GlassesGateway

/// Sessions through the gateway to a scripted upstream, over real sockets on both sides.
@Suite("Relayed sessions", .serialized, .timeLimit(.minutes(5)))
struct RelaySessionTests {
    private static let key = "sk-operator-key-12345"
    private static let token = "client-token-12345"
    private let headers = ["Authorization": "Bearer \(token)"]

    private func rig(
        _ url: String, _ capabilities: Upstream.Capabilities = .init(), dialect: Upstream.Dialect = .openAI,
        _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) throws -> GatewayRig {
        let upstream = Upstream(
            url: url + "/realtime?model=theirs", host: "127.0.0.1", model: "theirs", key: Self.key,
            keyHeader: .authorization, certificateAuthority: nil, capabilities: capabilities, dialect: dialect)
        return try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: Self.token)
            configuration.upstreams = Upstreams(models: ["fast": upstream], defaultModel: nil)
            change(&configuration)
        }
    }

    private func open(_ rig: GatewayRig, subprotocols: [String] = []) async throws -> SocketClient {
        try await SocketClient.open(
            rig.base, query: "model=fast", headers: subprotocols.isEmpty ? headers : [:], subprotocols: subprotocols)
    }

    @Test("an upstream of the beta dialect gets its own names, and the client those of the protocol")
    func beta() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url, dialect: .beta)
        let client = try await open(rig)
        #expect(try await client.event()["type"] == "session.created")
        let connection = try await upstream.connection()
        #expect(upstream.arrivals.first?.headers["openai-beta"] == "realtime=v1")
        client.send(#"{"type":"session.update","session":{"type":"realtime","output_modalities":["audio"]}}"#)
        let update = try JSONValue(jsonText: try await connection.message())
        #expect(update["session"] == ["modalities": ["audio", "text"]])
        let audio = #"{"type":"input_audio_buffer.append","audio":"AAAA"}"#
        client.send(audio)
        #expect(try await connection.message() == audio)
        connection.send([
            "type": "response.audio.delta", "event_id": "e", "response_id": "r", "item_id": "i", "output_index": 0,
            "content_index": 0, "delta": "AAEC",
        ])
        #expect(try await client.event()["type"] == "response.output_audio.delta")
        client.close()
        #expect(try await connection.closure().closeCode == 1_000)
    }

    @Test("both sides get what the other one says, byte for byte, and each its own key only")
    func bothWays() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig, subprotocols: ["realtime", "openai-insecure-api-key.\(Self.token)"])
        #expect(try await client.event()["event_id"] == "up_1")
        let connection = try await upstream.connection()
        let odd = #"{ "type" : "input_audio_buffer.append" ,"audio":"AAAA", "x":1.50 }"#
        client.send(odd)
        #expect(try await connection.message() == odd)
        client.send(#"{"type":"session.update","session":{"type":"realtime","model":"fast"}}"#)
        #expect(try JSONValue(jsonText: try await connection.message())["session"]?["model"] == "theirs")
        connection.send(["type": "vendor.event", "event_id": "up_2", "n": [1, 2]])
        #expect(try await client.event() == ["type": "vendor.event", "event_id": "up_2", "n": [1, 2]])
        let arrival = try #require(upstream.arrivals.first)
        #expect(arrival.authorization == ["Bearer \(Self.key)"])
        #expect(arrival.query == ["model": "theirs"])
        #expect(arrival.subprotocols == ["realtime"])
        #expect(!arrival.headers.values.contains { $0.contains(Self.token) })
        #expect(client.subprotocol == "realtime")
        client.close()
        #expect(try await connection.closure().closeCode == 1_000)
    }

    @Test("the order of audio and events is kept in both directions")
    func order() async throws {
        let upstream = try ScriptedUpstream { event, connection in connection.send(event) }
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        for index in 0..<300 {
            let type = index % 10 == 9 ? "input_audio_buffer.commit" : "input_audio_buffer.append"
            client.send([
                "type": .string(type), "n": .int(Int64(index)), "audio": .string(String(repeating: "A", count: 4_096)),
            ])
        }
        for index in 0..<300 { #expect(try await client.event()["n"]?.intValue == Int64(index)) }
        client.close()
    }

    @Test(
        "a refusal of the upstream is answered before the upgrade, without its words",
        arguments: [
            (401, 502, "upstream_auth"), (403, 502, "upstream_auth"), (429, 429, "upstream_rate_limit"),
            (503, 503, "upstream_unavailable"), (500, 502, "upstream_refused"),
        ])
    func refused(_ status: Int, _ answered: Int, _ code: String) async throws {
        let body =
            #"{"error":{"message":"Incorrect key \#(Self.key)","code":"invalid_api_key","type":"x","param":null}}"#
        let upstream = try ScriptedUpstream(
            .refuse(status: status, headers: ["Retry-After": "7", "X-Debug": Self.key], body: body))
        let rig = try rig(upstream.url)
        let refusal = try await SocketClient.refusal(rig.base, query: "model=fast", headers: headers)
        #expect(refusal.status == answered)
        #expect(refusal.code == code)
        #expect(refusal.refusal.fields.first("Retry-After") == ([429, 503].contains(answered) ? "7" : nil))
        #expect(!String(decoding: refusal.refusal.body, as: UTF8.self).contains(Self.key))
        #expect(!refusal.refusal.fields.all.contains { $0.value.contains(Self.key) })
        let event = try await rig.waitForEvent { if case .upstreamRefused = $0 { true } else { false } }
        guard case .upstreamRefused(let model, let host, let closure) = event else { return }
        #expect(model == "fast")
        #expect(host == "127.0.0.1")
        #expect(closure.httpStatus == status)
        var text = ""
        dump(event, to: &text)
        #expect(!text.contains(Self.key))
    }

    @Test("an upstream that nobody serves is a bad gateway")
    func unreachable() async throws {
        let rig = try rig("ws://127.0.0.1:1/v1")
        let refusal = try await SocketClient.refusal(rig.base, query: "model=fast", headers: headers)
        #expect(refusal.status == 502)
        #expect(refusal.code == "upstream_unreachable")
    }

    @Test("an upstream that never answers is a gateway time-out after 10 s, and no session of it is left")
    func silent() async throws {
        let listener = try #require(LoopbackListener())
        let rig = try rig("ws://127.0.0.1:\(listener.port)/v1") { $0.maximumSessions = 1 }
        let start = ContinuousClock.now
        let refusal = try await SocketClient.refusal(rig.base, query: "model=fast", headers: headers)
        #expect(refusal.status == 504)
        #expect(refusal.code == "upstream_timeout")
        #expect(ContinuousClock.now - start >= .seconds(9))
        let client = try await SocketClient.open(rig.base, query: "model=local", headers: headers)
        try await client.next("session.created")
        client.close()
    }

    @Test("the death of the upstream in mid-answer is told by an error event and 1011")
    func death() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        let connection = try await upstream.connection()
        connection.send(["type": "response.created", "event_id": "up_2", "response": ["id": "r"]])
        try await client.next("response.created")
        connection.channel.close(code: 1_011, reason: "keepalive \(Self.key)")
        let error = try await client.next("error")["error"]
        #expect(error?["code"] == "upstream_lost")
        let closure = try await client.closure()
        #expect(closure.closeCode == 1_011)
        #expect(!String(describing: closure).contains(Self.key))
    }

    @Test(
        "an end that the upstream wants is passed on with its code",
        arguments: [1_000, 1_001, 1_013, 4_000] as [UInt16])
    func end(_ code: UInt16) async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        try await upstream.connection().channel.close(code: code, reason: "TYPE.CODE")
        #expect(try await client.closure().closeCode == code)
    }

    @Test("a key that the upstream quotes in an event does not reach the client")
    func quotedKey() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        let message = "Incorrect API key provided: \(Self.key), \(Self.key)."
        try await upstream.connection().send(["type": "error", "error": ["message": .string(message)]])
        let event = try await client.next("error")
        let stars = String(repeating: "*", count: Self.key.count)
        #expect(event["error"]?["message"]?.stringValue == "Incorrect API key provided: \(stars), \(stars).")
        client.close()
    }

    @Test("an event that the upstream lacks is answered by the gateway, and the others reach it")
    func capabilities() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url, Upstream.Capabilities(truncate: false))
        let client = try await open(rig)
        try await client.next("session.created")
        client.send([
            "type": "conversation.item.truncate", "event_id": "mine", "item_id": "i", "content_index": 0,
            "audio_end_ms": 1,
        ])
        #expect(try await client.next("error")["error"]?["event_id"] == "mine")
        client.send(["type": "conversation.item.delete", "item_id": "i"])
        let message = try await upstream.connection().message()
        #expect(try JSONValue(jsonText: message)["type"] == "conversation.item.delete")
        client.close()
    }

    @Test("an upstream whose voice stands on top gets and gives it there, and the client knows nothing of it")
    func voiceOnTop() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url, Upstream.Capabilities(nestedVoice: false))
        let client = try await open(rig)
        try await client.next("session.created")
        client.send(["type": "session.update", "session": ["audio": ["output": ["voice": "Ara"]]]])
        let connection = try await upstream.connection()
        let message = try JSONValue(jsonText: try await connection.message())
        #expect(message["session"] == ["voice": "Ara"])
        connection.send(["type": "session.updated", "session": ["voice": "Ara"]])
        #expect(try await client.next("session.updated")["session"] == ["audio": ["output": ["voice": "Ara"]]])
        client.close()
    }

    @Test("an event that is longer than clients receive is replaced by an error")
    func tooLong() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        let connection = try await upstream.connection()
        connection.send(["type": "long", "audio": .string(String(repeating: "A", count: 9 << 20))])
        #expect(try await client.next("error")["error"]?["code"] == "event_too_large")
        client.close()
    }

    @Test("a client's secret configures the upstream's session before the client says anything")
    func clientSecret() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let made = try await PlainRequest.send(
            rig.http + "/realtime/client_secrets", method: "POST", headers: headers,
            body: #"{"session":{"type":"realtime","model":"fast","instructions":"Be brief."}}"#)
        let value = try #require(try made.json()["value"]?.stringValue)
        let client = try await SocketClient.open(
            rig.base, query: "", headers: ["Authorization": "Bearer \(value)"])
        client.send(#"{"type":"response.create"}"#)
        let connection = try await upstream.connection()
        let first = try JSONValue(jsonText: try await connection.message())
        #expect(first["type"] == "session.update")
        #expect(first["session"]?["instructions"] == "Be brief.")
        #expect(first["session"]?["model"] == nil)
        #expect(try await connection.message() == #"{"type":"response.create"}"#)
        client.close()
    }

    @Test("a client that does not read holds the upstream back, and then gets everything in order")
    func slowClient() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        client.channel.pauseReading()
        let connection = try await upstream.connection()
        let padding = JSONValue.string(String(repeating: "A", count: 64 << 10))
        for index in 0..<400 { connection.send(["type": "delta", "n": .int(Int64(index)), "audio": padding]) }
        try await waitForStanding { connection.channel.waitingBytes }
        #expect(connection.channel.waitingBytes > 1 << 20)
        client.channel.resumeReading()
        for index in 0..<400 { #expect(try await client.event()["n"]?.intValue == Int64(index)) }
        client.close()
    }

    @Test("an upstream that does not read holds the client back, and then gets everything in order")
    func slowUpstream() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        let connection = try await upstream.connection()
        connection.channel.pauseReading()
        let padding = String(repeating: "A", count: 64 << 10)
        for index in 0..<400 {
            client.send(#"{"type":"input_audio_buffer.append","n":\#(index),"audio":"\#(padding)"}"#)
        }
        try await waitForStanding { client.channel.waitingBytes }
        #expect(client.channel.waitingBytes > 1 << 20)
        connection.channel.resumeReading()
        for index in 0..<400 { #expect(try await connection.message().contains("\"n\":\(index),")) }
        client.close()
    }

    @Test("a binary message of the client ends its session, and the upstream's with it")
    func binary() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        _ = client.channel.send(.binary([1]), lane: .control)
        #expect(try await client.closure().closeCode == 1_003)
        #expect(try await upstream.connection().closure().closeCode == 1_001)
    }

    @Test("a model that is not listed is refused, and 'local' is served here")
    func models() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let refusal = try await SocketClient.refusal(rig.base, query: "model=other", headers: headers)
        #expect(refusal.status == 404)
        #expect(refusal.code == "model_not_found")
        let client = try await SocketClient.open(rig.base, query: "model=local", headers: headers)
        #expect(try await client.event()["session"]?["model"] == "local")
        client.close()
        #expect(upstream.arrivals.isEmpty)
        let models = try await PlainRequest.send(rig.http + "/models", headers: headers).json()
        #expect(models["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["local", "fast"])
    }

    @Test("sixty relayed sessions need no thread of their own")
    func threads() async throws {
        let upstream = try ScriptedUpstream { event, connection in connection.send(event) }
        let rig = try rig(upstream.url)
        let first = try await open(rig)
        try await first.next("session.created")
        let before = try Self.threadCount()
        var clients: [SocketClient] = []
        for _ in 0..<60 { clients.append(try await open(rig)) }
        for client in clients {
            try await client.next("session.created")
            client.send(["type": "input_audio_buffer.append", "audio": "AAAA"])
            try await client.next("input_audio_buffer.append")
        }
        // Other tests run in this process; a thread for each session would be sixty more.
        #expect(try Self.threadCount() - before < 30)
        for client in clients + [first] { client.close() }
    }

    private static func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    @Test("the end of the gateway closes both sides")
    func shutDown() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try rig(upstream.url)
        let client = try await open(rig)
        try await client.next("session.created")
        await rig.gateway.shutDown()
        #expect(try await client.closure().closeCode == 1_001)
        #expect(try await upstream.connection().closure().closeCode == 1_001)
    }

    /// Waits until a number has not changed for a while: nothing flows any more.
    private func waitForStanding(_ number: () -> Int) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var last = -1
        while ContinuousClock.now < deadline {
            let current = number()
            if current == last, current > 0 { return }
            last = current
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
