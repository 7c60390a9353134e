import CMicrohttpd
import GlassesDomain
import Glibc
import Synchronization

/// The library's daemon and the memory that it reads: made at the start, freed after its thread has ended.
final class DaemonProcess: Sendable {
    /// The memory of one connection: room for the largest head allowed, twice, since the library reads into one half.
    private static let plainMemory = 64 << 10
    /// That of one under TLS. After an upgrade the library forwards through the halves of what is left, and when such a
    /// half holds more than one TLS record (16 KiB) it waits, after each record, for an event that does not come: 8 MB
    /// took 37 s.
    private static let tlsMemory = 32 << 10

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
    func start(
        _ owner: HTTPDaemon, limits: ServerLimits, tls: (certificate: [UInt8], key: [UInt8])?
    ) throws(ServerError) {
        let kept = Unmanaged.passRetained(owner)
        let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
        settings.initialize(
            to: cmhd_settings(
                context: kept.toOpaque(), access: DaemonCallbacks.access, completed: DaemonCallbacks.completed,
                connection: DaemonCallbacks.connection, target: DaemonCallbacks.target, log: DaemonCallbacks.log,
                connections: UInt32(clamping: limits.connections + 2 * ConnectionRegistry.spare),
                idle_seconds: UInt32(clamping: max(1, limits.idleTime.wholeMilliseconds / 1_000)),
                connection_memory: tls == nil ? Self.plainMemory : Self.tlsMemory, certificate: nil, key: nil))
        let pem = [tls?.certificate, tls?.key].map { $0.map(Self.text) }
        defer { pem.forEach(Self.erase) }
        settings.pointee.certificate = pem[0].map { UnsafePointer($0.baseAddress) } ?? nil
        settings.pointee.key = pem[1].map { UnsafePointer($0.baseAddress) } ?? nil
        guard let daemon = cmhd_start(settings) else {
            settings.deallocate()
            kept.release()
            throw Self.refusal(reasons.withLock { $0 }, isTLS: tls != nil)
        }
        running.withLock { $0 = Running(daemon: daemon, settings: settings, owner: kept) }
    }

    private static func refusal(_ lines: [String], isTLS: Bool) -> ServerError {
        let reason = lines.joined(separator: " ")
        let quoted = reason.isEmpty ? "It gave no reason." : "It says: \(reason)"
        return isTLS
            ? ServerError(
                "tls_files",
                "The TLS certificate and key cannot be used together. Check that they belong to each other. \(quoted)")
            : ServerError(
                "start_failed", "The HTTP library did not start. Check the limits of memory and open files. \(quoted)")
    }

    private static func text(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<CChar> {
        let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
        _ = buffer.initialize(from: bytes.map { CChar(bitPattern: $0) } + [0])
        return buffer
    }

    /// The library has its own form of the key by now; the text does not stay in memory.
    private static func erase(_ text: UnsafeMutableBufferPointer<CChar>?) {
        guard let text else { return }
        text.update(repeating: 0)
        text.deallocate()
    }

    /// Hands a socket to the daemon, which closes it in any case; false when it is not going to be served. [any]
    func add(_ descriptor: Int32, name: UnsafePointer<sockaddr>, length: socklen_t) -> Bool {
        running.withLock { running in
            guard let running else {
                close(descriptor)
                return false
            }
            return MHD_add_connection(running.daemon, descriptor, name, length) == .YES
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
