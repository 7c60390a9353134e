/// What decides what the assistant says and which tools it calls: the part between the recogniser and the synthesiser.
public protocol PipelineBrain: Sendable {
    /// The name that a person reads, such as `rules`.
    var name: String { get }
    /// Whether it can compose free text by instructions, so that a greeting directive makes sense to it.
    var canCompose: Bool { get }
    /// Whether it does anything with pictures; items with pictures are refused otherwise.
    var acceptsImages: Bool { get }
    /// Whether it recognises what pictures show.
    var seesImages: Bool { get }
    /// Begins a conversation with a memory of its own, such as a question that waits for its answer.
    func makeSession() -> any PipelineBrainSession
}

/// One conversation with a brain.
///
/// Requests come one after another, but one that was cancelled may still be running when the next begins.
public protocol PipelineBrainSession: Sendable {
    /// Answers within 30 s, after which the answer counts as failed; the task is cancelled when nobody waits any more.
    func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply
    /// As ``reply(to:)``, for a listener who hears the answer while it is made: `speak` gets its sentences in order, from one task, and
    /// returns at once; what is left of them is the reply's speech. The first piece is due within 30 s, each next one within 30 s
    /// more. An error after the first piece leaves a half answer. By default all of the answer comes with the reply.
    func reply(
        to request: BrainRequest, speak: @escaping @Sendable (BrainPiece) -> Void
    ) async throws(BrainError) -> BrainReply
    /// Whether the last pending message is a whole request that can be answered or carried out as it is, so that nobody need wait
    /// for more words. It has no effect: the same request may be asked, longer, again. False by default.
    func isWholeTurn(_ request: BrainRequest) async -> Bool
}

extension PipelineBrain {
    /// What takes pictures sees them, unless it says otherwise.
    public var seesImages: Bool { acceptsImages }
}

extension PipelineBrainSession {
    /// All of the answer at once.
    public func reply(
        to request: BrainRequest, speak: @escaping @Sendable (BrainPiece) -> Void
    ) async throws(BrainError) -> BrainReply {
        try await reply(to: request)
    }

    /// False: without a judgement the silence decides.
    public func isWholeTurn(_ request: BrainRequest) async -> Bool { false }
}

/// Why a brain has no answer.
public struct BrainError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The machine-readable cause, such as `engine_unavailable` or `rate_limit_exceeded`.
    public var code: String
    /// One sentence for a person, with the next step and without content of the conversation.
    public var message: String
    /// How long the brain wants to be left alone; nil when it does not say.
    public var retryAfter: Duration?

    /// An error with a code and a sentence.
    public init(code: String, message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The sentence.
    public var description: String { message }
}
