import Glibc

/// A pair of sockets by which any thread wakes one that polls.
final class WakeSocket: Sendable {
    /// What the polling thread polls.
    let reading: Int32
    private let writing: Int32

    /// Nil when the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
            | Int32(bitPattern: SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Never waits: a full pair wakes its reader already.
    func wake() {
        var byte: UInt8 = 0
        _ = send(writing, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Takes all wake-ups so far.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while recv(reading, &bytes, bytes.count, 0) > 0 {}
    }

    deinit {
        close(reading)
        close(writing)
    }
}
