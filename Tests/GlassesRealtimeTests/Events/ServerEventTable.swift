import GlassesDomain
import GlassesRealtime

/// Every server event of the GA protocol.
let serverEventTable = sessionEvents + conversationEvents + inputEvents + responseEvents + callEvents

private let place = PartReference(responseId: "r1", itemId: "i1", outputIndex: 1, contentIndex: 2)
private let placeText = #""response_id":"r1","item_id":"i1","output_index":1,"content_index":2"#

private let sessionEvents: [EventExample<ServerEvent>] = [
    EventExample(
        .error(RealtimeErrorInfo(message: "No.", code: "invalid_value", param: "session.type", eventId: "c9")),
        """
        {"type":"error","event_id":"e1","error":{"message":"No.","type":"invalid_request_error","code":"invalid_value",
        "param":"session.type","event_id":"c9"}}
        """),
    EventExample(
        .sessionCreated(RealtimeSession(id: "s1", model: "local")),
        """
        {"type":"session.created","event_id":"e1","session":{"type":"realtime","object":"realtime.session","id":"s1",
        "model":"local","output_modalities":["audio"],"instructions":"","audio":{"input":{"format":{"type":"audio/pcm",
        "rate":24000},"transcription":null,"noise_reduction":null,"turn_detection":{"type":"server_vad",
        "threshold":0.5,"prefix_padding_ms":300,"silence_duration_ms":500,"create_response":true,
        "interrupt_response":true,"idle_timeout_ms":null}},"output":{"format":{"type":"audio/pcm","rate":24000},
        "speed":1.0}},"tools":[],"tool_choice":"auto","max_output_tokens":"inf","truncation":"auto","prompt":null,
        "tracing":null,"include":null}}
        """),
    EventExample(
        .sessionUpdated(transcriptionSession),
        """
        {"type":"session.updated","event_id":"e1","session":{"type":"transcription",
        "object":"realtime.transcription_session","id":"s1","expires_at":1750000000,"audio":{"input":{
        "format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"t"},"noise_reduction":null,
        "turn_detection":{"type":"semantic_vad","eagerness":"low","create_response":false,
        "interrupt_response":true}}},"include":["item.input_audio_transcription.logprobs"]}}
        """),
    EventExample(
        .rateLimitsUpdated([
            RateLimit(name: .requests, limit: 100, remaining: 99, resetSeconds: 0.6), RateLimit(name: .tokens),
        ]),
        """
        {"type":"rate_limits.updated","event_id":"e1","rate_limits":[{"name":"requests","limit":100,"remaining":99,
        "reset_seconds":0.6},{"name":"tokens"}]}
        """),
]

private let transcriptionSession: RealtimeSession = {
    var session = RealtimeSession(type: .transcription, id: "s1")
    session.expiresAt = 1_750_000_000
    session.input.transcription = Transcription(model: "t")
    session.input.turnDetection = .semanticVAD(SemanticVAD(eagerness: "low", createResponse: false))
    session.include = ["item.input_audio_transcription.logprobs"]
    return session
}()

