import Foundation
import GlassesDomain
import GlassesNet
import GlassesRealtime
import Testing

@testable import GlassesGateway

/// Clients of Gemini Live at a gateway, over real sockets.
@Suite("Clients of Gemini Live", .serialized, .timeLimit(.minutes(5)))
struct GeminiFaceTests {
    static let method = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
    private static let token = "client-token-12345"

    private static func url(_ rig: GatewayRig, _ path: String = method) -> String { rig.base.dropLast(3) + path }

    private func open(_ rig: GatewayRig, setup: JSONValue = [:]) async throws -> SocketClient {
        let client = try await SocketClient.open(url: Self.url(rig), headers: ["x-goog-api-key": Self.token])
        let members: [String: JSONValue] = ["model": "models/live", "outputAudioTranscription": [:]]
        client.send(["setup": .object((setup.objectValue ?? [:]).merging(members) { given, _ in given })])
        return client
    }

    private func rig(_ change: (inout GatewayConfiguration) throws -> Void = { _ in }) throws -> GatewayRig {
        try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: Self.token)
            try change(&configuration)
        }
    }

    /// The messages up to the end of a turn.
    private func turn(_ client: SocketClient) async throws -> [JSONValue] {
        var messages: [JSONValue] = []
        while messages.last?["serverContent"]?["turnComplete"] != true, messages.last?["toolCall"] == nil {
            messages.append(try await client.event())
        }
        return messages
    }

    private func words(_ messages: [JSONValue]) -> String {
        messages.compactMap { $0["serverContent"]?["outputTranscription"]?["text"]?.stringValue }.joined()
    }

    private static func say(_ text: String) -> JSONValue {
        let turn: JSONValue = ["role": "user", "parts": [["text": .string(text)]]]
        return ["clientContent": ["turns": [turn], "turnComplete": true]]
    }

    @Test("a typed turn is spoken, and the session is counted like every other one")
    func typed() async throws {
        let rig = try rig()
        let client = try await open(rig)
        #expect(try await client.event()["setupComplete"]?["sessionId"]?.stringValue?.hasPrefix("sess_") == true)
        client.send(Self.say("hello"))
        let messages = try await turn(client)
        #expect(words(messages) == "You said hello.")
        let audio = messages.compactMap {
            $0["serverContent"]?["modelTurn"]?["parts"]?.arrayValue?.first?["inlineData"]?["mimeType"]?.stringValue
        }
        #expect(Set(audio) == ["audio/pcm;rate=24000"])
        client.close()
        _ = try await rig.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
        #expect(rig.events.count { if case .sessionStarted = $0 { true } else { false } } == 1)
    }

    @Test("a spoken turn at 16 kHz is heard, and its words come with the turn")
    func spoken() async throws {
        let rig = try rig()
        let client = try await open(rig, setup: ["inputAudioTranscription": [:]])
        #expect(try await client.event()["setupComplete"] != nil)
        let samples = Sound.silence(ms: 300) + Sound.speech(ms: 800)
        let thirds = samples.indices.filter { $0 % 3 != 2 }.map { samples[$0] }
        let audio = Data(PCMBlock(samples: thirds, sampleRate: 16_000).littleEndianBytes).base64EncodedString()
        client.send(["realtimeInput": ["audio": ["mimeType": "audio/pcm;rate=16000", "data": .string(audio)]]])
        client.send(["realtimeInput": ["audioStreamEnd": true]])
        var messages = try await turn(client)
        #expect(words(messages) == "You said hello there.")
        let isHeard = { (message: JSONValue) in
            message["serverContent"]?["inputTranscription"] == ["text": "hello there", "finished": true]
        }
        while !messages.contains(where: isHeard) { messages.append(try await client.event()) }
        let activity = messages.compactMap { $0["voiceActivity"]?["voiceActivityType"]?.stringValue }
        #expect(activity == ["ACTIVITY_START", "ACTIVITY_END"])
    }

    @Test("a call is answered and spoken about")
    func call() async throws {
        let rig = try rig()
        let declaration: JSONValue = [
            "name": "sum", "parameters": ["type": "OBJECT", "properties": ["x": ["type": "INTEGER"]]],
        ]
        let client = try await open(rig, setup: ["tools": [["functionDeclarations": [declaration]]]])
        #expect(try await client.event()["setupComplete"] != nil)
        client.send(Self.say("call"))
        let call = try #require(try await turn(client).last?["toolCall"]?["functionCalls"]?.arrayValue?.first)
        #expect(call["name"] == "sum" && call["args"] == ["x": 1])
        let response: JSONValue = ["id": call["id"] ?? .null, "name": "sum", "response": ["output": "two"]]
        client.send(["toolResponse": ["functionResponses": [response]]])
        #expect(words(try await turn(client)) == "sum gave two.")
    }

    @Test("who presents no key, or asks at another path, is refused before the upgrade")
    func refused() async throws {
        let rig = try rig()
        for (path, headers, status) in [
            (Self.method, [:], 401), (Self.method, ["x-goog-api-key": "wrong"], 401),
            ("/ws/vendor.Service.Method", ["x-goog-api-key": Self.token], 404),
        ] as [(String, [String: String], Int)] {
            let failure = await #expect(throws: WebSocketOpenFailure.self) {
                _ = try await SocketClient.open(url: Self.url(rig, path), headers: headers)
            }
            #expect(failure?.refusal?.status == status)
        }
    }

    @Test(
        "what cannot be read, or comes before the setup, closes with a reason",
        arguments: [
            ("no JSON", 1_007), (#"{"clientContent":{"turns":7}}"#, 1_007), (#"{"realtimeInput":{"text":"a"}}"#, 1_007),
            (#"{"setup":{"model":"models/m","sessionResumption":{"handle":"h"}}}"#, 1_008),
            (#"{"setup":{"model":"models/m","generationConfig":{"maxOutputTokens":-1}}}"#, 1_007),
        ] as [(String, UInt16)])
    func closed(_ text: String, _ code: UInt16) async throws {
        let rig = try rig()
        let client = try await SocketClient.open(url: Self.url(rig), headers: ["x-goog-api-key": Self.token])
        client.send(text)
        #expect(try await client.closure().closeCode == code)
    }

    @Test("a client of the OpenAI protocol holds its conversation through a relay to Gemini Live")
    func relayed() async throws {
        let served = try rig()
        let upstream = Upstream(
            url: Self.url(served), host: "127.0.0.1", model: "live", key: Self.token, keyHeader: .googleKey,
            certificateAuthority: nil, capabilities: .init(), dialect: .gemini)
        let relay = try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: "front-token-12345")
            configuration.upstreams = Upstreams(models: ["fast": upstream], defaultModel: nil)
        }
        let client = try await SocketClient.open(
            relay.base, query: "model=fast", headers: ["Authorization": "Bearer front-token-12345"])
        #expect(try await client.event()["type"] == "session.created")
        client.send([
            "type": "session.update",
            "session": ["type": "realtime", "audio": ["input": ["transcription": ["model": "whisper-1"]]]],
        ])
        try await client.next("session.updated")
        client.say("hello")
        let typed = try await client.events(until: "response.done")
        #expect(Self.words(typed) == "You said hello.")
        #expect(typed.contains { $0["type"] == "response.output_audio.delta" })
        client.speak()
        let spoken = try await client.events(until: "response.done")
        #expect(Self.words(spoken) == "You said hello there.")
        let order = ["input_audio_buffer.speech_started", "input_audio_buffer.committed", "response.created"]
        #expect(spoken.compactMap { $0["type"]?.stringValue }.filter(order.contains) == order)
        client.close()
        _ = try await served.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
    }

    private static func words(_ events: [JSONValue]) -> String? {
        events.last { $0["type"] == "response.output_audio_transcript.done" }?["transcript"]?.stringValue
    }
}
