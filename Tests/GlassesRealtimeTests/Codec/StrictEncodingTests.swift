import GlassesDomain
import GlassesRealtime
import Testing

/// What the strict validators of the official client libraries refuse, and we therefore never send.
@Suite struct StrictEncodingTests {
    private let place = PartReference(responseId: "r", itemId: "i")

    @Test(arguments: serverEventTable)
    func everyServerEventHasAnId(_ example: EventExample<ServerEvent>) throws {
        #expect(try encoded(example.event)["event_id"] == "e")
    }

    @Test func aSessionAlwaysSaysItsTypeAndItsAudioFormats() throws {
        let session = try encoded(.sessionCreated(RealtimeSession()))["session"]
        #expect(session?["type"] == "realtime")
        #expect(session?["audio"]?["input"]?["format"] == ["type": "audio/pcm", "rate": 24_000])
        #expect(session?["audio"]?["output"]?["format"] == ["type": "audio/pcm", "rate": 24_000])
        #expect(session?["audio"]?["input"]?["turn_detection"]?["interrupt_response"] == true)
    }

    @Test func turnDetectionThatIsOffIsNull() throws {
        var session = RealtimeSession()
        session.input.turnDetection = nil
        #expect(try encoded(.sessionUpdated(session))["session"]?["audio"]?["input"]?["turn_detection"] == .null)
    }

    @Test func aContentPartIsCalledAudioOrText() throws {
        let audio = OutputContentPart(place: place, part: .outputAudio(audio: nil, transcript: ""))
        #expect(try encoded(.responseContentPartAdded(audio))["part"]?["type"] == "audio")
        let text = OutputContentPart(place: place, part: .outputText(""))
        #expect(try encoded(.responseContentPartDone(text))["part"] == ["type": "text", "text": ""])
    }

    @Test func contentOfAnAssistantItemIsCalledOutput() throws {
        let parts: [ContentPart] = [.outputText("a"), .outputAudio(audio: nil, transcript: "b")]
        let item = ConversationItem(body: .message(MessageItem(role: .assistant, content: parts)))
        let content = try encoded(.responseOutputItemDone(OutputItem(responseId: "r", item: item)))["item"]?["content"]
        #expect(content?.arrayValue?.map { $0["type"] } == ["output_text", "output_audio"])
    }

    @Test func aMessageWithoutPartsStillHasContent() throws {
        let item = ConversationItem(body: .message(MessageItem(role: .assistant, content: [])))
        let added = ServerEvent.conversationItemAdded(ItemPlacement(item: item, previousItemId: nil))
        #expect(try encoded(added)["item"]?["content"] == [])
        #expect(try encoded(added)["previous_item_id"] == .null)
    }

    @Test func completeArgumentsNameTheirFunction() throws {
        let done = FunctionArgumentsDone(
            call: CallReference(responseId: "r", itemId: "i", callId: "c"), name: "f", arguments: "{}")
        #expect(try encoded(.responseFunctionCallArgumentsDone(done))["name"] == "f")
    }

    @Test func aTranscriptionAlwaysHasItsUsage() throws {
        let sparse = #"{"type":"conversation.item.input_audio_transcription.completed","item_id":"i","transcript":"a"}"#
        let event = try RealtimeCodec.decodeServerEvent(Array(sparse.utf8)).event
        #expect(try encoded(event)["usage"] == ["type": "duration", "seconds": 0.0])
    }

    @Test func speechStartedAlwaysHasItsItemAndOffset() throws {
        let event = try RealtimeCodec.decodeServerEvent(Array(#"{"type":"input_audio_buffer.speech_started"}"#.utf8))
        #expect(
            try encoded(event.event) == [
                "type": "input_audio_buffer.speech_started", "event_id": "e", "item_id": "", "audio_start_ms": 0,
            ])
    }

    @Test func aDeltaAlwaysHasItsResponseItemAndIndices() throws {
        for event in [
            ServerEvent.responseOutputTextDelta(OutputText(place: place, text: "a")),
            .responseOutputAudioDelta(OutputAudio(place: place, audio: [])),
            .responseOutputAudioTranscriptDelta(OutputText(place: place, text: "a")),
        ] {
            let members = try encoded(event).objectValue ?? [:]
            #expect(
                Set(members.keys) == [
                    "type", "event_id", "response_id", "item_id", "output_index", "content_index", "delta",
                ])
        }
    }

    @Test func aCutIsWrittenInWholeMilliseconds() throws {
        let event = ServerEvent.conversationItemTruncated(ItemTruncation(itemId: "i", audioEndMs: 1200))
        #expect(try encoded(event)["audio_end_ms"] == .int(1200))
    }

    @Test(arguments: ResponseStatus.allCases)
    func aResponseHasOneOfFiveStates(_ status: ResponseStatus) throws {
        let names: Set<String> = ["in_progress", "completed", "cancelled", "failed", "incomplete"]
        let response = try encoded(.responseCreated(RealtimeResponse(id: "r", status: status)))["response"]
        #expect(names.contains(try #require(response?["status"]?.stringValue)))
    }

    @Test func aStrangeStatusOfAnUpstreamIsNotPassedOn() throws {
        let text = #"{"type":"response.created","response":{"id":"r","status":"warming_up"}}"#
        let event = try RealtimeCodec.decodeServerEvent(Array(text.utf8)).event
        #expect(try encoded(event)["response"]?["status"] == "in_progress")
    }

    @Test func aStrangeRateLimitNameOfAnUpstreamIsNotPassedOn() throws {
        let text = #"{"type":"rate_limits.updated","rate_limits":[{"name":"images","limit":1}]}"#
        let event = try RealtimeCodec.decodeServerEvent(Array(text.utf8)).event
        #expect(try encoded(event)["rate_limits"] == [["limit": 1]])
    }

    @Test func anErrorAlwaysHasMessageAndType() throws {
        let event = try RealtimeCodec.decodeServerEvent(Array(#"{"type":"error"}"#.utf8)).event
        let error = try encoded(event)["error"]
        #expect(error?["message"] == "")
        #expect(error?["type"] == "")
        #expect(error?["code"] == .null)
    }

    @Test func aBetaMessageIsWrittenUnderItsModernName() throws {
        let text = #"{"type":"response.text.delta","response_id":"r","item_id":"i","delta":"a"}"#
        let event = try RealtimeCodec.decodeServerEvent(Array(text.utf8)).event
        #expect(try encoded(event)["type"] == "response.output_text.delta")
    }

    private func encoded(_ event: ServerEvent) throws -> JSONValue {
        try json(RealtimeCodec.encode(event, eventId: "e"))
    }
}
