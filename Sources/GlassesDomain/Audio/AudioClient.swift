import Foundation

/// How a stream treats a consumer that reads slowly.
public enum Backpressure: Sendable, Hashable {
    case dropOldest
    case dropNewest
    /// Keeps up to `bufferSize` elements, then drops the newest: a live microphone cannot be held back.
    case suspend(bufferSize: Int)
}

/// How text is spoken.
public struct SpeakConfig: Sendable, Hashable {
    /// The voice's name; nil, "" and "system" mean the default voice, and so does an unknown name.
    public var voice: String?
    /// The speed, 0.5…2; 1 is normal.
    public var rate: Float
    /// The pitch, -1…1; 0 is normal.
    public var pitch: Float
    /// The gain, 0…1.
    public var volume: Float
    /// Whether `speak` returns only when the loudspeaker has played the last word.
    public var waitForCompletion: Bool

    /// A configuration; values outside their ranges are clamped.
    public init(
        voice: String? = nil, rate: Float = 1.0, pitch: Float = 0.0, volume: Float = 1.0,
        waitForCompletion: Bool = true
    ) {
        self.voice = voice
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.waitForCompletion = waitForCompletion
    }
}

/// How microphone audio is delivered.
public struct AudioChunkConfig: Sendable, Hashable {
    /// The length of a chunk in milliseconds, 10…1000.
    public var chunkMillis: Int
    /// Frames per second, 8,000…48,000.
    public var sampleRate: Int
    /// What happens to chunks that are not read in time.
    public var backpressure: Backpressure

    /// A configuration; values outside their ranges are clamped.
    public init(
        chunkMillis: Int = 20, sampleRate: Int = 16000, backpressure: Backpressure = .suspend(bufferSize: 16)
    ) {
        self.chunkMillis = chunkMillis
        self.sampleRate = sampleRate
        self.backpressure = backpressure
    }
}

/// Which transcripts are delivered.
public struct TranscriptionConfig: Sendable, Hashable {
    /// The BCP 47 language, in whichever region. A stream with a language that the recogniser does not have ends at once, and the log
    /// says `transcription.language_unavailable`.
    public var language: String
    /// Partial transcripts below this confidence are left out, 0…1.
    public var minPartialConfidence: Float
    /// Whether partial transcripts are delivered at all.
    public var partial: Bool

    /// A configuration.
    public init(language: String = "en-US", minPartialConfidence: Float = 0.3, partial: Bool = true) {
        self.language = language
        self.minPartialConfidence = minPartialConfidence
        self.partial = partial
    }
}

/// A piece of microphone audio: little-endian mono PCM16.
public struct AudioChunk: Sendable, Hashable {
    /// The samples, two bytes each.
    public var samples: Data
    /// Frames per second.
    public var sampleRate: Int
    /// When the first sample was captured, in milliseconds of the monotonic clock.
    public var timestampMs: Int64

    /// A chunk.
    public init(samples: Data, sampleRate: Int, timestampMs: Int64) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.timestampMs = timestampMs
    }
}

/// What a recogniser heard.
public enum Transcript: Sendable, Hashable {
    /// The words so far of an utterance that goes on.
    case partial(text: String, confidence: Double)
    /// The words of a finished utterance, with its place in milliseconds since the stream began.
    case final(text: String, confidence: Double, startMs: Int64?, endMs: Int64?)
}

/// The microphone and the loudspeaker, beside the assistant.
public protocol AudioClient: AnyObject, Sendable {
    /// Speaks `text`. Fails with `.notConnected` without a device and `.platformError` without a speech engine.
    func speak(_ text: String, config: SpeakConfig) async -> ExtentosResult<Void, AudioError>
    /// Stops what `speak` plays, at once; does nothing when nothing plays, and never touches the assistant's voice.
    func cancelSpeak() async
    /// Live microphone audio in exact chunks. While a microphone toggle is closed, the stream stays open and silent.
    func audioChunks(config: AudioChunkConfig) -> AsyncStream<AudioChunk>
    /// Continuous recognition. While a microphone toggle is closed, the stream stays open and the microphone is released.
    func transcriptions(config: TranscriptionConfig) -> AsyncStream<Transcript>
}

extension AudioClient {
    /// Speaks `text` with the default configuration.
    public func speak(_ text: String) async -> ExtentosResult<Void, AudioError> {
        await speak(text, config: SpeakConfig())
    }
    /// Live microphone audio in chunks of 20 ms at 16 kHz.
    public func audioChunks() -> AsyncStream<AudioChunk> { audioChunks(config: AudioChunkConfig()) }
    /// Continuous recognition with the default configuration.
    public func transcriptions() -> AsyncStream<Transcript> { transcriptions(config: TranscriptionConfig()) }
}
