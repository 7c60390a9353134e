import CShims
import GlassesDomain
import Glibc

/// One epoll set: which descriptors the network thread waits for, and under which number it finds them again.
final class Poller {
    /// What a descriptor is watched for.
    struct Interest: OptionSet {
        let rawValue: UInt32
        static let read = Interest(rawValue: EPOLLIN.rawValue)
        static let write = Interest(rawValue: EPOLLOUT.rawValue)
        /// Told once for each change, so that an eventfd need not be read.
        static let changesOnly = Interest(rawValue: EPOLLET.rawValue)
    }

    /// A descriptor that became ready. Errors and hang-ups count as readable and writable: the next call tells the cause.
    struct Ready {
        var token: UInt64
        var readable: Bool
        var writable: Bool
    }

    private let descriptor: Int32
    /// One call takes at most this many; the rest is reported by the next one.
    private static let batch = 64
    private var events = [epoll_event](repeating: epoll_event(), count: batch)

    /// Nil when the process has no descriptor left.
    init?() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Watches `socket` for `interest`, instead of whatever it was watched for. False when the kernel refuses.
    func watch(_ socket: Int32, for interest: Interest, token: UInt64) -> Bool {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = token
        if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) == 0 { return true }
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
    }

    /// Stops watching `socket`; one that is not watched, or closed already, is no error.
    func forget(_ socket: Int32) {
        var event = epoll_event()
        epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, &event)
    }

    /// Waits until a descriptor is ready or `limit` has passed (nil: for ever) and calls `body` for each ready one.
    func wait(atMost limit: Duration?, _ body: (Ready) -> Void) {
        let count = epoll_wait(descriptor, &events, Int32(Self.batch), Self.milliseconds(limit))
        guard count > 0 else { return }
        for event in events[..<Int(count)] {
            let failed = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
            body(
                Ready(
                    token: event.data.u64, readable: failed || event.events & EPOLLIN.rawValue != 0,
                    writable: failed || event.events & EPOLLOUT.rawValue != 0))
        }
    }

    /// Rounded up, so that a deadline has passed when the wait ends.
    private static func milliseconds(_ limit: Duration?) -> Int32 {
        guard let limit else { return -1 }
        let nanoseconds = max(limit.wholeNanoseconds, 0)
        return Int32(clamping: (nanoseconds / 1_000_000) + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}
