import GlassesDomain

/// The way to one chat endpoint: a port, so that the pipeline opens no socket itself.
public struct ChatTransport: Sendable {
    /// Sends a request body (JSON) by POST and returns when the head of the answer is there; throws ``BrainError`` when there is none
    /// within `patience` of the call. Nothing waits longer than that for the next bytes of the body either. Cancelling the task, or
    /// letting go of the answer, closes the connection at once.
    public var post: @Sendable (_ body: [UInt8], _ patience: ChatPatience) async throws(BrainError) -> ChatAnswerStream

    /// A transport made of its function.
    public init(
        post:
            @escaping @Sendable (_ body: [UInt8], _ patience: ChatPatience) async throws(BrainError)
            -> ChatAnswerStream
    ) {
        self.post = post
    }
}

/// How long a transport waits for an endpoint.
public struct ChatPatience: Sendable, Hashable {
    /// For the head of the answer, from the call on.
    public var head: Duration
    /// For the next bytes of its body.
    public var silence: Duration

    /// Two waits.
    public init(head: Duration, silence: Duration) {
        self.head = head
        self.silence = silence
    }
}

/// An answer whose body is read as it comes.
public struct ChatAnswerStream: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Whether the body says that it is a stream of events (`text/event-stream`).
    public var isEventStream: Bool
    /// What `Retry-After` asks for; nil when there is none.
    public var retryAfter: Duration?
    /// The next bytes; nil at the end, and when the task was cancelled. One reader. Throws when the body breaks off.
    public var next: @Sendable () async throws(BrainError) -> [UInt8]?

    /// An answer.
    public init(
        status: Int, isEventStream: Bool, retryAfter: Duration? = nil,
        next: @escaping @Sendable () async throws(BrainError) -> [UInt8]?
    ) {
        self.status = status
        self.isEventStream = isEventStream
        self.retryAfter = retryAfter
        self.next = next
    }
}
