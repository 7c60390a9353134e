import GlassesDomain

/// Makes the bytes of a 16-bit PCM WAV file while its audio is still coming.
///
/// Write ``openingHeader``, then what ``append(_:)`` returns, at the end ``finishedHeader`` over the first 44 bytes. A
/// file that is never finished says that its length is not known, and ``WAVReader`` reads what is there.
public struct WAVWriter: Sendable, Hashable {
    /// Bytes of the header.
    public static let headerBytes = 44
    /// The most bytes of audio whose size fits into the header: 6 hours of mono at 48 kHz.
    public static let maximumAudioBytes = 0x7FFE_FFFE

    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channels: Int
    /// Bytes of audio so far.
    public private(set) var audioBytes = 0

    /// A writer of a new file.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` or ``AudioFormatError/unsupportedChannelCount(_:)``.
    public init(sampleRate: Int, channels: Int = 1) throws(AudioFormatError) {
        try SampleRates.check(sampleRate)
        guard ChannelMixer.supportedChannels.contains(channels) else { throw .unsupportedChannelCount(channels) }
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// A whole file with the given samples, interleaved.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` or ``AudioFormatError/unsupportedChannelCount(_:)``.
    public static func file(
        samples: [Int16], sampleRate: Int, channels: Int = 1
    ) throws(AudioFormatError) -> [UInt8] {
        var writer = try WAVWriter(sampleRate: sampleRate, channels: channels)
        let audio = writer.append(samples)
        return writer.finishedHeader + audio
    }

    /// The bytes of the next samples, interleaved, to be written at the end of the file.
    public mutating func append(_ samples: [Int16]) -> [UInt8] {
        audioBytes += samples.count * 2
        return PCMBlock(samples: samples, sampleRate: sampleRate).littleEndianBytes
    }

    /// The header to begin the file with: its sizes say "not known".
    public var openingHeader: [UInt8] { header(riffSize: .max, dataSize: .max) }

    /// The header with the sizes of what was appended so far, to be written over the first ``headerBytes`` bytes; beyond
    /// ``maximumAudioBytes`` the sizes stay "not known".
    public var finishedHeader: [UInt8] {
        guard audioBytes <= Self.maximumAudioBytes else { return openingHeader }
        return header(riffSize: UInt32(audioBytes + Self.headerBytes - 8), dataSize: UInt32(audioBytes))
    }

    private func header(riffSize: UInt32, dataSize: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerBytes)
        bytes += "RIFF".utf8
        bytes.append(littleEndian: riffSize)
        bytes += "WAVEfmt ".utf8
        bytes.append(littleEndian: UInt32(16))
        bytes.append(littleEndian: UInt16(1))
        bytes.append(littleEndian: UInt16(channels))
        bytes.append(littleEndian: UInt32(sampleRate))
        bytes.append(littleEndian: UInt32(sampleRate * channels * 2))
        bytes.append(littleEndian: UInt16(channels * 2))
        bytes.append(littleEndian: UInt16(16))
        bytes += "data".utf8
        bytes.append(littleEndian: dataSize)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
