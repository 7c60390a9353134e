/// The bounds of a chat brain; the waits fit inside the 30 s after which the pipeline gives an answer up, with room for the rules.
public struct ChatBrainLimits: Sendable, Hashable {
    /// How long the endpoint may take to begin its answer, models that read a long prompt first included. 15 s.
    public var firstByte: Duration = .seconds(15)
    /// How long it may send nothing in the middle of one. 10 s.
    public var silence: Duration = .seconds(10)
    /// How long a whole answer may take. 27 s: at the speed of speech that is more than anyone listens to.
    public var whole: Duration = .seconds(27)
    /// The longest line of the stream in bytes. 256 KiB: a chunk with the arguments of a whole call.
    public var lineBytes = 256 << 10
    /// The most bytes of one answer's stream, whose chunks are some hundred bytes a word. 8 MiB.
    public var streamBytes = 8 << 20
    /// The longest spoken text of one answer, in characters; the rest is left unsaid. 16,000 are a quarter of an hour.
    public var answerCharacters = 16_000
    /// The most bytes of one call's arguments. 256 KiB.
    public var argumentBytes = 256 << 10
    /// The most calls of one answer. 32, as many as the pipeline passes on.
    public var calls = PipelineLimits.callsPerAnswer
    /// The conversation that is sent along, in characters, beside the instructions and the tools: the oldest turns are left out. 24,000
    /// are about 8,000 tokens.
    public var historyCharacters = 24_000

    /// The usual bounds.
    public init() {}
}
