import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct BetaNamesTests {
    static let names: [(beta: String, modern: String)] = [
        ("response.text.delta", "response.output_text.delta"),
        ("response.text.done", "response.output_text.done"),
        ("response.audio.delta", "response.output_audio.delta"),
        ("response.audio.done", "response.output_audio.done"),
        ("response.audio_transcript.delta", "response.output_audio_transcript.delta"),
        ("response.audio_transcript.done", "response.output_audio_transcript.done"),
        ("conversation.item.created", "conversation.item.added"),
        ("transcription_session.updated", "session.updated"),
    ]

    @Test(arguments: names)
    func aBetaNameMeansItsModernEvent(_ beta: String, _ modern: String) throws {
        let examples = serverEventTable.filter { $0.event.type == modern }
        #expect(!examples.isEmpty)
        for example in examples {
            var message = try #require(try json(example.text).objectValue)
            message["type"] = .string(beta)
            let decoded = try RealtimeCodec.decodeServerEvent(Array(JSONValue.object(message).jsonText.utf8))
            #expect(decoded == Identified(example.event, eventId: "e1"))
        }
    }

    @Test func aBetaUpdateMapsItsFlatFields() throws {
        let update = try sessionUpdate(
            """
            {"type":"session.update","session":{"modalities":["text","audio"],"voice":"alloy","speed":1.1,
            "input_audio_format":"g711_ulaw","output_audio_format":"g711_alaw","temperature":0.8,
            "input_audio_transcription":{"model":"whisper-1"},"input_audio_noise_reduction":{"type":"far_field"},
            "turn_detection":null,"max_response_output_tokens":"inf"}}
            """)
        var expected = SessionUpdate(type: .realtime)
        expected.outputModalities = [.audio]
        expected.output.voice = "alloy"
        expected.output.speed = 1.1
        expected.input.format = .pcmu
        expected.output.format = .pcma
        expected.input.transcription = .set(Transcription(model: "whisper-1"))
        expected.input.noiseReduction = .set(NoiseReduction(type: "far_field"))
        expected.input.turnDetection = .clear
        expected.maxOutputTokens = .unlimited
        expected.extra = ["temperature": 0.8]
        #expect(update == expected)
    }

    @Test func aBetaTextSessionStaysText() throws {
        let update = try sessionUpdate(#"{"type":"session.update","session":{"modalities":["text"]}}"#)
        #expect(update.outputModalities == [.text])
    }

    @Test func aModernUpdateWithoutTypeIsNotTakenForABetaOne() throws {
        let update = try sessionUpdate(#"{"type":"session.update","session":{"instructions":"Hi."}}"#)
        #expect(update.type == nil)
    }

    @Test func aBetaTranscriptionUpdateIsOfTranscriptionType() throws {
        let update = try sessionUpdate(
            #"{"type":"transcription_session.update","session":{"input_audio_format":"pcm16"}}"#)
        #expect(update.type == .transcription)
        #expect(update.input.format == .standard)
    }

    @Test func aBetaSessionOfAServerIsReadWhole() throws {
        let text = """
            {"type":"session.created","event_id":"e","session":{"id":"s","object":"realtime.session","model":"m",
            "modalities":["audio","text"],"voice":"Ara","turn_detection":{"type":"none"},
            "input_audio_format":"pcm16"}}
            """
        guard case .sessionCreated(let session) = try RealtimeCodec.decodeServerEvent(Array(text.utf8)).event else {
            throw UnexpectedEvent()
        }
        var expected = RealtimeSession(id: "s", model: "m")
        expected.output.voice = "Ara"
        expected.input.turnDetection = nil
        #expect(session == expected)
    }

    @Test func betaContentNamesMeanOutputOfTheAssistantAndInputOfOthers() throws {
        let text = """
            {"type":"response.done","event_id":"e","response":{"id":"r","status":"completed","output":[
            {"type":"message","role":"assistant","content":[{"type":"text","text":"a"},{"type":"audio",
            "transcript":"b"}]},{"type":"message","role":"user","content":[{"type":"text","text":"c"}]}]}}
            """
        guard case .responseDone(let response) = try RealtimeCodec.decodeServerEvent(Array(text.utf8)).event else {
            throw UnexpectedEvent()
        }
        #expect(
            response.output.map(\.body) == [
                .message(
                    MessageItem(
                        role: .assistant, content: [.outputText("a"), .outputAudio(audio: nil, transcript: "b")])),
                .message(MessageItem(role: .user, content: [.inputText("c")])),
            ])
    }

    @Test func aBetaResponseCreateMapsItsFlatFields() throws {
        let text = """
            {"type":"response.create","response":{"modalities":["audio","text"],"voice":"alloy",
            "output_audio_format":"pcm16","max_response_output_tokens":50}}
            """
        guard case .responseCreate(let parameters?) = try RealtimeCodec.decodeClientEvent(Array(text.utf8)).event
        else { throw UnexpectedEvent() }
        var expected = ResponseParameters()
        expected.outputModalities = [.audio]
        expected.voice = "alloy"
        expected.audioFormat = .standard
        expected.maxOutputTokens = .tokens(50)
        #expect(parameters == expected)
    }

    private func sessionUpdate(_ text: String) throws -> SessionUpdate {
        guard case .sessionUpdate(let update) = try RealtimeCodec.decodeClientEvent(Array(text.utf8)).event else {
            throw UnexpectedEvent()
        }
        return update
    }
}
