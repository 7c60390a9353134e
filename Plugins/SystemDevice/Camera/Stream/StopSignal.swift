import Glibc
import Synchronization
import SystemDeviceStreams

/// Asks a camera's thread to end, also while it waits for a descriptor.
package final class StopSignal: Sendable {
    /// What a wait ended with.
    enum Wake: Equatable {
        case stopped
        case timePassed
        /// The other descriptor has something to say.
        case ready
    }

    private let isSet = Atomic(false)
    private let event = EventSignal()

    package init() {}

    /// Ends every wait, now and later. [any]
    package func set() {
        isSet.store(true, ordering: .releasing)
        event.signal()
    }

    /// Waits until it is set, `descriptor` can be read, or the time `deadline` is there.
    func wait(for descriptor: Int32 = -1, until deadline: Int64) -> Wake {
        while true {
            if isSet.load(ordering: .acquiring) { return .stopped }
            var entries = [
                pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, 2, wholeMilliseconds(deadline - monotonicNow()))
            if isSet.load(ordering: .acquiring) { return .stopped }
            if count > 0, entries[1].revents != 0 { return .ready }
            if monotonicNow() >= deadline { return .timePassed }
        }
    }
}
