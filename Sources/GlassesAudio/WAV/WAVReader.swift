/// A decoded WAV file.
public struct WAVAudio: Sendable, Hashable {
    /// Frames per second as the file states it, 1…768,000; it may be a rate that ``Resampler`` refuses.
    public let sampleRate: Int
    /// Samples per frame, 1…64.
    public let channels: Int
    /// The samples, interleaved, whole frames only.
    public let samples: [Int16]
    /// Whether the file's sizes were never filled in, because its writer did not finish.
    public let isUnfinished: Bool

    /// Frames in the file.
    public var frames: Int { samples.count / channels }

    /// The samples mixed down to one channel.
    public func mono() throws(AudioFormatError) -> [Int16] {
        var mixer = try ChannelMixer(channels: channels)
        return mixer.downmix(samples)
    }
}

/// Reads RIFF/WAVE files: PCM of 8, 16, 24 and 32 bits and floating point of 32 and 64, also in the extensible form.
public enum WAVReader {
    /// Decodes a whole file. Chunks that are not known are skipped.
    ///
    /// A file whose sizes were never filled in is read to the end of the bytes; one whose announced audio is missing is
    /// refused, since its end was lost.
    /// - Throws: ``AudioFormatError`` with a code that begins with `wav_`, or `unsupported_channel_count`.
    public static func read(_ bytes: [UInt8]) throws(AudioFormatError) -> WAVAudio {
        var reader = ByteReader(bytes[...])
        guard reader.remaining >= 12 else { throw Self.isRIFF(bytes) ? .wavTruncated : .wavNotRIFF }
        let riff = reader.take(atMost: 4)
        let riffSize = try reader.uint32()
        guard riff.elementsEqual("RIFF".utf8), try reader.take(4).elementsEqual("WAVE".utf8) else {
            throw .wavNotRIFF
        }
        var format: WAVFormat?
        while reader.remaining >= 8 {
            let id = try reader.take(4)
            let size = Int(try reader.uint32())
            if id.elementsEqual("fmt ".utf8) {
                format = try WAVFormat(chunk: try reader.take(size))
            } else if id.elementsEqual("data".utf8) {
                guard let format else { throw .wavMissingFormat }
                let isUnfinished = size >= unknownSize || (size == 0 && Int(riffSize) + 8 <= reader.position)
                let data = isUnfinished ? reader.take(atMost: reader.remaining) : try reader.take(size)
                return WAVAudio(
                    sampleRate: format.sampleRate, channels: format.channels, samples: format.samples(of: data),
                    isUnfinished: isUnfinished)
            } else {
                _ = try reader.take(size)
            }
            // Chunks begin at even places; the padding byte may be missing at the end of the file.
            _ = reader.take(atMost: size & 1)
        }
        throw format == nil ? .wavMissingFormat : reader.remaining > 0 ? .wavTruncated : .wavMissingData
    }

    /// Sizes from here on mean "not known yet": writers to a pipe put 2³¹ or 2³² there, less a header.
    private static let unknownSize = 0x7FFF_0000

    private static func isRIFF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "RIFF".utf8) }
}
