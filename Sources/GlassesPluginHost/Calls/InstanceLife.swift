import Synchronization

/// Whether an instance may still be called. Everyone asks on the thread of the call itself, so that a call that was
/// queued before the end and comes to run after it does not reach a destroyed instance.
final class InstanceLife: Sendable {
    private let hasEnded = Atomic(false)

    /// Whether ``end()`` was called.
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// The instance is about to be destroyed; false when it was before.
    func end() -> Bool {
        hasEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }
}
