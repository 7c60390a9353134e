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

/// Reads whole RIFF/WAVE files; ``WAVDecoder`` says which, and reads them piece by piece.
public enum WAVReader {
    /// Decodes a whole file.
    ///
    /// A file whose sizes were never filled in is read to the end of the bytes; one whose announced audio is missing is
    /// refused, since its end was lost.
    /// - Throws: ``AudioFormatError`` with a code that begins with `wav_`, or `unsupported_channel_count`.
    public static func read(_ bytes: [UInt8]) throws(AudioFormatError) -> WAVAudio {
        var decoder = WAVDecoder()
        let samples = try decoder.decode(bytes)
        let ending = try decoder.finish()
        if case .truncated = ending { throw .wavTruncated }
        guard let rate = decoder.sampleRate, let channels = decoder.channels else { throw .wavMissingFormat }
        return WAVAudio(
            sampleRate: rate, channels: channels, samples: samples, isUnfinished: ending == .unfinished)
    }
}
