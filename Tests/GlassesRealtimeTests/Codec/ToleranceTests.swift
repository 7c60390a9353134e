import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct ToleranceTests {
    /// Messages of compatible servers that leave fields out, or fill them oddly.
    static let sparse: [EventExample<ServerEvent>] = [
        EventExample(
            .conversationCreated(ConversationInfo()), #"{"type":"conversation.created","conversation":{}}"#),
        EventExample(.conversationCreated(ConversationInfo()), #"{"type":"conversation.created"}"#),
        EventExample(
            .inputAudioBufferSpeechStarted(SpeechStarted(itemId: "", audioStartMs: 0)),
            #"{"type":"input_audio_buffer.speech_started"}"#),
        EventExample(
            .inputAudioBufferSpeechStopped(SpeechStopped(itemId: "", audioEndMs: 900)),
            #"{"type":"input_audio_buffer.speech_stopped","audio_end_ms":900.0,"item_id":null}"#),
        EventExample(
            .inputAudioBufferCommitted(BufferCommitted(itemId: "i", previousItemId: nil)),
            #"{"type":"input_audio_buffer.committed","item_id":"i","previous_item_id":null}"#),
        EventExample(
            .conversationItemAdded(ItemPlacement(item: .assistantText("a", id: "i"), previousItemId: nil)),
            """
            {"type":"conversation.item.created","item":{"id":"i","type":"message","role":"assistant",
            "content":[{"type":"text","text":"a"}]}}
            """),
        EventExample(
            .responseOutputAudioDelta(
                OutputAudio(place: PartReference(responseId: "r", itemId: "i"), audio: [0, 0])),
            #"{"type":"response.audio.delta","response_id":"r","item_id":"i","delta":"AAA="}"#),
        EventExample(
            .responseOutputAudioDelta(OutputAudio(place: PartReference(responseId: "r", itemId: ""), audio: [])),
            #"{"type":"response.output_audio.delta","response_id":"r"}"#),
        EventExample(
            .responseFunctionCallArgumentsDone(
                FunctionArgumentsDone(
                    call: CallReference(responseId: "r", itemId: "i", callId: "c"), name: "", arguments: "{}")),
            """
            {"type":"response.function_call_arguments.done","response_id":"r","item_id":"i","call_id":"c",
            "arguments":"{}"}
            """),
        EventExample(
            .responseContentPartAdded(
                OutputContentPart(
                    place: PartReference(responseId: "r", itemId: "i"),
                    part: .outputAudio(audio: nil, transcript: ""))),
            """
            {"type":"response.content_part.added","response_id":"r","item_id":"i","part":{"transcript":""}}
            """),
        EventExample(
            .responseCreated(RealtimeResponse(id: "", status: .inProgress)), #"{"type":"response.created"}"#),
        EventExample(
            .responseDone(RealtimeResponse(id: "r", status: .completed)),
            #"{"type":"response.done","response":{"id":"r"}}"#),
        EventExample(
            .responseDone(RealtimeResponse(id: "r", status: .completed)),
            #"{"type":"response.done","response":{"id":"r","status":"in_progress"}}"#),
        EventExample(
            .inputAudioTranscriptionCompleted(
                TranscriptionCompleted(itemId: "i", transcript: "a", usage: .duration(seconds: 0))),
            """
            {"type":"conversation.item.input_audio_transcription.completed","item_id":"i","transcript":"a"}
            """),
        EventExample(
            .error(RealtimeErrorInfo(message: "Broken.", type: "", code: "oops")),
            #"{"type":"error","error":"Broken.","code":"oops"}"#),
        EventExample(
            .error(RealtimeErrorInfo(message: "", type: "", code: nil)), #"{"type":"error"}"#),
        EventExample(
            .rateLimitsUpdated([RateLimit(name: nil, remaining: 3)]),
            #"{"type":"rate_limits.updated","rate_limits":[{"name":"images","remaining":3}]}"#),
    ]

    @Test(arguments: sparse)
    func aSparseServerMessageIsStillItsEvent(_ example: EventExample<ServerEvent>) throws {
        #expect(try RealtimeCodec.decodeServerEvent(Array(example.text.utf8)).event == example.event)
    }

    @Test func aSessionFieldOfTheWrongKindKeepsItsDefaultAndSurvives() throws {
        let text = """
            {"type":"session.created","session":{"type":"realtime","instructions":7,"output_modalities":"audio",
            "audio":{"output":{"speed":"fast","mood":"sunny"}},"vendor":{"a":1}}}
            """
        guard case .sessionCreated(let session) = try RealtimeCodec.decodeServerEvent(Array(text.utf8)).event else {
            throw UnexpectedEvent()
        }
        #expect(session.instructions.isEmpty)
        #expect(session.outputModalities == [.audio])
        #expect(session.output.speed == 1)
        #expect(session.extra == ["instructions": 7, "output_modalities": "audio", "vendor": ["a": 1]])
        #expect(session.output.extra == ["speed": "fast", "mood": "sunny"])
    }

    @Test func fieldsAroundAKnownEventSurvive() throws {
        let text = #"{"type":"input_audio_buffer.cleared","event_id":"e","trace":{"span":"7"}}"#
        let decoded = try RealtimeCodec.decodeServerEvent(Array(text.utf8))
        #expect(decoded == Identified(.inputAudioBufferCleared, eventId: "e", extra: ["trace": ["span": "7"]]))
        #expect(try json(RealtimeCodec.encode(decoded)) == json(text))
    }

    @Test(arguments: ["conversation.item.vanished", "response.shiny.delta", "vendor.thing", "session.closed"])
    func anUnknownServerEventComesBackAsItCame(_ type: String) throws {
        let text = #"{"a":[1,2.5,null,{"b":"\u00e9"}],"event_id":"e7","type":"\#(type)"}"#
        let decoded = try RealtimeCodec.decodeServerEvent(Array(text.utf8))
        #expect(decoded == Identified(.unknown(type: type, raw: try json(text)), eventId: "e7"))
        #expect(try RealtimeCodec.encode(decoded) == Array(json(text).jsonText.utf8))
    }

    @Test(arguments: ["session.start", "input_image_buffer.append"])
    func anUnknownClientEventComesBackAsItCame(_ type: String) throws {
        let text = #"{"event_id":"e7","image":"AAAA","type":"\#(type)"}"#
        let decoded = try RealtimeCodec.decodeClientEvent(Array(text.utf8))
        #expect(decoded == Identified(.unknown(type: type, raw: try json(text)), eventId: "e7"))
        #expect(RealtimeCodec.encode(decoded) == Array(text.utf8))
    }
}
