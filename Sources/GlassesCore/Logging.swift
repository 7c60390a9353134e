import Foundation
import GlassesDomain
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime
import Synchronization

/// The log of glasses that are still being made: what the parts below write goes to the instance once it is there.
final class DeferredLog: Sendable {
    private struct WeakGlasses {
        weak var glasses: DefaultExtentosGlasses?
    }

    private let target = Mutex(WeakGlasses())

    func connect(to glasses: DefaultExtentosGlasses) { target.withLock { $0.glasses = glasses } }

    func write(_ level: LogLevel, _ message: String, _ payload: JSONValue) {
        target.withLock { $0.glasses }?.log(level, message, payload)
    }

    /// A line of a level; level nil means that it is delivered whatever the log level is.
    func line(_ level: LogLevel?, _ message: String, _ payload: JSONValue) {
        let glasses = target.withLock { $0.glasses }
        if let level { glasses?.log(level, message, payload) } else { glasses?.announce(message, payload) }
    }
}

/// Log lines on standard error, for debug runs.
struct StandardErrorLog: Sendable {
    private let appId: String

    init(appId: String?) { self.appId = appId ?? ProcessInfo.processInfo.processName }

    func write(_ level: LogLevel, _ line: String) {
        FileHandle.standardError.write(Data("\(appId) \(level): \(line)\n".utf8))
    }
}

extension PluginLogSeverity {
    /// The level of the runtime's log.
    var logLevel: LogLevel {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warn
        case .error: .error
        }
    }
}
