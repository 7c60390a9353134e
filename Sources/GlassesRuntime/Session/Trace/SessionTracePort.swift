import GlassesAssistant

/// Who gets the steps of sessions, so that they can be lived through again.
public struct SessionTracePort: Sendable {
    /// Gets a step; called on the session's executor in the order of the steps, and must not block it.
    public typealias Listener = @Sendable (TraceStep) -> Void

    /// A session of this configuration was made; nil when its steps are not wanted. Callable on any thread.
    public var begin: @Sendable (SessionConfiguration) -> Listener?

    /// A port made of its function.
    public init(begin: @escaping @Sendable (SessionConfiguration) -> Listener?) { self.begin = begin }
}
