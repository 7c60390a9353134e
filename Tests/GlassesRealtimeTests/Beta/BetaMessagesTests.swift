import GlassesDomain
import Testing

@testable import GlassesRealtime

@Suite struct BetaMessagesTests {
    private func tree(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue(jsonText: bytes) }

    @Test func anUpdateIsWrittenWithFlatFields() throws {
        let text = #"""
            {"type":"session.update","event_id":"e1","session":{"type":"realtime","model":"m","instructions":"Be brief.",
            "output_modalities":["audio"],"audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"turn_detection":null,
            "transcription":{"model":"whisper-1"}},"output":{"format":{"type":"audio/pcmu"},"voice":"ash"}},
            "tools":[{"type":"function","name":"time"}],"tool_choice":"auto","max_output_tokens":50}}
            """#
        let written = try tree(BetaClientMessages.message(Array(text.utf8)))
        #expect(written["event_id"] == "e1" && written["type"] == "session.update")
        #expect(
            written["session"] == [
                "instructions": "Be brief.", "modalities": ["audio", "text"], "input_audio_format": "pcm16",
                "output_audio_format": "g711_ulaw", "voice": "ash", "turn_detection": nil,
                "input_audio_transcription": ["model": "whisper-1"], "tools": [["type": "function", "name": "time"]],
                "tool_choice": "auto", "max_response_output_tokens": 50,
            ])
        // Read again, it is the same update but for its type.
        guard case .sessionUpdate(let update) = try RealtimeCodec.decodeClientEvent(Array(written.jsonText.utf8)).event
        else {
            Issue.record("it is no update")
            return
        }
        #expect(update.output.voice == "ash" && update.output.format == .pcmu && update.input.turnDetection == .clear)
    }

    @Test func anAssistantsWordsAndARequestHaveTheirOldNames() throws {
        let item = #"""
            {"type":"conversation.item.create","previous_item_id":"root","item":{"type":"message","role":"assistant",
            "content":[{"type":"output_text","text":"Hi"}]}}
            """#
        let written = try tree(BetaClientMessages.message(Array(item.utf8)))
        #expect(written["previous_item_id"] == "root")
        #expect(written["item"]?["content"] == [["type": "text", "text": "Hi"]])
        let request = #"""
            {"type":"response.create","response":{"conversation":"none","output_modalities":["text"],"max_output_tokens":"inf",
            "audio":{"output":{"voice":"ash"}},"metadata":{"k":"v"},"input":[{"type":"message","role":"assistant",
            "content":[{"type":"output_text","text":"Hi"}]}]}}
            """#
        let response = try tree(BetaClientMessages.message(Array(request.utf8)))["response"]
        #expect(response?["modalities"] == ["text"] && response?["voice"] == "ash")
        #expect(response?["max_response_output_tokens"] == "inf" && response?["conversation"] == "none")
        #expect(response?["metadata"] == ["k": "v"])
        #expect(response?["input"]?.arrayValue?.first?["content"] == [["type": "text", "text": "Hi"]])
    }

    @Test(
        arguments: [
            #"{ "type":"input_audio_buffer.append" , "audio":"AAAA" }"#, #"{"type":"response.create"}"#,
            #"{"type":"response.cancel","x":1}"#, "no JSON", #"{"type":"vendor.event","n":1.50}"#,
            #"{"type":"conversation.item.truncate","item_id":"i","content_index":0,"audio_end_ms":5}"#,
        ])
    func whatIsTheSameInBothFormsPassesAsItCame(_ text: String) {
        #expect(BetaClientMessages.message(Array(text.utf8)) == Array(text.utf8))
    }

    @Test func anItemOfAClientIsCompleteAtOnceAndOneOfTheModelWithItsOutput() throws {
        var reader = BetaServerMessages()
        func types(_ text: String) throws -> [String?] {
            try reader.messages(for: Array(text.utf8)).map { try tree($0)["type"]?.stringValue }
        }
        #expect(
            try types(
                #"""
                {"type":"conversation.item.created","event_id":"e","previous_item_id":null,"item":{"id":"a","type":"message",
                "role":"user","content":[{"type":"input_text","text":"Hi"}]}}
                """#) == ["conversation.item.added", "conversation.item.done"])
        #expect(
            try types(
                #"""
                {"type":"conversation.item.created","event_id":"e","previous_item_id":"a","item":{"id":"b","type":"message",
                "role":"assistant","status":"in_progress","content":[]}}
                """#) == ["conversation.item.added"])
        let done = #"""
            {"type":"response.output_item.done","event_id":"e9","response_id":"r","output_index":0,"item":{"id":"b",
            "type":"message","role":"assistant","status":"completed","content":[{"type":"audio","transcript":"Yes"}]}}
            """#
        let messages = try reader.messages(for: Array(done.utf8)).map(tree)
        #expect(messages.map { $0["type"] } == ["conversation.item.done", "response.output_item.done"])
        #expect(messages.first?["previous_item_id"] == "a" && messages.first?["event_id"] == "e9_done")
        #expect(messages.last?["item"]?["content"]?.arrayValue?.first?["type"] == "output_audio")
    }

    @Test func aCallsArgumentsNameItsFunction() throws {
        var reader = BetaServerMessages()
        let added = #"""
            {"type":"response.output_item.added","event_id":"e","response_id":"r","output_index":0,"item":{"id":"c",
            "type":"function_call","status":"in_progress","name":"time","call_id":"c1","arguments":""}}
            """#
        #expect(reader.messages(for: Array(added.utf8)).count == 1)
        let done = #"""
            {"type":"response.function_call_arguments.done","event_id":"e","response_id":"r","item_id":"c","output_index":0,
            "call_id":"c1","arguments":"{}"}
            """#
        #expect(try reader.messages(for: Array(done.utf8)).map(tree).first?["name"] == "time")
    }

    @Test func audioAndUnknownEventsReachTheClient() throws {
        var reader = BetaServerMessages()
        let delta = #"""
            {"type":"response.audio.delta","event_id":"e","response_id":"r","item_id":"i","output_index":0,
            "content_index":0,"delta":"AAEC"}
            """#
        #expect(try reader.messages(for: Array(delta.utf8)).map(tree).first?["type"] == "response.output_audio.delta")
        for text in [#"{"type":"vendor.event","event_id":"e","n":1.50}"#, "no JSON"] {
            #expect(reader.messages(for: Array(text.utf8)) == [Array(text.utf8)])
        }
    }
}
