import GlassesDomain

/// One step of a session as it happened: what its machine was told, what it found out about texts, and what it decided.
public struct TraceStep: Sendable {
    /// When.
    public let at: MonotonicTime
    /// The fact.
    public let input: SessionInput
    /// What was found out about texts.
    public let verdicts: [TextVerdict]
    /// What followed.
    public let actions: SessionActions
    /// The samples that came with the fact, if it is about audio.
    public let audio: [Int16]?

    /// A step.
    public init(
        at: MonotonicTime, input: SessionInput, verdicts: [TextVerdict], actions: SessionActions, audio: [Int16]? = nil
    ) {
        self.at = at
        self.input = input
        self.verdicts = verdicts
        self.actions = actions
        self.audio = audio
    }
}

/// What a trace keeps of what was said.
public struct TracePrivacy: Sendable, Hashable {
    /// Whether texts are kept as they are; otherwise an `x` takes the place of each letter (``LetterMask``).
    public var keepsText = false
    /// Whether the audio of answers is kept; otherwise its length and a hash are.
    public var keepsAudio = false

    /// Nothing that was said is kept.
    public init() {}
}

/// A recorded session: its configuration, its steps, and how the record ends. docs/trace-format.md describes the file.
public struct SessionTrace: Sendable {
    /// How a trace's first line names itself.
    public static let format = "extentos-session"
    /// The version that is written, and the newest one that is read.
    public static let version: Int64 = 1

    /// A step as it stands in the file.
    public struct Step: Sendable {
        /// The line of the file, counted from 1.
        public let line: Int
        /// When, on the clock of the machine that made the trace.
        public let at: MonotonicTime
        /// The fact.
        public let input: SessionInput
        /// The fact as it stands in the file.
        public let inputJSON: JSONValue
        /// What was found out about texts.
        public let verdicts: [TextVerdict]
        /// What followed, as it stands in the file.
        public let actions: [JSONValue]
        /// What the file says of the fact's audio.
        public let audio: JSONValue?
    }

    /// Why nothing more stands in a trace.
    public enum End: String, Sendable, Hashable {
        /// The program has ended it.
        case complete
        /// The file had reached its limit.
        case limit
        /// Its writer had fallen too far behind the session.
        case behind
    }

    /// What was kept of what was said.
    public let privacy: TracePrivacy
    /// The session's configuration.
    public let configuration: SessionConfiguration
    /// The steps, oldest first.
    public let steps: [Step]
    /// How it ends; nil when its program was killed or crashed.
    public let end: End?
    /// The last line, when it is cut off, as a crash leaves it.
    public let cutOffLine: Int?
}
