import Synchronization

/// Holds listener tokens together; whatever is in it when the bag goes away is cancelled.
public actor ListenerTokenBag {
    private nonisolated let tokens = Mutex<[any AnyListenerToken]>([])

    /// An empty bag.
    public init() {}

    deinit { release(tokens.withLock { $0 }) }

    /// Adds a token. Any thread.
    public nonisolated func insert(_ token: any AnyListenerToken) { tokens.withLock { $0.append(token) } }

    /// Cancels every token and lets it go; a call of a listener may still be under way. Any thread.
    public nonisolated func clear() { release(take()) }

    /// Cancels every token; no listener is called any more after it returned.
    public func cancelAll() async { for token in take() { await token.cancel() } }

    private nonisolated func take() -> [any AnyListenerToken] {
        tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }

    /// Cancels at once what can be; a token of someone else ends by being let go.
    private nonisolated func release(_ tokens: [any AnyListenerToken]) {
        for token in tokens { (token as? any ReleasableToken)?.cancelAtOnce() }
    }
}
