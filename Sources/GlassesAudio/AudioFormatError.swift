import GlassesDomain

/// Why audio of some format could not be taken or made.
///
/// Its description names formats and sizes only, never samples.
public struct AudioFormatError: ExtentosErrorDescription, Sendable, Hashable {
    /// The machine-readable cause in snake case, such as `unsupported_sample_rate` or `wav_truncated`.
    public let code: String
    /// The caller's: it chose the format or handed in the bytes.
    public var blame: Blame { .local }
    /// One sentence with the next step.
    public let description: String

    private init(_ code: String, _ description: String) {
        self.code = code
        self.description = description
    }

    /// A rate outside ``SampleRates/supported``: code `unsupported_sample_rate`.
    public static func unsupportedSampleRate(_ rate: Int) -> AudioFormatError {
        AudioFormatError(
            "unsupported_sample_rate",
            "\(rate) frames per second is not supported. Use a rate from 8,000 to 192,000.")
    }

    /// A channel count outside ``ChannelMixer/supportedChannels``: code `unsupported_channel_count`.
    public static func unsupportedChannelCount(_ channels: Int) -> AudioFormatError {
        AudioFormatError(
            "unsupported_channel_count", "\(channels) channels are not supported. Use 1 to 64.")
    }

    /// A VAD frame length outside ``EnergyVAD/supportedFrameMs``: code `unsupported_frame_length`.
    public static func unsupportedFrameLength(milliseconds: Int) -> AudioFormatError {
        AudioFormatError(
            "unsupported_frame_length", "Frames of \(milliseconds) ms are not supported. Use 10 to 40 ms.")
    }

    /// The resampler could not get its memory: code `out_of_memory`.
    public static let outOfMemory = AudioFormatError(
        "out_of_memory", "There is no memory for the resampler. Close other programs and try again.")

    /// Opus refused to work, with its own code: code `opus`.
    public static func opus(_ code: Int32) -> AudioFormatError {
        AudioFormatError("opus", "Opus refused to work (\(code)). Send whole packets, or report this with the code.")
    }

    /// The bytes do not begin as a WAV file does: code `wav_not_riff`.
    public static let wavNotRIFF = AudioFormatError(
        "wav_not_riff", "The file is not a RIFF/WAVE file. Convert it to WAV first.")

    /// The bytes end inside the header, or before the audio that the header announces: code `wav_truncated`.
    public static let wavTruncated = AudioFormatError(
        "wav_truncated", "The WAV file ends too early. Copy or record it again.")

    /// The audio comes before its format, or there is no format: code `wav_missing_format`.
    public static let wavMissingFormat = AudioFormatError(
        "wav_missing_format", "The WAV file has no format chunk before its audio. Convert it again.")

    /// There is no audio chunk: code `wav_missing_data`.
    public static let wavMissingData = AudioFormatError(
        "wav_missing_data", "The WAV file has no audio chunk. Convert it again.")

    /// The format chunk contradicts itself: code `wav_invalid_format`.
    public static let wavInvalidFormat = AudioFormatError(
        "wav_invalid_format", "The WAV file's format chunk contradicts itself. Convert it again.")

    /// The samples are coded in a way that is not read: code `wav_unsupported_encoding`.
    public static func wavUnsupportedEncoding(tag: Int, bits: Int) -> AudioFormatError {
        AudioFormatError(
            "wav_unsupported_encoding",
            "WAV format \(tag) with \(bits) bits is not read. Convert the file to 16-bit PCM.")
    }
}
