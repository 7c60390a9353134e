import GlassesDomain

/// The speech engines of one glasses instance, loaded on first use.
public struct SpeechEngines: Sendable {
    /// The recogniser; nil when none is installed or none works.
    public var speechToText: @Sendable () async -> (any SpeechToTextEngine)?
    /// The synthesiser; nil when none is installed or none works.
    public var textToSpeech: @Sendable () async -> (any TextToSpeechEngine)?

    /// Engines by two functions, each called at any time from any task.
    public init(
        speechToText: @escaping @Sendable () async -> (any SpeechToTextEngine)?,
        textToSpeech: @escaping @Sendable () async -> (any TextToSpeechEngine)?
    ) {
        self.speechToText = speechToText
        self.textToSpeech = textToSpeech
    }
}

/// Every outside effect of a glasses instance.
public struct RuntimePorts: Sendable {
    /// The clocks.
    public var clock: ClockPort
    /// Loads the transport; called on the first connect, and again after a failure.
    public var loadTransport: @Sendable () async -> ExtentosResult<any GlassesTransport, ConnectError>
    /// Where realtime connections come from.
    public var connector: RealtimeConnector
    /// The speech engines.
    public var speech: SpeechEngines
    /// What turns the camera's frames into files, and scales the assistant's pictures.
    public var media: MediaPorts
    /// Random numbers for the jitter and the identifiers of sessions.
    public var seed: @Sendable () -> UInt64
    /// Gets each delivered log line; nil for none.
    public var logMirror: (@Sendable (LogLevel, String) -> Void)?
    /// Gets every block that the microphone heard; nil for none. Called on the host's reader thread.
    public var microphoneRecorder: (@Sendable (PCMBlock) -> Void)?
    /// Gets the assistant's voice as it comes, before it is mixed or held back; nil for none. Must not block.
    public var voiceRecorder: (@Sendable ([Int16]) -> Void)?
    /// Gets everything that the loudspeaker took, with its rate; nil for none. Must not block.
    public var speakerRecorder: (@Sendable (ArraySlice<Int16>, Int) -> Void)?
    /// Gets the steps of the assistant's sessions; nil for none.
    public var sessionTrace: SessionTracePort?
    /// Reads the files of pictures that the app gives the assistant; none by default.
    public var pictureFiles = PictureFilePort.none
    /// A model that writes, for summaries and for what is remembered; nil makes do with rules.
    public var chat: ChatPort?
    /// Where what is remembered of users is kept, unless the app has a store of its own; nil by default.
    public var memoryStore: (any MemoryStore)?
    /// Ends what was made for this instance, such as engines; called by `shutdown()`.
    public var close: @Sendable () async -> Void

    /// Ports without recorders.
    public init(
        clock: ClockPort,
        loadTransport: @escaping @Sendable () async -> ExtentosResult<any GlassesTransport, ConnectError>,
        connector: RealtimeConnector, speech: SpeechEngines, media: MediaPorts = MediaPorts(),
        seed: @escaping @Sendable () -> UInt64,
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.clock = clock
        self.loadTransport = loadTransport
        self.connector = connector
        self.speech = speech
        self.media = media
        self.seed = seed
        self.close = close
    }
}
