import SeededRandom
import GlassesAudio
import Testing

@Suite struct WAVReaderTests {
    typealias Bytes = WAVBytes

    static let encodings: [(String, [UInt8], [UInt8], [Int16])] = [
        ("pcm8", Bytes.format(bits: 8), [0, 128, 255], [-32_768, 0, 32_512]),
        ("pcm16", Bytes.format(), [0, 0x80, 0xFF, 0x7F, 1, 0], [-32_768, 32_767, 1]),
        ("pcm24", Bytes.format(bits: 24), [0xFF, 0, 0x80, 0, 0x34, 0x12], [-32_768, 0x1234]),
        ("20 bits in 3 bytes", Bytes.format(bits: 20), [0xF0, 0xFF, 0x7F], [32_767]),
        ("pcm32", Bytes.format(bits: 32), [0, 0, 0, 0x80, 0xFF, 0xFF, 0x34, 0x12], [-32_768, 0x1234]),
        (
            "float32", Bytes.format(tag: 3, bits: 32), Bytes.float([0, 0.5, -1, 1, 7, -7, .nan, .infinity]),
            [0, 16_384, -32_768, 32_767, 32_767, -32_768, 0, 32_767]
        ),
        ("float64", Bytes.format(tag: 3, bits: 64), Bytes.double([0.25, -2, .nan]), [8_192, -32_768, 0]),
        ("extensible pcm", Bytes.extensible(subformat: 1, bits: 16), [1, 0, 2, 0], [1, 2]),
        ("extensible float", Bytes.extensible(subformat: 3, bits: 32), Bytes.float([0.5]), [16_384]),
    ]

    @Test("Every encoding becomes 16-bit samples", arguments: encodings)
    func decodes(name: String, format: [UInt8], data: [UInt8], expected: [Int16]) throws {
        let audio = try WAVReader.read(Bytes.file(Bytes.chunk("fmt ", format), Bytes.chunk("data", data)))
        #expect(audio.samples == expected)
        #expect(audio.sampleRate == 16_000)
        #expect(audio.channels == 1)
        #expect(!audio.isUnfinished)
    }

    @Test("Channels stay interleaved, a last incomplete frame is left out, and mono is their mean")
    func channels() throws {
        let data = [10, 30, -10, -50, 99].flatMap { Bytes.little($0, bytes: 2) }
        let audio = try WAVReader.read(
            Bytes.file(Bytes.chunk("fmt ", Bytes.format(channels: 2)), Bytes.chunk("data", data)))
        #expect(audio.samples == [10, 30, -10, -50])
        #expect(audio.frames == 2)
        #expect(try audio.mono() == [20, -30])
    }

    @Test("Unknown chunks are skipped, odd ones with their padding")
    func unknownChunks() throws {
        let audio = try WAVReader.read(
            Bytes.file(
                Bytes.chunk("LIST", [1, 2, 3]), Bytes.chunk("fmt ", Bytes.format()), Bytes.chunk("fact", [1, 2, 3, 4]),
                Bytes.chunk("data", [7, 0]), Bytes.chunk("id3 ", [9])))
        #expect(audio.samples == [7])
    }

    @Test("A file whose sizes were never filled in is read to its end", arguments: [0, 0x7FFF_FFDB, 0xFFFF_FFFF])
    func unfinished(size: Int) throws {
        let data = Bytes.chunk("data", [1, 0, 2, 0], size: size) + [3]
        let audio = try WAVReader.read(Bytes.file(Bytes.chunk("fmt ", Bytes.format()), data, riffSize: size))
        #expect(audio.samples == [1, 2])
        #expect(audio.isUnfinished)
    }

    @Test("A finished file without audio is empty, also when a chunk follows")
    func emptyAudio() throws {
        let audio = try WAVReader.read(
            Bytes.file(
                Bytes.chunk("fmt ", Bytes.format()), Bytes.chunk("data", []), Bytes.chunk("LIST", [1, 2])))
        #expect(audio.samples.isEmpty)
        #expect(!audio.isUnfinished)
    }

    static let pcm = Bytes.chunk("fmt ", Bytes.format())
    static let data = Bytes.chunk("data", [1, 0])

