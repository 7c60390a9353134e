import SeededRandom
import Foundation
import Synchronization

/// A TCP forwarder that cuts every connection after a random time, given by a seed: half of them with a reset.
public final class CuttingProxy: Sendable {
    private struct State {
        var isStopped = false
        var cuts = 0
        var generator: SeededGenerator
    }

    private let listener: LoopbackListener
    private let target: UInt16
    private let lifetimes: ClosedRange<Int>
    private let state: Mutex<State>

    /// The port to connect to instead of the target's.
    public var port: UInt16 { listener.port }
    /// How many connections it has cut.
    public var cuts: Int { state.withLock { $0.cuts } }

    /// Forwards to `target` on 127.0.0.1; each connection lives for a time of `lifetimes`, in milliseconds.
    public init(target: UInt16, seed: UInt64, lifetimes: ClosedRange<Int>) throws {
        guard let listener = LoopbackListener() else { throw LabError.setup("listen") }
        self.listener = listener
        self.target = target
        self.lifetimes = lifetimes
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener.descriptor, nil, nil)
                if client < 0 && errno == EINTR { continue }
                guard client >= 0, !isStopped else { return }
                Thread.detachNewThread { [self] in serve(client) }
            }
        }
    }

    /// Ends all connections and threads.
    public func stop() {
        state.withLock { $0.isStopped = true }
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let server = LoopbackListener.connect(to: target) else { return }
        defer { close(server) }
        let (lifetime, resets) = state.withLock { state in
            (Int.random(in: lifetimes, using: &state.generator), Bool.random(using: &state.generator))
        }
        let end = ContinuousClock.now + .milliseconds(lifetime)
        while !isStopped {
            guard ContinuousClock.now < end else {
                state.withLock { $0.cuts += 1 }
                if resets { for socket in [client, server] { Self.reset(socket) } }
                return
            }
            guard Self.move(between: client, and: server) else { return }
        }
    }

    /// Moves what is there in both directions, waiting 10 ms at most; false at the end of either side.
    private static func move(between one: Int32, and other: Int32) -> Bool {
        var polls = [
            pollfd(fd: one, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polls, 2, 10) > 0 else { return true }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        for (index, target) in [other, one].enumerated() where polls[index].revents != 0 {
            let count = recv(polls[index].fd, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            var sent = 0
            while sent < count {
                let done = buffer.withUnsafeBytes {
                    send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard done > 0 else { return false }
                sent += done
            }
        }
        return true
    }

    private static func reset(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
