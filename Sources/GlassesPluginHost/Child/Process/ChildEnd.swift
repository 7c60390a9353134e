import Glibc
import GlassesDomain

/// What ended a child.
enum ChildEnd: Error, Sendable, Hashable {
    /// A signal that nobody of ours sent, such as 11 for a bad memory access.
    case signal(Int32)
    /// The child ended by itself, or the plugin ended it.
    case exited(Int32)
    /// The host ended it because a call did not return.
    case hung(function: String, limit: Duration)
    /// The host ended it because it sent something that is no message.
    case misspoke(WireError)
    /// It could not be started.
    case notStarted(reason: String)
    /// The host ended it because it was asked to.
    case stopped

    /// What a person reads: "signal 11 (Segmentation fault)".
    var description: String {
        switch self {
        case .signal(let number): "signal \(number) (\(String(cString: strsignal(number))))"
        case .exited(ChildExit.flooded.rawValue): "it called back faster than can be taken"
        case .exited(ChildExit.hostMisunderstood.rawValue): "it does not fit this version of the runtime"
        case .exited(ChildExit.outOfResources.rawValue): "the system has no memory or descriptors left"
        case .exited(let status): "it ended its process with status \(status)"
        case .hung(let function, let limit): "\(function) did not return within \(limit.wholeMilliseconds) ms"
        case .misspoke(let error): "it broke the plugin protocol: \(error.description)"
        case .notStarted(let reason): "it could not be started: \(reason)"
        case .stopped: "it was stopped"
        }
    }

    /// The machine-readable code of what failed because of it.
    var code: String {
        switch self {
        case .hung: "plugin_timeout"
        case .misspoke: "plugin_protocol"
        case .notStarted: "plugin_not_started"
        case .signal, .exited, .stopped: "plugin_crashed"
        }
    }

    /// What waitpid told.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal != 0 ? .signal(signal) : .exited((status >> 8) & 0xFF)
    }
}
