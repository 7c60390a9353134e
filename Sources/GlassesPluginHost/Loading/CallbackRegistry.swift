import Synchronization

/// Finds the receiver of a callback by the number that the plugin got as its context.
///
/// A number instead of a pointer, because a plugin may call back after its instance was destroyed: such a call finds a
/// tombstone, and is reported, where a pointer would be memory that is no longer ours.
final class CallbackRegistry<Receiver: Sendable>: Sendable {
    /// Tombstones name the plugin that calls late; after this many, the oldest are forgotten and their calls do nothing.
    private static var tombstoneLimit: Int { 1_024 }

    private struct State {
        var next: UInt = 1
        var receivers: [UInt: Receiver] = [:]
        var tombstones: [UInt: CallMonitor] = [:]
        var order: [UInt] = []
    }
    private let state = Mutex(State())

    /// The context for a new instance.
    func add(_ receiver: Receiver) -> UInt {
        state.withLock { state in
            defer { state.next += 1 }
            state.receivers[state.next] = receiver
            return state.next
        }
    }

    /// The instance was destroyed.
    func remove(_ context: UInt, monitor: CallMonitor) {
        state.withLock { state in
            guard state.receivers.removeValue(forKey: context) != nil else { return }
            state.tombstones[context] = monitor
            state.order.append(context)
            if state.order.count > Self.tombstoneLimit { state.tombstones[state.order.removeFirst()] = nil }
        }
    }

    /// The receiver behind a context; nil, after a report, when its instance is gone.
    func find(_ context: UnsafeMutableRawPointer?, function: String) -> Receiver? {
        let key = UInt(bitPattern: context)
        let (receiver, monitor) = state.withLock { ($0.receivers[key], $0.tombstones[key]) }
        if receiver == nil { monitor?.report(.callbackAfterDestroy, in: function) }
        return receiver
    }
}
