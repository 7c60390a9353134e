import GlassesDomain
import GlassesRealtime
import Testing

@Suite("A session whose voice stands on top")
struct TopLevelVoiceTests {
    private func client(_ text: String) throws -> JSONValue {
        try JSONValue(jsonText: TopLevelVoice.clientMessage(Array(text.utf8)))
    }

    private func server(_ text: String) throws -> JSONValue {
        try JSONValue(jsonText: TopLevelVoice.serverMessage(Array(text.utf8)))
    }

    @Test("An update has them on top and keeps the rest")
    func update() throws {
        let event = try client(
            #"{"type":"session.update","event_id":"e","session":{"instructions":"i","audio":{"input":{"format":{"rate":24000},"turn_detection":null},"output":{"voice":"Ara"}}}}"#
        )
        #expect(
            event == [
                "type": "session.update", "event_id": "e",
                "session": [
                    "instructions": "i", "voice": "Ara", "turn_detection": .null,
                    "audio": ["input": ["format": ["rate": 24_000]]],
                ],
            ])
    }

    @Test("The server's session is given back in the protocol's form")
    func session() throws {
        let event = try server(
            #"{"session":{"voice":"Ara","turn_detection":{"type":"server_vad"}},"type":"session.updated"}"#)
        #expect(
            event["session"] == [
                "audio": ["input": ["turn_detection": ["type": "server_vad"]], "output": ["voice": "Ara"]]
            ])
    }

    @Test("An answer's modalities have their older name")
    func modalities() throws {
        let event = try client(#"{"type":"response.create","response":{"output_modalities":["audio"]}}"#)
        #expect(event["response"] == ["modalities": ["audio"]])
    }

    @Test(
        "Everything else passes byte for byte",
        arguments: [
            #"{"type":"input_audio_buffer.append","audio":"AAAA"}"#, #"{ "type" : "response.create" }"#,
            "no JSON \"session.",
            #"{"type":"response.output_audio.delta","delta":"session."}"#, #"{"type":"session.update"}"#, "",
        ])
    func rest(text: String) {
        let bytes = Array(text.utf8)
        #expect(TopLevelVoice.clientMessage(bytes) == bytes)
        #expect(TopLevelVoice.serverMessage(bytes) == bytes)
    }
}
