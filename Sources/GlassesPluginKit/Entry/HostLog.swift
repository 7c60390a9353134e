import CGlassesPlugin
import Synchronization

/// The host's log. Lines hold no audio, no recognised words and no secret. Never call it on an [audio] thread. [any]
public struct HostLog: Sendable {
    private let write: (@Sendable (glasses_log_severity, String) -> Void)?

    /// The log of `host`; lines are dropped when that host has none.
    init(host: UnsafePointer<glasses_host>?) {
        guard let host, let found = host.pointee.get_extension(host, GLASSES_EXT_LOG) else {
            write = nil
            return
        }
        let table = found.assumingMemoryBound(to: glasses_host_log.self).pointee
        guard table.size >= UInt32(MemoryLayout<glasses_host_log>.size) else {
            write = nil
            return
        }
        nonisolated(unsafe) let pointer = host
        // because the ABI keeps the host valid until the process ends and its log callable on any thread
        write = { severity, line in table.log(pointer, severity, line) }
    }

    /// A line for developers.
    public func debug(_ line: String) { write?(glasses_log_severity(GLASSES_LOG_DEBUG), line) }
    /// A line for operators.
    public func info(_ line: String) { write?(glasses_log_severity(GLASSES_LOG_INFO), line) }
    /// Something that was mended.
    public func warning(_ line: String) { write?(glasses_log_severity(GLASSES_LOG_WARNING), line) }
    /// Something that failed.
    public func error(_ line: String) { write?(glasses_log_severity(GLASSES_LOG_ERROR), line) }

    /// Runs `body` and writes why it failed.
    func telling(_ body: () throws(PluginFailure) -> Void) throws(PluginFailure) {
        do {
            try body()
        } catch {
            self.error("\(error.code): \(error.message)")
            throw error
        }
    }
}
