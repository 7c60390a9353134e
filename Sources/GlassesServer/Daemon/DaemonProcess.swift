import CMicrohttpd
import GlassesDomain
import Glibc
import Synchronization

/// The library's daemon and the memory that it reads: made at the start, freed after its thread has ended.
final class DaemonProcess: Sendable {
    /// The memory of one connection: room for the longest target and the largest headers allowed, for what the library
    /// notes of each line, and for the head of an answer. It touches half of it for each connection, which is most of
    /// what an idle one costs.
    private static let connectionMemory = 32 << 10

    /// The library's handle and settings.
    ///
    /// because the library's add and stop may be called on any thread, and the settings are not changed after the
    /// start.
    private struct Running: @unchecked Sendable {
        var daemon: OpaquePointer
        var settings: UnsafeMutablePointer<cmhd_settings>
        var owner: Unmanaged<HTTPDaemon>
    }

    /// How many lines of the library's log are kept of the start.
    private static let mostReasons = 4

    private let running = Mutex<Running?>(nil)
    /// What the library said while it started.
    private let reasons = Mutex<[String]>([])

    /// A line of the library's log. Those after the start tell what its callers know from elsewhere: a peer that left,
    /// a socket that was refused. [any]
    func log(_ line: String) {
        reasons.withLock { if $0.count < Self.mostReasons { $0.append(line.trimmed) } }
    }

    /// Starts; the owner lives until ``stop()`` at least. Throws ``ServerError`` with the library's reason.
    func start(_ owner: HTTPDaemon, limits: ServerLimits) throws(ServerError) {
        let kept = Unmanaged.passRetained(owner)
        let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
        settings.initialize(
            to: cmhd_settings(
                context: kept.toOpaque(), access: DaemonCallbacks.access, completed: DaemonCallbacks.completed,
                connection: DaemonCallbacks.connection, target: DaemonCallbacks.target, log: DaemonCallbacks.log,
                connections: UInt32(clamping: limits.connections + 2 * ConnectionRegistry.spare),
                idle_seconds: UInt32(clamping: max(1, limits.idleTime.wholeMilliseconds / 1_000)),
                connection_memory: Self.connectionMemory))
        guard let daemon = cmhd_start(settings) else {
            settings.deallocate()
            kept.release()
            throw Self.refusal(reasons.withLock { $0 })
        }
        running.withLock { $0 = Running(daemon: daemon, settings: settings, owner: kept) }
    }

    private static func refusal(_ lines: [String]) -> ServerError {
        let reason = lines.isEmpty ? "It gave no reason." : "It says: \(lines.joined(separator: " "))"
        return ServerError(
            "start", "The HTTP library did not start. Check the limits of memory and open files. \(reason)")
    }

    /// Hands a socket to the daemon, which closes it in any case; false when it is not going to be served. [any]
    func add(_ descriptor: Int32, isTCP: Bool) -> Bool {
        // The library looks at the family alone, to know whether TCP's options apply; the peer's address is kept here.
        var name = sockaddr()
        name.sa_family = sa_family_t(isTCP ? AF_INET : AF_UNIX)
        let length = socklen_t(MemoryLayout<sockaddr>.size)
        return running.withLock { running in
            guard let running else {
                close(descriptor)
                return false
            }
            return MHD_add_connection(running.daemon, descriptor, &name, length) == .YES
        }
    }

    /// Ends the daemon's thread; blocks until it has ended. [any]
    func stop() {
        let stopped = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let stopped else { return }
        MHD_stop_daemon(stopped.daemon)
        stopped.settings.deallocate()
        stopped.owner.release()
    }
}
