import Synchronization

/// A common bound for the unfinished messages of several connections, such as all of one token.
///
/// Bytes count from their arrival until their message is complete and handed over. The connection whose bytes would
/// pass the bound is closed with 1009.
public final class InboundBudget: Sendable {
    /// The bound, in bytes.
    public let limit: Int
    private let used = Atomic<Int>(0)

    /// A budget of `limit` bytes.
    public init(limit: Int) { self.limit = limit }

    /// The bytes that count now; callable on any thread.
    public var bytesInUse: Int { used.load(ordering: .relaxed) }

    /// Takes `count` bytes; false, and nothing taken, when they would pass the bound.
    func reserve(_ count: Int) -> Bool {
        if used.add(count, ordering: .relaxed).newValue <= limit { return true }
        release(count)
        return false
    }

    /// Gives `count` bytes back.
    func release(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}
