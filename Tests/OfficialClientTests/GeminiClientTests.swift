import Foundation
import GlassesDomain
import GlassesRealtime
import NetworkLab
import Testing

/// The unmodified Python package `google-genai` holds conversations that nobody wrote down with `glasses gateway` over wss, and reads
/// what we send as a client.
@Suite(.serialized) struct GeminiClientTests {
    @Test(
        "The live client of google-genai calls the right tools in text and in voice over wss",
        .timeLimit(.minutes(6)), arguments: OfficialClientTests.seeds.prefix(1))
    func conversation(_ seed: UInt64) async throws {
        let lab = try await CertificateLab.shared()
        try await OfficialClientTests.withFolder { folder in
            let gateway = try await GatewayProcess(
                key: "key-\(seed)", in: folder,
                arguments: ["--tls-cert", lab.server.certificate, "--tls-key", lab.server.key])
            let plan = ConversationPlan(seed: seed)
            let voice = try await SpokenFile.make(plan.voice.say, in: folder, rate: 16_000)
            let fields = plan.json(
                base: gateway.base, socket: gateway.socket, key: "key-\(seed)", voiceFile: voice,
                interruptionFile: voice)
            // The client makes wss:// of it and adds the path of Gemini Live.
            let origin: JSONValue = .string("https" + gateway.socket.dropFirst(3).dropLast(3))
            let report = try await PythonClient.run(
                "gemini_client", plan: .object((fields.objectValue ?? [:]).merging(["origin": origin]) { $1 }),
                in: folder, variables: ["SSL_CERT_FILE": lab.authority])
            #expect(report.failure == nil)
            #expect(report.exitCode == 0)
            OfficialClientTests.checkCalls(of: report, against: plan, besides: 0)
            OfficialClientTests.checkAnswers(of: report, against: plan)
            #expect(report.facts["voice.audioMs"]?.intValue ?? 0 > 300)
            #expect(report.facts["wrongKey"]?.intValue == 401)
            #expect(report.facts["activity"]?.intValue == 1_007)
            #expect(gateway.stop() == 0)
            let validated = JSONValue.object(report.validated).jsonText
            print("gemini_client, seed \(seed): \(report.facts.jsonText) \(validated)")
        }
    }

    @Test("Every message that we send to Gemini Live is one of the client's own models", .timeLimit(.minutes(2)))
    func models() async throws {
        try await OfficialClientTests.withFolder { folder in
            let sent = SentToGemini.all()
            let report = try await PythonClient.run(
                "gemini_models",
                plan: ["messages": .array(sent.map { .string(String(decoding: $0, as: UTF8.self)) })], in: folder)
            #expect(report.failure == nil)
            #expect(report.exitCode == 0)
            #expect(report.facts["messages"]?.intValue == Int64(sent.count))
            let kinds = Set((report.facts["kinds"]?.arrayValue ?? []).compactMap(\.stringValue))
            #expect(kinds == ["setup", "client_content", "realtime_input", "tool_response"])
            let inputs = Set((report.facts["inputs"]?.arrayValue ?? []).compactMap(\.stringValue))
            #expect(inputs == ["audio", "video", "audio_stream_end", "activity_start", "activity_end"])
        }
    }
}

/// All that the client of a session sends to a server of Gemini Live.
private enum SentToGemini {
    static func all() -> [[UInt8]] { conversation(isManual: false) + conversation(isManual: true) }

    private static func conversation(isManual: Bool) -> [[UInt8]] {
        var machine = GeminiClientMachine(model: "gemini-live", prefix: "t")
        var sent: [[UInt8]] = []
        func apply(_ input: GeminiClientMachine.Input) {
            for case .send(let message) in machine.apply(input) { sent.append(GeminiCodec.encode(message)) }
        }
        apply(.opened)
        for (index, step) in steps(isManual: isManual).enumerated() {
            apply(step)
            if index == 0 { apply(.message(GeminiServerMessage(.setupComplete(sessionId: nil)))) }
        }
        return sent
    }

    private static func steps(isManual: Bool) -> [GeminiClientMachine.Input] {
        let call = FunctionCallItem(name: "weather", arguments: #"{"city":"Rome"}"#, callId: "c0")
        let picture = ContentPart.inputImage(url: "data:image/jpeg;base64,/9j/", detail: nil)
        let created: [ConversationItem] = [
            .userText("Hello"), .assistantText("Good day."), ConversationItem(body: .functionCall(call)),
            .functionOutput(callId: "c0", output: "sunny"),
            ConversationItem(body: .message(MessageItem(role: .user, content: [picture]))),
            ConversationItem(body: .message(MessageItem(role: .user, content: [.inputText("Look"), picture]))),
        ]
        var said: [ClientEvent] = [.sessionUpdate(update(isManual: isManual))]
        said += created.map { .conversationItemCreate(ItemCreation(item: $0)) }
        said += [
            .inputAudioBufferAppend(audio: [UInt8](repeating: 1, count: 9_600)), .inputAudioBufferCommit,
            .responseCreate(nil),
        ]
        let wanted = GeminiFunctionCall(id: "c1", name: "weather", arguments: ["city": "Rome"])
        let result = ConversationItem.functionOutput(callId: "c1", output: "rainy")
        return said.map { .event(Identified($0, eventId: nil)) } + [
            .message(GeminiServerMessage(.toolCall([wanted]))),
            .event(Identified(.conversationItemCreate(ItemCreation(item: result)), eventId: nil)),
            .event(Identified(.responseCreate(nil), eventId: nil)),
        ]
    }

    private static func update(isManual: Bool) -> SessionUpdate {
        var update = SessionUpdate()
        update.instructions = "Be brief."
        update.output.voice = "Puck"
        update.maxOutputTokens = .tokens(100)
        update.reasoning = Reasoning(effort: "low")
        update.input.transcription = .set(Transcription())
        update.input.turnDetection =
            isManual ? .clear : .set(.serverVAD(ServerVAD(threshold: 0.8, interruptResponse: false)))
        let schema: JSONValue = ["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]]
        update.tools = [.function(FunctionTool(name: "weather", description: "The weather.", parameters: schema))]
        return update
    }
}
