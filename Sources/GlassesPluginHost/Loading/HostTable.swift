import CGlassesPlugin
import Glibc
import Synchronization

/// The severity of a plugin's log line.
public enum PluginLogSeverity: Sendable, Hashable {
    case debug
    case info
    case warning
    case error

    /// A severity that this host does not know counts as information.
    init(c severity: glasses_log_severity) {
        switch Int(severity) {
        case GLASSES_LOG_DEBUG: self = .debug
        case GLASSES_LOG_WARNING: self = .warning
        case GLASSES_LOG_ERROR: self = .error
        default: self = .info
        }
    }
}

extension PluginLogSeverity {
    /// The ABI's number.
    var c: glasses_log_severity {
        switch self {
        case .debug: glasses_log_severity(GLASSES_LOG_DEBUG)
        case .info: glasses_log_severity(GLASSES_LOG_INFO)
        case .warning: glasses_log_severity(GLASSES_LOG_WARNING)
        case .error: glasses_log_severity(GLASSES_LOG_ERROR)
        }
    }
}

/// One line that a plugin logged.
public struct PluginLogLine: Sendable, Hashable {
    /// The plugin's id.
    public var plugin: String
    /// How serious it is.
    public var severity: PluginLogSeverity
    /// The line, at most ``limit`` bytes, with control characters replaced.
    public var text: String

    /// Longer lines are cut: a log is read by people.
    public static let limit = 2_048
}

/// The `glasses_host` that a plugin gets; never freed, since the ABI keeps it valid until the process ends.
struct HostTable: @unchecked Sendable {
    // because what it points to is immutable and never freed
    let pointer: UnsafePointer<glasses_host>

    /// A host that drops every line, for the probe.
    static let silent = HostTable { _, _ in }

    private final class Context: Sendable {
        let log: @Sendable (PluginLogSeverity, String) -> Void
        init(_ log: @escaping @Sendable (PluginLogSeverity, String) -> Void) { self.log = log }
    }

    /// A host whose log is `log`, called on any thread.
    init(log: @escaping @Sendable (PluginLogSeverity, String) -> Void) {
        let host = UnsafeMutablePointer<glasses_host>.allocate(capacity: 1)
        host.initialize(
            to: glasses_host(
                size: UInt32(MemoryLayout<glasses_host>.size), abi_major: UInt32(GLASSES_ABI_MAJOR),
                abi_minor: UInt32(GLASSES_ABI_MINOR), reserved: 0,
                ctx: Unmanaged.passRetained(Context(log)).toOpaque(),
                get_extension: { _, id in
                    strcmp(id, GLASSES_EXT_LOG) == 0 ? UnsafeRawPointer(HostTable.logTable) : nil
                }))
        pointer = UnsafePointer(host)
    }

    nonisolated(unsafe) private static let logTable: UnsafePointer<glasses_host_log> = {
        // because it is written once here, before anyone has it, and never freed
        let table = UnsafeMutablePointer<glasses_host_log>.allocate(capacity: 1)
        table.initialize(
            to: glasses_host_log(
                size: UInt32(MemoryLayout<glasses_host_log>.size), reserved: 0,
                log: { host, severity, message in
                    guard let context = host.pointee.ctx else { return }
                    let line = CText(message, limit: PluginLogLine.limit).cutText
                    Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().log(
                        PluginLogSeverity(c: severity), line)
                }))
        return UnsafePointer(table)
    }()
}