private let conversationEvents: [EventExample<ServerEvent>] = [
    EventExample(
        .conversationCreated(ConversationInfo(id: "v1")),
        """
        {"type":"conversation.created","event_id":"e1","conversation":{"id":"v1","object":"realtime.conversation"}}
        """),
    EventExample(
        .conversationItemAdded(ItemPlacement(item: userSpeech, previousItemId: nil)),
        """
        {"type":"conversation.item.added","event_id":"e1","previous_item_id":null,"item":{"id":"i1",
        "object":"realtime.item","type":"message","status":"completed","role":"user",
        "content":[{"type":"input_audio","transcript":null}]}}
        """),
    EventExample(
        .conversationItemDone(ItemPlacement(item: .assistantText("Hi."), previousItemId: "i0")),
        """
        {"type":"conversation.item.done","event_id":"e1","previous_item_id":"i0","item":{"object":"realtime.item",
        "type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi."}]}}
        """),
    EventExample(
        .conversationItemRetrieved(
            ConversationItem(
                id: "i1", status: .incomplete,
                body: .message(
                    MessageItem(role: .assistant, content: [.outputAudio(audio: [1, 2, 3], transcript: "Hi")])))),
        """
        {"type":"conversation.item.retrieved","event_id":"e1","item":{"id":"i1","object":"realtime.item",
        "type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_audio","audio":"AQID",
        "transcript":"Hi"}]}}
        """),
    EventExample(
        .conversationItemTruncated(ItemTruncation(itemId: "i1", contentIndex: 0, audioEndMs: 1200)),
        """
        {"type":"conversation.item.truncated","event_id":"e1","item_id":"i1","content_index":0,"audio_end_ms":1200}
        """),
    EventExample(
        .conversationItemDeleted(itemId: "i1"),
        #"{"type":"conversation.item.deleted","event_id":"e1","item_id":"i1"}"#),
    EventExample(
        .inputAudioTranscriptionDelta(
            TranscriptionDelta(
                itemId: "i1", delta: "he", logprobs: [["token": "he", "bytes": [104, 101], "logprob": -0.5]])),
        """
        {"type":"conversation.item.input_audio_transcription.delta","event_id":"e1","item_id":"i1","content_index":0,
        "delta":"he","logprobs":[{"token":"he","bytes":[104,101],"logprob":-0.5}]}
        """),
    EventExample(
        .inputAudioTranscriptionCompleted(
            TranscriptionCompleted(
                itemId: "i1", transcript: "hello", usage: .duration(seconds: 1.5), languages: [["code": "en"]])),
        """
        {"type":"conversation.item.input_audio_transcription.completed","event_id":"e1","item_id":"i1",
        "content_index":0,"transcript":"hello","usage":{"type":"duration","seconds":1.5},"languages":[{"code":"en"}]}
        """),
    EventExample(
        .inputAudioTranscriptionCompleted(
            TranscriptionCompleted(
                itemId: "i1", transcript: "hel",
                usage: .tokens(
                    Usage(inputTokens: 9, outputTokens: 2, inputDetails: TokenDetails(textTokens: 0, audioTokens: 9))),
                isPartial: true)),
        """
        {"type":"conversation.item.input_audio_transcription.completed","event_id":"e1","item_id":"i1",
        "content_index":0,"transcript":"hel","status":"in_progress","usage":{"type":"tokens","input_tokens":9,
        "output_tokens":2,"total_tokens":11,"input_token_details":{"text_tokens":0,"audio_tokens":9}}}
        """),
    EventExample(
        .inputAudioTranscriptionSegment(
            TranscriptionSegment(itemId: "i1", id: "g1", speaker: "A", text: "hello", start: 0.5, end: 1.25)),
        """
        {"type":"conversation.item.input_audio_transcription.segment","event_id":"e1","item_id":"i1",
        "content_index":0,"id":"g1","speaker":"A","text":"hello","start":0.5,"end":1.25}
        """),
    EventExample(
        .inputAudioTranscriptionFailed(
            TranscriptionFailed(
                itemId: "i1", error: RealtimeErrorInfo(message: "Too short.", type: "server_error", code: "short"))),
        """
        {"type":"conversation.item.input_audio_transcription.failed","event_id":"e1","item_id":"i1","content_index":0,
        "error":{"message":"Too short.","type":"server_error","code":"short","param":null,"event_id":null}}
        """),
]

private let userSpeech = ConversationItem(
    id: "i1", status: .completed,
    body: .message(MessageItem(role: .user, content: [.inputAudio(audio: nil, transcript: nil)])))

private let inputEvents: [EventExample<ServerEvent>] = [
    EventExample(
        .inputAudioBufferCommitted(BufferCommitted(itemId: "i1", previousItemId: "i0")),
        #"{"type":"input_audio_buffer.committed","event_id":"e1","item_id":"i1","previous_item_id":"i0"}"#),
    EventExample(.inputAudioBufferCleared, #"{"type":"input_audio_buffer.cleared","event_id":"e1"}"#),
    EventExample(
        .inputAudioBufferSpeechStarted(SpeechStarted(itemId: "i1", audioStartMs: 320)),
        #"{"type":"input_audio_buffer.speech_started","event_id":"e1","item_id":"i1","audio_start_ms":320}"#),
    EventExample(
        .inputAudioBufferSpeechStopped(SpeechStopped(itemId: "i1", audioEndMs: 2048)),
        #"{"type":"input_audio_buffer.speech_stopped","event_id":"e1","item_id":"i1","audio_end_ms":2048}"#),
    EventExample(
        .inputAudioBufferTimeoutTriggered(InputTimeout(itemId: "i1", audioStartMs: 10, audioEndMs: 6010)),
        """
        {"type":"input_audio_buffer.timeout_triggered","event_id":"e1","item_id":"i1","audio_start_ms":10,
        "audio_end_ms":6010}
        """),
    EventExample(
        .inputAudioBufferDTMFReceived(DTMFEvent(event: "9", receivedAt: 1_763_605_109)),
        """
        {"type":"input_audio_buffer.dtmf_event_received","event_id":"e1","event":"9","received_at":1763605109}
        """),
    EventExample(
        .outputAudioBufferStarted(responseId: "r1"),
        #"{"type":"output_audio_buffer.started","event_id":"e1","response_id":"r1"}"#),
    EventExample(
        .outputAudioBufferStopped(responseId: "r1"),
        #"{"type":"output_audio_buffer.stopped","event_id":"e1","response_id":"r1"}"#),
    EventExample(
        .outputAudioBufferCleared(responseId: "r1"),
        #"{"type":"output_audio_buffer.cleared","event_id":"e1","response_id":"r1"}"#),
]

private let responseEvents: [EventExample<ServerEvent>] = [
    EventExample(
        .responseCreated(
            RealtimeResponse(id: "r1", status: .inProgress, conversationId: "v1", metadata: ["k": "v"])),
        """
        {"type":"response.created","event_id":"e1","response":{"id":"r1","object":"realtime.response",
        "status":"in_progress","status_details":null,"output":[],"conversation_id":"v1","metadata":{"k":"v"},
        "usage":null}}
        """),
    EventExample(
        .responseDone(failedResponse),
        """
        {"type":"response.done","event_id":"e1","response":{"id":"r1","object":"realtime.response","status":"failed",
        "status_details":{"type":"failed","error":{"type":"server_error","code":"rate_limit_exceeded","message":"Wait.",
        "param":null,"event_id":null}},"output":[],"conversation_id":null,"metadata":null,"output_modalities":["audio"],
        "audio":{"output":{"format":{"type":"audio/pcm","rate":24000},"voice":"marin"}},"max_output_tokens":100,
        "usage":{"total_tokens":30,"input_tokens":20,"output_tokens":10,"input_token_details":{"text_tokens":5,
        "audio_tokens":15,"image_tokens":0,"cached_tokens":4,"cached_tokens_details":{"text_tokens":4}},
        "output_token_details":{"text_tokens":3,"audio_tokens":7}}}}
        """),
    EventExample(
        .responseDone(cutResponse),
        """
        {"type":"response.done","event_id":"e1","response":{"id":"r1","object":"realtime.response","status":"cancelled",
        "status_details":{"type":"cancelled","reason":"turn_detected"},"output":[{"id":"i1","object":"realtime.item",
        "type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_audio",
        "transcript":"It is"}]}],"conversation_id":"v1","metadata":null,"usage":null}}
        """),
    EventExample(
        .responseOutputItemAdded(
            OutputItem(
                responseId: "r1", outputIndex: 1,
                item: ConversationItem(
                    id: "i1", status: .inProgress,
                    body: .functionCall(FunctionCallItem(name: "get_time", arguments: "", callId: "c1"))))),
        """
        {"type":"response.output_item.added","event_id":"e1","response_id":"r1","output_index":1,"item":{"id":"i1",
        "object":"realtime.item","type":"function_call","status":"in_progress","name":"get_time","arguments":"",
        "call_id":"c1"}}
        """),
    EventExample(
        .responseOutputItemDone(
            OutputItem(
                responseId: "r1",
                item: ConversationItem(
                    id: "i1", status: .completed, body: .message(MessageItem(role: .assistant, content: []))))),
        """
        {"type":"response.output_item.done","event_id":"e1","response_id":"r1","output_index":0,"item":{"id":"i1",
        "object":"realtime.item","type":"message","status":"completed","role":"assistant","content":[]}}
        """),
    EventExample(
        .responseContentPartAdded(
            OutputContentPart(place: place, part: .outputAudio(audio: nil, transcript: nil))),
        """
        {"type":"response.content_part.added","event_id":"e1",\(placeText),"part":{"type":"audio","transcript":null}}
        """),
    EventExample(
        .responseContentPartDone(OutputContentPart(place: place, part: .outputText("Hi."))),
        #"{"type":"response.content_part.done","event_id":"e1",\#(placeText),"part":{"type":"text","text":"Hi."}}"#),
    EventExample(
        .responseOutputTextDelta(OutputText(place: place, text: "Hi")),
        #"{"type":"response.output_text.delta","event_id":"e1",\#(placeText),"delta":"Hi"}"#),
    EventExample(
        .responseOutputTextDone(OutputText(place: place, text: "Hi.")),
        #"{"type":"response.output_text.done","event_id":"e1",\#(placeText),"text":"Hi."}"#),
    EventExample(
        .responseOutputAudioDelta(OutputAudio(place: place, audio: [9, 8, 7])),
        #"{"type":"response.output_audio.delta","event_id":"e1",\#(placeText),"delta":"CQgH"}"#),
    EventExample(
        .responseOutputAudioDone(OutputAudioDone(place: place, audioMs: 1480)),
        #"{"type":"response.output_audio.done","event_id":"e1",\#(placeText),"audio_ms":1480}"#),
    EventExample(
        .responseOutputAudioTranscriptDelta(OutputText(place: place, text: "It ")),
        #"{"type":"response.output_audio_transcript.delta","event_id":"e1",\#(placeText),"delta":"It "}"#),
    EventExample(
        .responseOutputAudioTranscriptDone(OutputText(place: place, text: "It is.")),
        #"{"type":"response.output_audio_transcript.done","event_id":"e1",\#(placeText),"transcript":"It is."}"#),
]

private let failedResponse: RealtimeResponse = {
    var response = RealtimeResponse(
        id: "r1", status: .failed,
        statusDetails: ResponseStatusDetails(
            type: .failed,
            error: RealtimeErrorInfo(message: "Wait.", type: "server_error", code: "rate_limit_exceeded")),
        usage: Usage(
            inputTokens: 20, outputTokens: 10,
            inputDetails: TokenDetails(
                textTokens: 5, audioTokens: 15, imageTokens: 0, cachedTokens: 4, cachedDetails: ["text_tokens": 4]),
            outputDetails: TokenDetails(textTokens: 3, audioTokens: 7)))
    response.outputModalities = [.audio]
    response.audioFormat = .standard
    response.voice = "marin"
    response.maxOutputTokens = .tokens(100)
    return response
}()

private let cutResponse = RealtimeResponse(
    id: "r1", status: .cancelled, statusDetails: ResponseStatusDetails(type: .cancelled, reason: .turnDetected),
    output: [
        ConversationItem(
            id: "i1", status: .incomplete,
            body: .message(MessageItem(role: .assistant, content: [.outputAudio(audio: nil, transcript: "It is")])))
    ],
    conversationId: "v1")

private let call = CallReference(responseId: "r1", itemId: "i1", outputIndex: 1, callId: "c1")
private let callText = #""response_id":"r1","item_id":"i1","output_index":1,"call_id":"c1""#
private let mcpCall = MCPCallReference(itemId: "i1", outputIndex: 1)

private let callEvents: [EventExample<ServerEvent>] = [
    EventExample(
        .responseFunctionCallArgumentsDelta(FunctionArgumentsDelta(call: call, delta: "{")),
        #"{"type":"response.function_call_arguments.delta","event_id":"e1",\#(callText),"delta":"{"}"#),
    EventExample(
        .responseFunctionCallArgumentsDone(FunctionArgumentsDone(call: call, name: "get_time", arguments: "{}")),
        """
        {"type":"response.function_call_arguments.done","event_id":"e1",\(callText),"name":"get_time",
        "arguments":"{}"}
        """),
    EventExample(
        .responseMCPCallArgumentsDelta(
            MCPArgumentsDelta(responseId: "r1", call: mcpCall, delta: "{", obfuscation: "xx")),
        """
        {"type":"response.mcp_call_arguments.delta","event_id":"e1","response_id":"r1","item_id":"i1",
        "output_index":1,"delta":"{","obfuscation":"xx"}
        """),
    EventExample(
        .responseMCPCallArgumentsDone(MCPArgumentsDone(responseId: "r1", call: mcpCall, arguments: "{}")),
        """
        {"type":"response.mcp_call_arguments.done","event_id":"e1","response_id":"r1","item_id":"i1",
        "output_index":1,"arguments":"{}"}
        """),
    EventExample(
        .responseMCPCallInProgress(mcpCall),
        #"{"type":"response.mcp_call.in_progress","event_id":"e1","item_id":"i1","output_index":1}"#),
    EventExample(
        .responseMCPCallCompleted(mcpCall),
        #"{"type":"response.mcp_call.completed","event_id":"e1","item_id":"i1","output_index":1}"#),
    EventExample(
        .responseMCPCallFailed(mcpCall),
        #"{"type":"response.mcp_call.failed","event_id":"e1","item_id":"i1","output_index":1}"#),
    EventExample(
        .mcpListToolsInProgress(itemId: "i1"),
        #"{"type":"mcp_list_tools.in_progress","event_id":"e1","item_id":"i1"}"#),
    EventExample(
        .mcpListToolsCompleted(itemId: "i1"),
        #"{"type":"mcp_list_tools.completed","event_id":"e1","item_id":"i1"}"#),
    EventExample(
        .mcpListToolsFailed(itemId: "i1"),
        #"{"type":"mcp_list_tools.failed","event_id":"e1","item_id":"i1"}"#),
]
