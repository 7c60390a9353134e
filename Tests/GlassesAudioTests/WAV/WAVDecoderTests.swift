import GlassesAudio
import Testing

@Suite struct WAVDecoderTests {
    typealias Bytes = WAVBytes

    private static let frames = 500
    private static let data = (0..<2 * frames).flatMap { Bytes.little($0, bytes: 3) }
    private static let file = Bytes.file(
        Bytes.chunk("LIST", [1, 2, 3]),
        Bytes.chunk("fmt ", Bytes.extensible(subformat: 1, bits: 24, channels: 2)),
        Bytes.chunk("fact", [1, 2, 3, 4, 5]), Bytes.chunk("data", data), Bytes.chunk("id3 ", [9, 9, 9]))

    /// Everything that a decoder makes of `bytes` in pieces of `size`.
    private func decode(
        _ bytes: [UInt8], piece size: Int
    ) throws -> (samples: [Int16], ending: WAVDecoder.Ending, decoder: WAVDecoder) {
        var decoder = WAVDecoder()
        var samples: [Int16] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = try decoder.decode(bytes[start..<min(start + size, bytes.count)])
            #expect(piece.count % 2 == 0, "only whole frames are handed out")
            samples += piece
        }
        return (samples, try decoder.finish(), decoder)
    }

    @Test("How a file is cut into pieces changes nothing", arguments: [1, 2, 5, 7, 64, 4_096])
    func pieces(size: Int) throws {
        let whole = try WAVReader.read(Self.file)
        let (samples, ending, decoder) = try decode(Self.file, piece: size)
        #expect(samples == whole.samples)
        #expect(samples.count == 2 * Self.frames)
        #expect(ending == .complete)
        #expect(decoder.sampleRate == 16_000)
        #expect(decoder.channels == 2)
    }

    @Test("A file that lost its end gives what is there and says how much is missing", arguments: [1, 100, 1_499])
    func truncated(lost: Int) throws {
        let trailer = Bytes.chunk("id3 ", [9, 9, 9]).count
        let (samples, ending, _) = try decode(Array(Self.file.dropLast(trailer + lost)), piece: 100)
        let missing = (lost + 5) / 6
        #expect(samples.count == 2 * (Self.frames - missing))
        #expect(ending == .truncated(missingFrames: Int64(missing)))
    }

    @Test("A file from a pipe lasts to its end", arguments: [0, 0x7FFF_FFDB, 0xFFFF_FFFF])
    func unfinished(size: Int) throws {
        let file = Bytes.file(
            Bytes.chunk("fmt ", Bytes.format(channels: 2)), Bytes.chunk("data", Self.data, size: size), riffSize: size)
        let (samples, ending, _) = try decode(file, piece: 33)
        #expect(samples.count == Self.data.count / 4 * 2)
        #expect(ending == .unfinished)
    }

    @Test("The 64-bit sizes of an RF64 file are believed, so that chunks after the audio are no audio")
    func rf64() throws {
        let sizes = Bytes.little(0, bytes: 8) + Bytes.little(8, bytes: 8) + Bytes.little(2, bytes: 8)
        var file = Bytes.file(
            Bytes.chunk("ds64", sizes + Bytes.little(0, bytes: 4)), Bytes.chunk("fmt ", Bytes.format(channels: 2)),
            Bytes.chunk("data", [1, 0, 2, 0, 3, 0, 4, 0], size: 0xFFFF_FFFF), Bytes.chunk("id3 ", [9, 9, 9, 9]),
            riffSize: 0xFFFF_FFFF)
        file.replaceSubrange(0..<4, with: "RF64".utf8)
        let (samples, ending, _) = try decode(file, piece: 3)
        #expect(samples == [1, 2, 3, 4])
        #expect(ending == .complete)
    }

    @Test("What is wrong is said as soon as it is seen")
    func early() throws {
        var decoder = WAVDecoder()
        #expect(throws: AudioFormatError.wavNotRIFF) { try decoder.decode("This is no sound at all.".utf8) }
        var second = WAVDecoder()
        #expect(throws: AudioFormatError.wavMissingFormat) {
            try second.decode(Bytes.file(Bytes.chunk("data", [0, 0])))
        }
    }
}
