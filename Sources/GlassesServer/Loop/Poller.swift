import CShims
import GlassesDomain
import Glibc

/// epoll, level-triggered: a socket that still has something is reported again in the next turn, so that each turn may
/// be short.
final class Poller {
    /// How many sockets one turn serves at most.
    private static let batch = 128

    /// One socket that is ready.
    struct Ready {
        var key: UInt64
        var isReadable: Bool
        var isWritable: Bool
        /// Both directions are over, or the socket is broken.
        var isDead: Bool
    }

    /// The key of the event that wakes the thread; a socket has any other.
    private static let wakeupKey: UInt64 = 0

    private let descriptor: Int32
    private let wakeup: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: batch)

    /// A poller that the eventfd `wakeup` lets return early. Throws ``ServerError`` when the system has nothing left.
    init(wakeup: Int32) throws(ServerError) {
        self.wakeup = wakeup
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system("start", "no descriptor for epoll") }
        guard add(wakeup, key: Self.wakeupKey, read: true, write: false) else {
            throw .system("start", "no room in epoll")
        }
    }

    deinit { close(descriptor) }

    func add(_ socket: Int32, key: UInt64, read: Bool, write: Bool) -> Bool {
        control(EPOLL_CTL_ADD, socket, key, read: read, write: write)
    }

    func change(_ socket: Int32, key: UInt64, read: Bool, write: Bool) {
        _ = control(EPOLL_CTL_MOD, socket, key, read: read, write: write)
    }

    func remove(_ socket: Int32) { _ = control(EPOLL_CTL_DEL, socket, 0, read: false, write: false) }

    private func control(_ operation: Int32, _ socket: Int32, _ key: UInt64, read: Bool, write: Bool) -> Bool {
        var event = epoll_event()
        event.events = (read ? EPOLLIN.rawValue : 0) | (write ? EPOLLOUT.rawValue : 0)
        event.data.u64 = key
        return epoll_ctl(descriptor, operation, socket, &event) == 0
    }

    /// Waits until a socket is ready, it is woken, or `moment` has come (nil: never), and calls `body` for each ready socket.
    func wait(until moment: MonotonicTime?, _ body: (Ready) -> Void) {
        let count = epoll_wait(descriptor, &events, Int32(events.count), Self.milliseconds(until: moment))
        for index in 0..<max(0, Int(count)) {
            let event = events[index]
            if event.data.u64 == Self.wakeupKey {
                _ = cshims_eventfd_drain(wakeup)
                continue
            }
            body(
                Ready(
                    key: event.data.u64, isReadable: event.events & EPOLLIN.rawValue != 0,
                    isWritable: event.events & EPOLLOUT.rawValue != 0,
                    isDead: event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0))
        }
    }

    private static func milliseconds(until moment: MonotonicTime?) -> Int32 {
        guard let moment else { return -1 }
        let left = MonotonicTime.now.duration(to: moment).wholeNanoseconds
        // Rounded up: a moment that is nearly there would otherwise be polled for in a tight loop.
        return Int32(clamping: max(0, left + 999_999) / 1_000_000)
    }
}
