import GlassesDomain
import SeededRandom
import Testing

@testable import GlassesRealtime

@Suite struct GeminiCodecTests {
    @Test(arguments: geminiServerTable.indices)
    func aMessageOfAServerIsReadAndWrittenAsItStands(_ index: Int) throws {
        let (text, message) = geminiServerTable[index]
        #expect(try GeminiCodec.decodeServer(Array(text.utf8)) == message)
        #expect(String(decoding: GeminiCodec.encode(message), as: UTF8.self) == text)
        #expect(GeminiCodec.encodeTree(message) == GeminiCodec.encode(message))
    }

    @Test(arguments: geminiClientTable.indices)
    func aMessageOfAClientIsReadAndWrittenAsItStands(_ index: Int) throws {
        let (text, message) = geminiClientTable[index]
        #expect(try GeminiCodec.decodeClient(Array(text.utf8)) == message)
        if case .setup(let setup) = message {
            // It has a field or two that the text leaves to the server.
            #expect(try GeminiCodec.decodeClient(GeminiCodec.encode(.setup(setup))) == message)
        } else {
            #expect(String(decoding: GeminiCodec.encode(message), as: UTF8.self) == text)
            #expect(GeminiCodec.encodeTree(message) == GeminiCodec.encode(message))
        }
    }

    @Test(
        arguments: [
            #"{"realtime_input":{"audio":{"mime_type":"audio/pcm;rate=16000","data":"-_8="}}}"#,
            #" { "realtimeInput" : { "audio" : { "data" : "-_8" , "mimeType":"audio/pcm;rate=16000" } } } "#,
            #"{"realtime_input":{"audio":{"mime_type":"audio/pcm;rate=16000","data":"+/8="}}}"#,
        ])
    func bothSpellingsAndBothAlphabetsOfBase64AreRead(_ text: String) throws {
        let expected = GeminiClientMessage.realtimeInput(
            .audio(GeminiBlob(mimeType: "audio/pcm;rate=16000", data: [0xFB, 0xFF])))
        #expect(GeminiAudioScanner.inputAudio(in: Array(text.utf8)) != nil)
        #expect(try GeminiCodec.decodeClient(Array(text.utf8)) == expected)
        #expect(try GeminiCodec.decodeClientTree(Array(text.utf8)) == expected)
    }

    @Test func theTypesOfAnOpenAPISchemaAreReadAsThoseOfAJSONSchema() throws {
        let text = #"""
            {"setup":{"model":"m","tools":[{"function_declarations":[{"name":"f","parameters":{"type":"OBJECT",
            "properties":{"n":{"type":"ARRAY","items":{"type":"INTEGER"}}}}}]}]}}
            """#
        guard case .setup(let setup) = try GeminiCodec.decodeClient(Array(text.utf8)) else {
            Issue.record("it is no setup")
            return
        }
        let items: JSONValue = ["type": "array", "items": ["type": "integer"]]
        #expect(setup.functions.first?.parameters == ["type": "object", "properties": ["n": items]])
    }

    @Test(
        arguments: [
            ("audio/pcm;rate=16000", 16_000), ("audio/pcm", 24_000), ("AUDIO/PCM; rate=8000", 8_000),
            ("audio/pcm;rate=0", nil), ("audio/pcm;rate=x", nil), ("audio/opus", nil), ("", nil),
        ] as [(String, Int?)])
    func theKindOfABlobTellsItsRate(_ mimeType: String, _ rate: Int?) {
        #expect(GeminiBlob(mimeType: mimeType, data: []).pcmRate(standard: 24_000) == rate)
    }

    @Test func aClientsWrongFieldIsNamed() {
        let text = #"{"clientContent":{"turns":[{"parts":7}]}}"#
        #expect {
            try GeminiCodec.decodeClient(Array(text.utf8))
        } throws: { error in
            (error as? RealtimeCodecError)?.param == "clientContent.turns[0].parts"
        }
    }

    @Test(arguments: 0..<6)
    func aMutatedMessageIsAMessageOrAnErrorTheSameByBothWays(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for text in geminiServerTable.map(\.text) + geminiClientTable.map(\.text) {
            for _ in 0..<60 { check(Self.mutated(Array(text.utf8), using: &random)) }
        }
    }

    private func check(_ bytes: [UInt8]) {
        let server = Result { () throws(RealtimeCodecError) in try GeminiCodec.decodeServer(bytes) }
        #expect(server == Result { () throws(RealtimeCodecError) in try GeminiCodec.decodeServerTree(bytes) })
        let client = Result { () throws(RealtimeCodecError) in try GeminiCodec.decodeClient(bytes) }
        #expect(client == Result { () throws(RealtimeCodecError) in try GeminiCodec.decodeClientTree(bytes) })
        // What was written once is the same each time that it is sent on.
        if case .success(let message) = server {
            #expect(throws: Never.self) {
                let first = try GeminiCodec.decodeServer(GeminiCodec.encode(message))
                #expect(try GeminiCodec.decodeServer(GeminiCodec.encode(first)) == first)
            }
        }
        if case .success(let message) = client {
            #expect(throws: Never.self) {
                let first = try GeminiCodec.decodeClient(GeminiCodec.encode(message))
                #expect(try GeminiCodec.decodeClient(GeminiCodec.encode(first)) == first)
            }
        }
    }

    private static func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(#"{}[]":,\0"#.utf8.randomElement(using: &random) ?? 0, at: index)
            default: bytes.insert(contentsOf: bytes[index..<min(index + 9, bytes.count)], at: index)
            }
        }
        return bytes
    }
}
