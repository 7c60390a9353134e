import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct EventRoundTripTests {
    @Test(arguments: serverEventTable)
    func aServerMessageDecodesToItsEvent(_ example: EventExample<ServerEvent>) throws {
        let decoded = try RealtimeCodec.decodeServerEvent(Array(example.text.utf8))
        #expect(decoded == Identified(example.event, eventId: "e1"))
    }

    @Test(arguments: serverEventTable)
    func aServerEventEncodesToItsMessage(_ example: EventExample<ServerEvent>) throws {
        #expect(try json(RealtimeCodec.encode(example.event, eventId: "e1")) == json(example.text))
    }

    @Test(arguments: clientEventTable)
    func aClientMessageDecodesToItsEvent(_ example: EventExample<ClientEvent>) throws {
        let decoded = try RealtimeCodec.decodeClientEvent(Array(example.text.utf8))
        #expect(decoded == Identified(example.event, eventId: "e1"))
    }

    @Test(arguments: clientEventTable)
    func aClientEventEncodesToItsMessage(_ example: EventExample<ClientEvent>) throws {
        #expect(try json(RealtimeCodec.encode(example.event, eventId: "e1")) == json(example.text))
    }

    @Test func aClientEventWithoutIdHasNoIdOnTheWire() throws {
        #expect(try json(RealtimeCodec.encode(.inputAudioBufferCommit)) == ["type": "input_audio_buffer.commit"])
        #expect(
            try json(RealtimeCodec.encode(.inputAudioBufferAppend(audio: [0, 0]))) == [
                "type": "input_audio_buffer.append", "audio": "AAA=",
            ])
    }

    @Test func theTablesHoldEveryEventOfTheProtocol() {
        #expect(Set(serverEventTable.map(\.event.type)) == serverTypes)
        #expect(Set(clientEventTable.map(\.event.type)) == clientTypes)
    }

    private let clientTypes: Set<String> = [
        "session.update", "input_audio_buffer.append", "input_audio_buffer.commit", "input_audio_buffer.clear",
        "output_audio_buffer.clear", "conversation.item.create", "conversation.item.retrieve",
        "conversation.item.truncate", "conversation.item.delete", "response.create", "response.cancel",
    ]

    private let serverTypes: Set<String> = [
        "error", "session.created", "session.updated", "conversation.created", "conversation.item.added",
        "conversation.item.done", "conversation.item.retrieved", "conversation.item.truncated",
        "conversation.item.deleted", "conversation.item.input_audio_transcription.delta",
        "conversation.item.input_audio_transcription.completed",
        "conversation.item.input_audio_transcription.segment", "conversation.item.input_audio_transcription.failed",
        "input_audio_buffer.committed", "input_audio_buffer.cleared", "input_audio_buffer.speech_started",
        "input_audio_buffer.speech_stopped", "input_audio_buffer.timeout_triggered",
        "input_audio_buffer.dtmf_event_received", "output_audio_buffer.started", "output_audio_buffer.stopped",
        "output_audio_buffer.cleared", "response.created", "response.done", "response.output_item.added",
        "response.output_item.done", "response.content_part.added", "response.content_part.done",
        "response.output_text.delta", "response.output_text.done", "response.output_audio.delta",
        "response.output_audio.done", "response.output_audio_transcript.delta",
        "response.output_audio_transcript.done", "response.function_call_arguments.delta",
        "response.function_call_arguments.done", "response.mcp_call_arguments.delta",
        "response.mcp_call_arguments.done", "response.mcp_call.in_progress", "response.mcp_call.completed",
        "response.mcp_call.failed", "mcp_list_tools.in_progress", "mcp_list_tools.completed", "mcp_list_tools.failed",
        "rate_limits.updated",
    ]
}
