import CShims
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

    private let descriptor: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: batch)

    /// Throws ``ServerError`` when the system has no more descriptors.
    init() throws(ServerError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system("start", "no descriptor for epoll") }
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

    /// Waits for at most `milliseconds` (-1: without a bound) and calls `body` for each ready socket.
    func wait(milliseconds: Int32, _ body: (Ready) -> Void) {
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let event = events[index]
            body(
                Ready(
                    key: event.data.u64, isReadable: event.events & EPOLLIN.rawValue != 0,
                    isWritable: event.events & EPOLLOUT.rawValue != 0,
                    isDead: event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0))
        }
    }
}
