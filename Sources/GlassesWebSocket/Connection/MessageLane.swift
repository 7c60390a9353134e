import GlassesDomain

/// Messages that wait in their order, with their bytes and the moment each was accepted.
struct MessageLane: Sendable {
    private struct Entry: Sendable {
        var message: OutgoingMessage
        var accepted: MonotonicTime
    }

    /// An emptied place is cleared, so that a body leaves with its message.
    private var entries: [Entry?] = []
    private var first = 0
    private(set) var bytes = 0

    var isEmpty: Bool { first == entries.count }
    /// When the message that waits longest was accepted; nil when none waits.
    var oldest: MonotonicTime? { isEmpty ? nil : entries[first]?.accepted }

    mutating func append(_ message: OutgoingMessage, at now: MonotonicTime) {
        entries.append(Entry(message: message, accepted: now))
        bytes += message.remaining
    }

    mutating func popFirst() -> OutgoingMessage? {
        guard !isEmpty, let entry = entries[first] else { return nil }
        entries[first] = nil
        first += 1
        bytes -= entry.message.remaining
        if first == entries.count {
            entries.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 64 && first * 2 >= entries.count {
            entries.removeFirst(first)
            first = 0
        }
        return entry.message
    }

    mutating func removeAll() { self = MessageLane() }
}
