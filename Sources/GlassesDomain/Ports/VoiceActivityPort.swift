/// How likely it is that somebody speaks in a piece of a stream.
public struct VoiceActivity: Sendable, Hashable {
    /// The piece's first frame, counted from the stream's start at the detector's rate.
    public var firstFrame: Int64
    /// The piece's length in frames, at least 1.
    public var frames: Int
    /// The probability of speech, 0 to 1.
    public var probability: Float

    /// A judgement.
    public init(firstFrame: Int64, frames: Int, probability: Float) {
        self.firstFrame = firstFrame
        self.frames = frames
        self.probability = probability
    }
}

/// A voice activity detector; one thread of its own does the work, so no call waits for it.
public protocol VoiceActivityEngine: AnyObject, Sendable {
    /// The engine's id, such as `org.extentos.speech-neural.silero-vad`.
    var id: String { get }
    /// The rate of the audio that it takes, in frames per second.
    var sampleRate: Int { get }
    /// Begins a stream; it is never closed by itself, but fails at most once.
    ///
    /// `onActivity` gets the judgements in the order of the audio, without gaps but for ``VoiceActivityStream/reset()``; after
    /// `onFailure` none comes any more. Both are called on threads of the engine and must return at once.
    func start(
        onActivity: @escaping @Sendable (VoiceActivity) -> Void,
        onFailure: @escaping @Sendable (SpeechEngineError) -> Void
    ) -> any VoiceActivityStream
    /// Ends the engine within 2 s; open streams fail with `cancelled`.
    func shutdown() async
}

/// A stream that is judged; letting it go ends it.
public protocol VoiceActivityStream: AnyObject, Sendable {
    /// Adds audio at the engine's rate. What cannot be taken, because 2 s of it wait, fails the stream with `engine_busy`.
    func push(_ samples: [Int16])
    /// Forgets what was heard: the next frame begins a new sound. Frames that wait are not judged; counting goes on.
    func reset()
    /// Ends the stream; neither callback comes any more, but for one that is under way.
    func end()
}
