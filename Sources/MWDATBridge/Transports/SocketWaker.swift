import CShims
import Glibc

/// Waits for one socket, or for a call from another thread.
final class SocketWaker: Sendable {
    private let event: Int32

    /// Nil when the process has no descriptor left.
    init?() {
        event = cshims_eventfd()
        guard event >= 0 else { return nil }
    }

    deinit { close(event) }

    /// Ends the wait under way and every later one.
    func wake() { cshims_eventfd_signal(event) }

    /// Whether there is something to read; false when woken.
    func waits(forReading descriptor: Int32) -> Bool {
        wait(descriptor, POLLIN, milliseconds: -1) == true
    }

    /// Whether the socket can be written, or has failed; false when the time is over, nil when woken.
    func waits(forWriting descriptor: Int32, within bound: Duration) -> Bool? {
        wait(descriptor, POLLOUT, milliseconds: Int32(clamping: Int64(bound / .milliseconds(1))))
    }

    private func wait(_ descriptor: Int32, _ events: Int32, milliseconds: Int32) -> Bool? {
        var polled = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&polled, 2, milliseconds)
        if polled[1].revents != 0 { return nil }
        return count > 0 && polled[0].revents != 0
    }
}
