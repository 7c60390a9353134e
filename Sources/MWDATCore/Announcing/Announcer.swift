/// Tells its listeners what happens.
public protocol Announcer<T>: Sendable {
    /// What is told.
    associatedtype T: Sendable

    /// Adds a listener, which is told everything that happens from now on, in order; the current value is not told.
    ///
    /// Every call adds another one. It is called on a thread of the toolkit, never under a lock: it may call anything, but one
    /// that blocks holds up the others.
    ///
    /// The listener lives as long as the token. A token that is dropped within 50 ms on the thread that called `listen` counts as
    /// not wanted (`_ = publisher.listen { … }`): the listener then lives until its publisher ends. The environment
    /// variable `MWDAT_STRICT_TOKENS=1` turns that off.
    func listen(_ listener: @escaping @Sendable (T) -> Void) -> any AnyListenerToken

    /// What happens, for one reader. A publisher of states begins with the current one; it ends with what its source tells last.
    var stream: AsyncStream<T> { get }
}

extension Announcer {
    /// Everything that happens from now on; keeps the newest 256 that are not read. It ends when its reader does.
    public var stream: AsyncStream<T> {
        let (stream, continuation) = AsyncStream.makeStream(of: T.self, bufferingPolicy: .bufferingNewest(256))
        let token = listen { continuation.yield($0) }
        continuation.onTermination = { _ in (token as? any ReleasableToken)?.cancelAtOnce() }
        return stream
    }
}

/// Holds a listener: it is called no more when the last reference to its token is gone.
public protocol AnyListenerToken: Sendable {
    /// Ends the listener. After it returned the listener is not called any more, and no call of it is under way. May be called
    /// more than once, and after the publisher has ended.
    func cancel() async
}

extension AnyListenerToken {
    /// Lets `bag` hold the token.
    public func store(in bag: ListenerTokenBag) { bag.insert(self) }
}

/// A token of the toolkit's own, which need not wait.
package protocol ReleasableToken: AnyListenerToken {
    /// Ends the listener at once; a call of it may still be under way.
    func cancelAtOnce()
}
