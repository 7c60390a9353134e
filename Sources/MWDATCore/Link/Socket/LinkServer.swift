import Foundation
import Glibc
import Synchronization

/// Serves links of this process, such as the mock device kit's, to other processes of the same user.
///
/// Its socket is in a private folder of its own. Every connection gets a link of its own, whose sessions end with it.
package final class LinkServer: Sendable {
    /// What was counted so far.
    package struct Statistics: Sendable, Equatable {
        /// Connections that were let in and have ended.
        package var served = 0
        /// Connections that were turned away: other users, too many, another protocol.
        package var refused = 0
        /// Pictures and blocks of sound that slow clients missed.
        package var droppedMedia = 0
    }

    private struct State {
        var statistics = Statistics()
        var connections: [Int: ServedLink] = [:]
        var nextIdentifier = 0
        var isStopping = false
        var thread: LinkThread?
    }

    /// Clients at once: an app's plugin, a shell, and a few more.
    package static let mostConnections = 8
    /// How long ``stop()`` waits for a thread.
    private static let patience = 2

    /// The socket's path, for ``RemoteLink/init(mockLink:name:reconnect:)``.
    package let path: String
    private let folder: String
    private let descriptor: Int32
    private let waker: WakeSocket
    private let makeLink: @Sendable () -> any WearablesLink
    private let state = Mutex(State())

    private init(
        folder: String, path: String, descriptor: Int32, waker: WakeSocket,
        makeLink: @escaping @Sendable () -> any WearablesLink
    ) {
        (self.folder, self.path, self.descriptor, self.waker, self.makeLink) =
            (folder, path, descriptor, waker, makeLink)
    }

    /// Starts to serve in a new folder below `parent`, by default `$XDG_RUNTIME_DIR` or the system's folder for
    /// temporary files. `makeLink` is called on a thread of the server for each connection. Throws ``LinkServerError``
    /// when no socket can be made there.
    package static func start(
        in parent: String? = nil, makeLink: @escaping @Sendable () -> any WearablesLink
    ) throws(LinkServerError) -> LinkServer {
        let environment = ProcessInfo.processInfo.environment
        let parent = parent ?? environment["XDG_RUNTIME_DIR"] ?? environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/extentos-mock-XXXXXX".utf8CString)
        // mkdtemp makes the folder with mode 0700.
        guard mkdtemp(&template) != nil else { throw unusable(parent) }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let path = folder + "/link"
        guard let descriptor = UnixSocket.listen(at: path, backlog: Int32(mostConnections)), let waker = WakeSocket()
        else {
            unlink(path)
            rmdir(folder)
            throw unusable(parent)
        }
        let server = LinkServer(
            folder: folder, path: path, descriptor: descriptor, waker: waker, makeLink: makeLink)
        server.state.withLock { $0.thread = LinkThread(name: "dat-mock-link") { [server] in server.accept() } }
        return server
    }

    private static func unusable(_ parent: String) -> LinkServerError {
        LinkServerError(
            refusal: Refusal(
                .configuration,
                "No socket can be made in \(parent). Set XDG_RUNTIME_DIR to a folder of yours that is writable.",
                isRetryable: false))
    }

    /// What was counted so far.
    package var statistics: Statistics {
        state.withLock { state in
            var statistics = state.statistics
            for connection in state.connections.values { statistics.droppedMedia += connection.droppedMedia }
            return statistics
        }
    }

    /// Ends every connection and removes the socket; waits until its threads have ended, at most some seconds. Further
    /// calls change nothing. Not called from within a link's `deliver`.
    package func stop() {
        let (thread, connections) = state.withLock { state in
            defer { state.isStopping = true }
            return (state.isStopping ? nil : state.thread, Array(state.connections.values))
        }
        guard let thread else { return }
        waker.wake()
        for connection in connections { connection.stop() }
        thread.wait(within: .seconds(Self.patience))
        for connection in connections { connection.wait(within: .seconds(Self.patience)) }
        unlink(path)
        rmdir(folder)
    }

    deinit { close(descriptor) }

    private func accept() {
        while !state.withLock({ $0.isStopping }) {
            var polled = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) > 0 else { continue }
            if polled[1].revents != 0 { waker.drain() }
            guard polled[0].revents != 0 else { continue }
            let accepted = Glibc.accept(descriptor, nil, nil)
            guard accepted >= 0 else {
                // No descriptor is left: the waiting connection keeps the socket readable, so do not spin.
                if errno == EMFILE || errno == ENFILE { usleep(50_000) }
                continue
            }
            admit(accepted)
        }
    }

    private func admit(_ accepted: Int32) {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        guard UnixSocket.peerUser(of: accepted) == geteuid() else {
            close(accepted)
            return state.withLock { $0.statistics.refused += 1 }
        }
        guard let wire = SocketWire(descriptor: accepted) else { return state.withLock { $0.statistics.refused += 1 } }
        state.withLock { state in
            let identifier = state.nextIdentifier
            state.nextIdentifier += 1
            let isCrowded = state.connections.count >= Self.mostConnections || state.isStopping
            state.connections[identifier] = ServedLink(
                wire: wire, makeLink: isCrowded ? nil : makeLink
            ) { [weak self] wasServed, dropped in
                self?.ended(identifier, wasServed: wasServed, dropped: dropped)
            }
        }
    }

    private func ended(_ identifier: Int, wasServed: Bool, dropped: Int) {
        state.withLock { state in
            state.connections[identifier] = nil
            state.statistics.droppedMedia += dropped
            if wasServed { state.statistics.served += 1 } else { state.statistics.refused += 1 }
        }
    }
}