    static func withFormat(_ format: [UInt8]) -> [UInt8] { Bytes.file(Bytes.chunk("fmt ", format), data) }

    static let wrong: [(String, [UInt8], String)] = [
        ("nothing", [], "wav_not_riff"),
        ("text", Array("This is no sound, it is a sentence.".utf8), "wav_not_riff"),
        ("only RIFF", Array("RIFF".utf8), "wav_truncated"),
        ("another RIFF form", Array("RIFF\u{4}\u{0}\u{0}\u{0}AVI ".utf8), "wav_not_riff"),
        ("big-endian", Array("RIFX\u{0}\u{0}\u{0}\u{4}WAVE".utf8), "wav_not_riff"),
        ("no chunk", Bytes.file(), "wav_missing_format"),
        ("no data", Bytes.file(pcm), "wav_missing_data"),
        ("data first", Bytes.file(data, pcm), "wav_missing_format"),
        ("short format", withFormat([1, 0, 1, 0]), "wav_truncated"),
        ("half a chunk header", Bytes.file(pcm, [0x64, 0x61]), "wav_truncated"),
        ("lost audio", Bytes.file(pcm, Bytes.chunk("data", [1, 0], size: 1_000)), "wav_truncated"),
        ("lost chunk", Bytes.file(pcm, Bytes.chunk("LIST", [1, 0], size: 0xFFFF_FFFF)), "wav_truncated"),
        ("no channels", withFormat(Bytes.format(channels: 0)), "unsupported_channel_count"),
        ("65 channels", withFormat(Bytes.format(channels: 65)), "unsupported_channel_count"),
        ("rate 0", withFormat(Bytes.format(rate: 0)), "wav_invalid_format"),
        ("rate 4 GHz", withFormat(Bytes.format(rate: 0xFFFF_FFFF)), "wav_invalid_format"),
        ("frame of 0 bytes", withFormat(Bytes.format(frameBytes: 0)), "wav_invalid_format"),
        ("frame of odd width", withFormat(Bytes.format(channels: 2, frameBytes: 3)), "wav_invalid_format"),
        ("0 bits", withFormat(Bytes.format(bits: 0)), "wav_invalid_format"),
        ("float of 16 bits", withFormat(Bytes.format(tag: 3)), "wav_unsupported_encoding"),
        ("pcm of 64 bits", withFormat(Bytes.format(bits: 64)), "wav_unsupported_encoding"),
        ("mu-law", withFormat(Bytes.format(tag: 7, bits: 8)), "wav_unsupported_encoding"),
        ("adpcm", withFormat(Bytes.format(tag: 2, bits: 4, frameBytes: 256)), "wav_unsupported_encoding"),
        (
            "foreign subformat", withFormat(Bytes.extensible(subformat: 1, bits: 16, tail: 0)),
            "wav_unsupported_encoding"
        ),
        ("short extension", withFormat(Bytes.format(tag: 0xFFFE)), "wav_truncated"),
    ]

    @Test("Wrong bytes are refused with the code that says why", arguments: wrong)
    func refuses(name: String, bytes: [UInt8], code: String) {
        let error = #expect(throws: AudioFormatError.self) { try WAVReader.read(bytes) }
        #expect(error?.code == code)
        #expect(error?.description.isEmpty == false)
    }

    static let whole = Bytes.file(
        Bytes.chunk("LIST", [1, 2, 3]),
        Bytes.chunk("fmt ", Bytes.extensible(subformat: 1, bits: 24, channels: 2)),
        Bytes.chunk("data", [UInt8](repeating: 5, count: 60)))

    @Test("A file that ends anywhere before its end is refused")
    func everyCut() throws {
        #expect(try WAVReader.read(Self.whole).frames == 10)
        for count in 0..<Self.whole.count {
            #expect(throws: AudioFormatError.self) { try WAVReader.read(Array(Self.whole.prefix(count))) }
        }
    }

    @Test("Changed bytes give audio that fits into the file, or a typed error")
    func changedBytes() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5_000 {
            var bytes = Self.whole
            for _ in 0..<3 {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            do throws(AudioFormatError) {
                let audio = try WAVReader.read(bytes)
                #expect(audio.samples.count <= bytes.count)
            } catch {
                #expect(!error.code.isEmpty)
            }
        }
    }
}
