/// The format chunk of a WAV file.
struct WAVFormat: Sendable, Hashable {
    private enum Encoding: Sendable, Hashable {
        case unsigned8, signed16, signed24, signed32, float32, float64
    }

    let sampleRate: Int
    let channels: Int
    private let encoding: Encoding
    /// Bytes of one sample, padding included.
    private let sampleBytes: Int
    /// Bytes of one frame.
    var frameBytes: Int { sampleBytes * channels }

    /// WAVE_FORMAT_PCM, WAVE_FORMAT_IEEE_FLOAT and WAVE_FORMAT_EXTENSIBLE.
    private static let (pcmTag, floatTag, extensibleTag) = (1, 3, 0xFFFE)
    /// What follows the two bytes of the format tag in the sub-format of an extensible file.
    private static let subformatTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    /// The fastest rate that a file may state; sound cards end at 768 kHz.
    private static let rates = 1...768_000

    init(chunk: ArraySlice<UInt8>) throws(AudioFormatError) {
        var reader = ByteReader(chunk)
        var tag = Int(try reader.uint16())
        channels = Int(try reader.uint16())
        let rate = try reader.uint32()
        _ = try reader.uint32()
        let frameBytes = Int(try reader.uint16())
        let bits = Int(try reader.uint16())
        if tag == Self.extensibleTag { tag = try Self.subformatTag(&reader) }
        guard ChannelMixer.supportedChannels.contains(channels) else { throw .unsupportedChannelCount(channels) }
        guard Self.rates.contains(Int(rate)), frameBytes % channels == 0 else { throw .wavInvalidFormat }
        sampleRate = Int(rate)
        sampleBytes = frameBytes / channels
        encoding = try Self.encoding(tag: tag, bits: bits, sampleBytes: sampleBytes)
    }

    private static func subformatTag(_ reader: inout ByteReader) throws(AudioFormatError) -> Int {
        // Extension size, valid bits, speaker positions.
        _ = try reader.take(8)
        let tag = Int(try reader.uint16())
        guard try reader.take(subformatTail.count).elementsEqual(subformatTail) else {
            throw .wavUnsupportedEncoding(tag: extensibleTag, bits: 0)
        }
        return tag
    }

    /// Samples of fewer bits lie in the high bits of the next whole number of bytes, so the bytes decide.
    private static func encoding(tag: Int, bits: Int, sampleBytes: Int) throws(AudioFormatError) -> Encoding {
        guard bits > 0, (bits + 7) / 8 == sampleBytes else {
            throw tag == pcmTag || tag == floatTag
                ? .wavInvalidFormat : .wavUnsupportedEncoding(tag: tag, bits: bits)
        }
        switch (tag, sampleBytes) {
        case (pcmTag, 1): return .unsigned8
        case (pcmTag, 2): return .signed16
        case (pcmTag, 3): return .signed24
        case (pcmTag, 4): return .signed32
        case (floatTag, 4): return .float32
        case (floatTag, 8): return .float64
        default: throw .wavUnsupportedEncoding(tag: tag, bits: bits)
        }
    }

    /// The whole frames of `data` as 16-bit samples.
    func samples(of data: ArraySlice<UInt8>) -> [Int16] {
        let count = data.count / frameBytes * channels
        var samples = [Int16]()
        samples.reserveCapacity(count)
        var place = data.startIndex
        for _ in 0..<count {
            samples.append(sample(data, at: place))
            place += sampleBytes
        }
        return samples
    }

    private func sample(_ data: ArraySlice<UInt8>, at place: Int) -> Int16 {
        switch encoding {
        case .unsigned8: (Int16(data[place]) - 128) << 8
        case .signed16, .signed24, .signed32:
            Int16(truncatingIfNeeded: bits(data, at: place) >> UInt64(8 * (sampleBytes - 2)))
        case .float32: Self.clamped(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(data, at: place)))))
        case .float64: Self.clamped(Double(bitPattern: bits(data, at: place)))
        }
    }

    private func bits(_ data: ArraySlice<UInt8>, at place: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in (0..<sampleBytes).reversed() { bits = bits << 8 | UInt64(data[place + index]) }
        return bits
    }

    private static func clamped(_ value: Double) -> Int16 {
        guard value == value else { return 0 }
        return Int16(min(max((value * 32_768).rounded(), -32_768), 32_767))
    }
}
