/// Why a speech engine could not do its work.
public struct SpeechEngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The machine-readable cause: `engine_unavailable`, `engine_busy`, `engine_failed`, `timeout`, `cancelled`.
    public var code: String
    /// One sentence for a person, with the next step; never any recognised or spoken text.
    public var message: String

    /// An error with a code and a sentence.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    public var description: String { message }
}

/// What a recogniser understood of one utterance.
public struct RecognitionResult: Sendable, Hashable {
    /// The words; empty when no speech was recognised.
    public var text: String
    /// The engine's confidence from 0 to 1.
    public var confidence: Double

    /// A result.
    public init(text: String, confidence: Double) {
        self.text = text
        self.confidence = confidence
    }
}

/// A speech recogniser; one thread of its own does the work, so no call waits for it.
public protocol SpeechToTextEngine: AnyObject, Sendable {
    /// The engine's id, such as `org.extentos.speech-classic.pocketsphinx`.
    var id: String { get }
    /// The rate of the audio that it takes, in frames per second.
    var sampleRate: Int { get }
    /// The BCP 47 languages that it understands; US English unless the engine says otherwise.
    var languages: [String] { get }
    /// Begins an utterance. Results of the call are one partial text at a time (may be none) and then exactly one `final` or `failed`.
    func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance
    /// Ends the engine within 2 s; open utterances fail with `cancelled`.
    func shutdown() async
}

extension SpeechToTextEngine {
    /// US English.
    public var languages: [String] { ["en-US"] }

    /// Whether the engine has this BCP 47 language, in whichever region: `en` and `en-GB` are understood by an engine of `en-US`.
    public func understands(language: String) -> Bool {
        let wanted = Self.primarySubtag(language)
        return languages.contains { Self.primarySubtag($0) == wanted }
    }

    private static func primarySubtag(_ language: String) -> String {
        language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init) ?? ""
    }
}

/// One utterance in recognition.
public protocol SpeechToTextUtterance: AnyObject, Sendable {
    /// Adds audio at the engine's rate; false when more than 60 s are waiting, and that audio is dropped.
    func push(_ samples: [Int16]) -> Bool
    /// Says that the utterance is complete and waits for its words, at most 30 s. Exactly one ending; cancelling the task cancels the utterance.
    func finish() async throws(SpeechEngineError) -> RecognitionResult
    /// Drops the utterance; a waiting ``finish()`` throws `cancelled`.
    func cancel()
}

/// A speech synthesiser; one thread of its own does the work.
public protocol TextToSpeechEngine: AnyObject, Sendable {
    /// The engine's id, such as `org.extentos.speech-classic.flite`.
    var id: String { get }
    /// The rate of the audio that it makes, in frames per second.
    var sampleRate: Int { get }
    /// The voices that `voice` may name; the first is the default.
    var voices: [String] { get }
    /// Speaks `text` as blocks of audio at ``sampleRate``; an unknown voice falls back to the default. Cancelling the task ends the synthesis.
    func synthesize(_ text: String, voice: String?, rate: Float, pitch: Float) -> AsyncThrowingStream<
        PCMBlock, any Error
    >
    /// Ends the engine within 2 s.
    func shutdown() async
}
