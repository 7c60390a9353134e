import GlassesDomain
import Testing

@testable import GlassesRealtime

@Suite struct AudioFastPathTests {
    /// Deltas that the fast path reads.
    static let plainDeltas = [
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC"}"#,
        #"{"type":"response.audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":""}"#,
        """
         { "delta" : "AAECAw==" ,\n\t"output_index" : 3, "content_index":0, "item_id":"i", "response_id":"",
        "event_id":"event_1", "type":"response.output_audio.delta" }\r\n
        """,
        """
        {"output_index":999999999,"delta":"+/+/","item_id":"i","response_id":"r","event_id":"e",
        "type":"response.output_audio.delta"}
        """,
    ]

    /// Deltas, and near deltas, that it leaves to the general way.
    static let oddDeltas = [
        #"{"type":"response.output_audio.delta","response_id":"r","item_id":"i","delta":"AAEC"}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"\/\/8="}"#,
        #"{"type":"response.output_audio.delta","event_id":"\u0065","response_id":"r","item_id":"i","delta":"AAEC"}"#,
        #"{"type":"response.output_audio.delta","event_id":"é","response_id":"r","item_id":"i","delta":"AAEC"}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":null,"delta":"AAEC"}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":7,"delta":"AAEC"}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i"}"#,
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "obfuscation":"x"}
        """,
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "delta":"AQID"}
        """,
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "output_index":1.0}
        """,
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "output_index":-1}
        """,
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "output_index":12345678901}
        """,
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "content_index":"0"}
        """,
        #"{"type":"response.output_text.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC"}"#,
    ]

    /// Messages that are no JSON, or no delta that can be read.
    static let brokenDeltas = [
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAE"}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"A A="}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC"}}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",}"#,
        #"{"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":AAEC}"#,
        "{\"type\":\"response.output_audio.delta\",\"event_id\":\"e\n\",\"response_id\":\"r\",\"delta\":\"AAEC\"}",
        """
        {"type":"response.output_audio.delta","event_id":"e","response_id":"r","item_id":"i","delta":"AAEC",
        "output_index":01}
        """,
    ]

    @Test(arguments: plainDeltas)
    func aPlainDeltaIsReadByTheFastPathAsByTheGeneralOne(_ text: String) throws {
        let bytes = Array(text.utf8)
        let fast = try #require(AudioEventScanner.outputAudioDelta(in: bytes))
        #expect(try fast == RealtimeCodec.decodeServerTree(bytes))
        #expect(try fast == RealtimeCodec.decodeServerEvent(bytes))
    }

    @Test(arguments: oddDeltas)
    func anOddDeltaIsLeftToTheGeneralWay(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(AudioEventScanner.outputAudioDelta(in: bytes) == nil)
        #expect(try RealtimeCodec.decodeServerEvent(bytes) == RealtimeCodec.decodeServerTree(bytes))
    }

    @Test(arguments: brokenDeltas)
    func aBrokenDeltaIsAnErrorOfBothWays(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(AudioEventScanner.outputAudioDelta(in: bytes) == nil)
        #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeServerEvent(bytes) }
    }

    @Test(arguments: [
        #"{"type":"input_audio_buffer.append","audio":"AAEC"}"#,
        #"{"audio":"","event_id":"c1","type":"input_audio_buffer.append"}"#,
    ])
    func aPlainAppendIsReadByTheFastPathAsByTheGeneralOne(_ text: String) throws {
        let bytes = Array(text.utf8)
        let fast = try #require(AudioEventScanner.inputAudioAppend(in: bytes))
        #expect(try fast == RealtimeCodec.decodeClientTree(bytes))
    }

    @Test(arguments: [
        #"{"type":"input_audio_buffer.append","audio":"\/\/8="}"#,
        #"{"type":"input_audio_buffer.append","audio":"AAEC","event_id":5}"#,
        #"{"type":"input_audio_buffer.append","audio":"AAEC","event_id":null}"#,
        #"{"type":"input_audio_buffer.append","audio":"AAEC","note":"x"}"#,
        #"{"type":"input_audio_buffer.commit"}"#,
    ])
    func anOddAppendIsLeftToTheGeneralWay(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(AudioEventScanner.inputAudioAppend(in: bytes) == nil)
        #expect(try RealtimeCodec.decodeClientEvent(bytes) == RealtimeCodec.decodeClientTree(bytes))
    }

    @Test(arguments: [0, 1, 2, 3, 959, 960, 4800])
    func bothWaysWriteTheSameBytes(_ count: Int) {
        let audio = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for eventId in ["e1", "a \"quoted\" é\n"] {
            let place = PartReference(responseId: "r\\", itemId: "i", outputIndex: 2, contentIndex: 1)
            let delta = Identified<ServerEvent>(
                .responseOutputAudioDelta(OutputAudio(place: place, audio: audio)), eventId: eventId)
            #expect(RealtimeCodec.encode(delta) == RealtimeCodec.encodeTree(delta))
            let append = Identified<ClientEvent>(.inputAudioBufferAppend(audio: audio), eventId: eventId)
            #expect(RealtimeCodec.encode(append) == RealtimeCodec.encodeTree(append))
        }
        let bare = Identified<ClientEvent>(.inputAudioBufferAppend(audio: audio), eventId: nil)
        #expect(RealtimeCodec.encode(bare) == RealtimeCodec.encodeTree(bare))
    }

    @Test func fieldsAroundAnAudioEventAreWrittenToo() throws {
        let append = Identified<ClientEvent>(
            .inputAudioBufferAppend(audio: [1]), eventId: "c", extra: ["note": "x"])
        #expect(try RealtimeCodec.decodeClientEvent(RealtimeCodec.encode(append)) == append)
    }
}
