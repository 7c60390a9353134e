import GlassesAudio
import Testing

@Suite struct WAVWriterTests {
    @Test("What is written is read again", arguments: [1, 2])
    func roundTrip(channels: Int) throws {
        let samples: [Int16] = [0, 1, -1, .max, .min, 256]
        let audio = try WAVReader.read(WAVWriter.file(samples: samples, sampleRate: 24_000, channels: channels))
        #expect(audio.samples == samples)
        #expect(audio.sampleRate == 24_000)
        #expect(audio.channels == channels)
        #expect(!audio.isUnfinished)
    }

    @Test("The bytes are those of the standard's canonical file")
    func canonicalBytes() throws {
        let bytes = try WAVWriter.file(samples: [1, -2], sampleRate: 48_000, channels: 2)
        let head: [UInt8] = Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8)
        let format: [UInt8] = [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 16, 0]
        #expect(bytes == head + format + Array("data".utf8) + [4, 0, 0, 0, 1, 0, 0xFE, 0xFF])
    }

    @Test("A file that is still being written can be read, and its patched header makes it whole")
    func streaming() throws {
        var writer = try WAVWriter(sampleRate: 16_000)
        var file = writer.openingHeader
        #expect(file.count == WAVWriter.headerBytes)
        for block in 0..<5 { file += writer.append([Int16(block), Int16(-block)]) }
        let open = try WAVReader.read(file)
        #expect(open.isUnfinished)
        #expect(open.samples == [0, 0, 1, -1, 2, -2, 3, -3, 4, -4])
        file.replaceSubrange(..<WAVWriter.headerBytes, with: writer.finishedHeader)
        let finished = try WAVReader.read(file)
        #expect(!finished.isUnfinished)
        #expect(finished.samples == open.samples)
        #expect(writer.audioBytes == 20)
    }

    @Test("An unsupported format is refused")
    func badFormats() {
        #expect(throws: AudioFormatError.unsupportedSampleRate(0)) { try WAVWriter(sampleRate: 0) }
        #expect(throws: AudioFormatError.unsupportedChannelCount(0)) {
            try WAVWriter(sampleRate: 16_000, channels: 0)
        }
    }
}
