import CALSA
import CShims
import Glibc

/// An eventfd: wakes a thread that polls it. Signalling never blocks and allocates nothing. [any], also [audio]
package final class EventSignal: Sendable {
    /// The descriptor to poll for reading; -1 when the process has no descriptors left, then waiting ends by its limit.
    package let descriptor: Int32

    package init() { descriptor = cshims_eventfd() }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Wakes the thread.
    package func signal() {
        if descriptor >= 0 { cshims_eventfd_signal(descriptor) }
    }

    /// Takes the signals that arrived.
    func drain() {
        if descriptor >= 0 { _ = cshims_eventfd_drain(descriptor) }
    }

    /// Waits until it is signalled or `nanoseconds` have passed, and takes the signals.
    func wait(nanoseconds: Int64) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // An interrupted wait is a short one: every caller looks again.
        _ = poll(&entry, 1, wholeMilliseconds(nanoseconds))
        drain()
    }
}
