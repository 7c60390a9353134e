import GlassesDomain
import GlassesRealtime

/// Every client event of the GA protocol.
let clientEventTable: [EventExample<ClientEvent>] = [
    EventExample(
        .sessionUpdate(fullUpdate),
        """
        {"type":"session.update","event_id":"e1","session":{"type":"realtime","model":"m","output_modalities":["text"],
        "instructions":"Be brief.","audio":{"input":{"format":{"type":"audio/pcmu"},
        "transcription":{"model":"whisper-1","language":"en"},"noise_reduction":{"type":"near_field"},
        "turn_detection":null},"output":{"format":{"type":"audio/pcm","rate":24000},"voice":{"id":"v1"},"speed":1.25}},
        "tools":[{"type":"function","name":"get_time","description":"Tells the time.","parameters":{"type":"object"}}],
        "tool_choice":{"type":"function","name":"get_time"},"parallel_tool_calls":false,"reasoning":{"effort":"low"},
        "max_output_tokens":512,"truncation":{"type":"retention_ratio","retention_ratio":0.5,
        "token_limits":{"post_instructions":9000}},"prompt":{"id":"p1","version":"2","variables":{"who":"me"}},
        "tracing":"auto","include":["item.input_audio_transcription.logprobs"]}}
        """),
    EventExample(
        .inputAudioBufferAppend(audio: [0, 1, 2, 250]),
        #"{"type":"input_audio_buffer.append","event_id":"e1","audio":"AAEC+g=="}"#),
    EventExample(.inputAudioBufferCommit, #"{"type":"input_audio_buffer.commit","event_id":"e1"}"#),
    EventExample(.inputAudioBufferClear, #"{"type":"input_audio_buffer.clear","event_id":"e1"}"#),
    EventExample(.outputAudioBufferClear, #"{"type":"output_audio_buffer.clear","event_id":"e1"}"#),
    EventExample(
        .conversationItemCreate(ItemCreation(item: .userText("hello", id: "u1"), previousItemId: "root")),
        """
        {"type":"conversation.item.create","event_id":"e1","previous_item_id":"root","item":{"id":"u1",
        "object":"realtime.item","type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}
        """),
    EventExample(
        .conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c1", output: "{}"))),
        """
        {"type":"conversation.item.create","event_id":"e1","item":{"object":"realtime.item",
        "type":"function_call_output","call_id":"c1","output":"{}"}}
        """),
    EventExample(
        .conversationItemRetrieve(itemId: "i1"),
        #"{"type":"conversation.item.retrieve","event_id":"e1","item_id":"i1"}"#),
    EventExample(
        .conversationItemTruncate(ItemTruncation(itemId: "i1", audioEndMs: 1500)),
        #"{"type":"conversation.item.truncate","event_id":"e1","item_id":"i1","content_index":0,"audio_end_ms":1500}"#),
    EventExample(
        .conversationItemDelete(itemId: "i1"),
        #"{"type":"conversation.item.delete","event_id":"e1","item_id":"i1"}"#),
    EventExample(.responseCreate(nil), #"{"type":"response.create","event_id":"e1"}"#),
    EventExample(
        .responseCreate(fullParameters),
        """
        {"type":"response.create","event_id":"e1","response":{"conversation":"none","input":[{"type":"item_reference",
        "id":"i1","object":"realtime.item"}],"instructions":"Say it.","output_modalities":["audio"],
        "audio":{"output":{"format":{"type":"audio/pcma"},"voice":"marin"}},"tools":[],"tool_choice":"required",
        "parallel_tool_calls":true,"max_output_tokens":"inf","metadata":{"extentos_say":"1"},"prompt":{"id":"p1"},
        "reasoning":{"effort":"high"}}}
        """),
    EventExample(.responseCancel(responseId: nil), #"{"type":"response.cancel","event_id":"e1"}"#),
    EventExample(
        .responseCancel(responseId: "r1"), #"{"type":"response.cancel","event_id":"e1","response_id":"r1"}"#),
]

private let fullUpdate: SessionUpdate = {
    var update = SessionUpdate()
    update.model = "m"
    update.outputModalities = [.text]
    update.instructions = "Be brief."
    update.input.format = .pcmu
    update.input.transcription = .set(Transcription(model: "whisper-1", language: "en"))
    update.input.noiseReduction = .set(NoiseReduction(type: "near_field"))
    update.input.turnDetection = .clear
    update.output.format = .standard
    update.output.voice = .custom(id: "v1")
    update.output.speed = 1.25
    update.tools = [
        .function(FunctionTool(name: "get_time", description: "Tells the time.", parameters: ["type": "object"]))
    ]
    update.toolChoice = .function(name: "get_time")
    update.parallelToolCalls = false
    update.reasoning = Reasoning(effort: "low")
    update.maxOutputTokens = .tokens(512)
    update.truncation = .retentionRatio(0.5, postInstructionTokens: 9000)
    update.prompt = .set(PromptReference(id: "p1", version: "2", variables: ["who": "me"]))
    update.tracing = .set("auto")
    update.include = .set(["item.input_audio_transcription.logprobs"])
    return update
}()

private let fullParameters: ResponseParameters = {
    var parameters = ResponseParameters()
    parameters.conversation = ResponseParameters.Conversation.none
    parameters.input = [ConversationItem(id: "i1", body: .itemReference)]
    parameters.instructions = "Say it."
    parameters.outputModalities = [.audio]
    parameters.audioFormat = .pcma
    parameters.voice = "marin"
    parameters.tools = []
    parameters.toolChoice = .required
    parameters.parallelToolCalls = true
    parameters.maxOutputTokens = .unlimited
    parameters.metadata = ["extentos_say": "1"]
    parameters.prompt = PromptReference(id: "p1")
    parameters.reasoning = Reasoning(effort: "high")
    return parameters
}()
