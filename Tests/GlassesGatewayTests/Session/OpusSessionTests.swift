import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesServer
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

@testable import GlassesGateway

/// `extentos.opus.v1` between a client and a gateway, over real sockets.
@Suite("Sessions with Opus", .serialized, .timeLimit(.minutes(5)))
struct OpusSessionTests {
    private static let token = "client-token-12345"

    private func relay(_ upstream: ScriptedUpstream) throws -> GatewayRig {
        let target = Upstream(
            url: upstream.url + "/realtime?model=theirs", host: "127.0.0.1", model: "theirs", key: nil,
            keyHeader: .authorization, certificateAuthority: nil, capabilities: .init())
        return try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: Self.token)
            configuration.upstreams = Upstreams(models: ["fast": target], defaultModel: nil)
        }
    }

    private func transcripts(_ events: [JSONValue]) -> [String] {
        events.compactMap { $0["transcript"]?.stringValue }
    }

    private func number(_ events: [JSONValue], _ type: String, _ field: String) -> Int64 {
        events.first { $0["type"] == .string(type) }?[field]?.intValue ?? -1
    }

    private func turn(_ rig: GatewayRig, _ audio: GatewayAudio, caFile: String? = nil) async throws -> (
        events: [JSONValue], wire: OpusClient.Wire
    ) {
        let client = try await OpusClient.open(rig.base, audio, caFile: caFile)
        client.speak()
        let events = try await client.events(until: "response.done")
        client.close()
        return (events, client.wire)
    }

    @Test("a spoken turn has the same words, times and lengths as with PCM, in a sixth of the bytes at most")
    func sameTurn() async throws {
        let rig = try GatewayRig(recognizer: FakeRecognizer("hello there", "hello there"))
        let plain = try await turn(rig, .pcm)
        let coded = try await turn(rig, .opus)
        #expect(transcripts(coded.events) == transcripts(plain.events))
        #expect(!transcripts(coded.events).isEmpty)
        for (type, field) in [
            ("input_audio_buffer.speech_started", "audio_start_ms"),
            ("input_audio_buffer.speech_stopped", "audio_end_ms"),
        ] {
            let (one, other) = (number(coded.events, type, field), number(plain.events, type, field))
            #expect(other >= 0 && abs(one - other) <= 20, "\(field): \(one) and \(other)")
        }
        let (heard, meant) = (speechSamples(in: coded.events), speechSamples(in: plain.events))
        #expect(heard.count == meant.count)
        #expect(!meant.isEmpty)
        let sent = (plain.wire.sent.withLock(\.bytes), coded.wire.sent.withLock(\.bytes))
        let received = (plain.wire.received.withLock(\.bytes), coded.wire.received.withLock(\.bytes))
        print("Opus on the wire: sent \(sent.0) → \(sent.1) bytes, received \(received.0) → \(received.1) bytes")
        #expect(sent.0 > 6 * sent.1)
        #expect(plain.wire.received.withLock(\.binary) == 0)
        #expect(coded.wire.received.withLock(\.binary) > 0)
    }

    @Test("the same over TLS")
    func tls() async throws {
        let lab = try await CertificateLab.shared()
        let rig = try GatewayRig {
            $0.server.tls = TLSFiles(certificate: lab.server.certificate, key: lab.server.key)
        }
        let (events, wire) = try await turn(rig, .opus, caFile: lab.authority)
        #expect(transcripts(events).contains("You said hello there."))
        #expect(wire.sent.withLock(\.binary) > 90)
    }

    @Test("a client that did not ask never gets a binary message, and may not send one")
    func plainClient() async throws {
        let rig = try GatewayRig(recognizer: FakeRecognizer("hello there", "hello there"))
        for offer in [[], ["realtime"]] {
            let client = try await SocketClient.open(rig.base, subprotocols: offer)
            #expect(client.subprotocol == offer.first)
            client.speak()
            // A binary message throws.
            #expect(try await !client.events(until: "response.done").isEmpty)
            _ = client.channel.send(.binary(OpusFrame(stream: 0, start: 0, body: .end).bytes), lane: .control)
            #expect(try await client.closure().closeCode == 1_003)
        }
    }

    @Test("frames that cannot be taken are counted and dropped, and a flood of them ends the session")
    func flood() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base, subprotocols: ["realtime", OpusWire.subprotocol])
        #expect(client.subprotocol == OpusWire.subprotocol)
        for _ in 0..<99 { _ = client.channel.send(.binary([9]), lane: .control) }
        client.send(["type": "session.update", "session": ["type": "realtime", "output_modalities": ["text"]]])
        client.say("good morning")
        try await client.next("response.done")
        // Its stream is bound to nothing.
        _ = client.channel.send(.binary(OpusFrame(stream: 5, start: 0, body: .end).bytes), lane: .control)
        #expect(try await client.closure().closeCode == 1_008)
        let event = try await rig.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
        guard case .sessionEnded(let session, let summary) = event else { return }
        #expect(session.isOpus)
        #expect(summary.droppedFrames == 100)
        let metrics = rig.gateway.registry.metrics.text(isDraining: false, server: nil, process: nil)
        #expect(metrics.contains("extentos_gateway_opus_sessions_total 1\n"))
        #expect(metrics.contains("extentos_gateway_opus_frames_dropped_total 100\n"))
    }

    @Test("an upstream gets and sends base64, with every sample up to a commit, and up to a cut")
    func relayed() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try relay(upstream)
        let client = try await OpusClient.open(rig.base, .opus, model: "fast", token: Self.token)
        _ = try await client.events(until: "session.created")
        let server = try await upstream.connection()
        for _ in 0..<2 {
            // No whole number of packets, in blocks that are none either.
            client.hear(Array(Sound.speech(ms: 2_000).prefix(12_345)), block: 701)
            client.send(["type": "input_audio_buffer.commit"])
            var samples = 0
            while true {
                let message = try JSONValue(jsonText: try await server.message())
                if message["type"] == "input_audio_buffer.commit" { break }
                samples += (Data(base64Encoded: message["audio"]?.stringValue ?? "")?.count ?? 0) / 2
            }
            #expect(samples == 12_345)
        }
        let place: [String: JSONValue] = [
            "event_id": "e", "response_id": "r", "item_id": "i", "output_index": 0, "content_index": 0,
        ]
        func event(_ type: String, _ more: [String: JSONValue]) -> JSONValue {
            .object(place.merging(more.merging(["type": .string(type)]) { $1 }) { $1 })
        }
        server.send(event("response.content_part.added", ["part": ["type": "audio", "transcript": ""]]))
        // 10,000 samples, of which messages cut some in two.
        let bytes = Sound.speech(ms: 1_000).prefix(10_000).flatMap { sample in
            [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        for start in stride(from: 0, to: bytes.count, by: 1_537) {
            let piece = Data(bytes[start..<min(start + 1_537, bytes.count)]).base64EncodedString()
            server.send(event("response.output_audio.delta", ["delta": .string(piece)]))
        }
        server.send(event("response.output_audio.done", [:]))
        server.send(["type": "response.done", "event_id": "d", "response": ["id": "r", "status": "cancelled"]])
        let events = try await client.events(until: "response.done")
        #expect(speechSamples(in: events).count == 10_000)
        #expect(number(events, "response.output_audio.done", "audio_ms") == 416)
        let cut: JSONValue = [
            "type": "conversation.item.truncate", "item_id": "i", "content_index": 0, "audio_end_ms": 416,
        ]
        client.send(cut)
        #expect(try JSONValue(jsonText: try await server.message()) == cut)
        client.close()
    }

    @Test("a part without its audio's end is whole when the response is done")
    func cutOff() async throws {
        let upstream = try ScriptedUpstream { _, server in
            server.send(
                #"{"type":"response.content_part.added","event_id":"a","response_id":"r","item_id":"i","#
                    + #""output_index":0,"content_index":0,"part":{"type":"audio"}}"#)
            let audio = Data(count: 2_002).base64EncodedString()
            server.send(
                #"{"type":"response.output_audio.delta","event_id":"b","response_id":"r","item_id":"i","#
                    + #""output_index":0,"content_index":0,"delta":"\#(audio)"}"#)
            server.send(#"{"type":"response.done","event_id":"c","response":{"id":"r","status":"incomplete"}}"#)
        }
        let rig = try relay(upstream)
        let client = try await OpusClient.open(rig.base, .opus, model: "fast", token: Self.token)
        client.send(["type": "response.create"])
        #expect(speechSamples(in: try await client.events(until: "response.done")).count == 1_001)
        client.close()
    }

    @Test("what the microphone gave last arrives without a commit, when it stops")
    func pause() async throws {
        let upstream = try ScriptedUpstream()
        let rig = try relay(upstream)
        let client = try await OpusClient.open(rig.base, .opus, model: "fast", token: Self.token)
        let server = try await upstream.connection()
        client.hear(Array(Sound.speech(ms: 100).prefix(1_000)), block: 1_000)
        var samples = 0
        while samples < 1_000 {
            let message = try JSONValue(jsonText: try await server.message())
            samples += (Data(base64Encoded: message["audio"]?.stringValue ?? "")?.count ?? 0) / 2
        }
        #expect(samples == 1_000)
        client.close()
    }

    @Test("an endpoint is offered Opus once it has said that it knows it, unless the app wants it otherwise")
    func automatic() async throws {
        let rig = try GatewayRig()
        let (connector, _) = try OpusClient.connector(rig.base, .automatic)
        for _ in 0..<2 {
            let client = OpusClient(try await connector.connect(RealtimeRequest(model: "local")), OpusClient.Wire())
            _ = try await client.events(until: "session.created")
            client.close()
        }
        // One that has never heard of it is never asked.
        let upstream = try ScriptedUpstream()
        let (other, _) = try OpusClient.connector(upstream.url, .automatic)
        for _ in 0..<2 {
            let client = OpusClient(try await other.connect(RealtimeRequest(model: "m")), OpusClient.Wire())
            _ = try await client.events(until: "session.created")
            client.close()
        }
        let isOpus = rig.events.compactMap { event in
            if case .sessionStarted(let session) = event { session.isOpus } else { nil }
        }
        #expect(isOpus == [false, true])
        #expect(upstream.arrivals.map(\.subprotocols) == [["realtime"], ["realtime"]])
    }
}
