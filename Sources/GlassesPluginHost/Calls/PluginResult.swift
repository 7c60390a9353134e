import CGlassesPlugin

/// What a call into a plugin, or a request, ended with.
enum PluginResult: Sendable, Hashable {
    case ok
    case failed
    case invalid
    case wrongState
    case unsupported
    case unavailable
    case busy
    case denied
    case timeout
    case cancelled
    case tooLarge
    case version
    /// A number that this host does not know; a negative one counts as a failure, as the ABI demands.
    case unknown(Int)

    init(c result: glasses_result) {
        switch Int(result) {
        case GLASSES_OK: self = .ok
        case GLASSES_ERROR_FAILED: self = .failed
        case GLASSES_ERROR_INVALID: self = .invalid
        case GLASSES_ERROR_STATE: self = .wrongState
        case GLASSES_ERROR_UNSUPPORTED: self = .unsupported
        case GLASSES_ERROR_UNAVAILABLE: self = .unavailable
        case GLASSES_ERROR_BUSY: self = .busy
        case GLASSES_ERROR_DENIED: self = .denied
        case GLASSES_ERROR_TIMEOUT: self = .timeout
        case GLASSES_ERROR_CANCELLED: self = .cancelled
        case GLASSES_ERROR_TOO_LARGE: self = .tooLarge
        case GLASSES_ERROR_VERSION: self = .version
        default: self = .unknown(Int(result))
        }
    }

    /// The code of an error that came without one of the plugin's own.
    var code: String {
        switch self {
        case .ok: "ok"
        case .failed, .unknown: "plugin_failed"
        case .invalid: "invalid_argument"
        case .wrongState: "wrong_state"
        case .unsupported: "unsupported"
        case .unavailable: "unavailable"
        case .busy: "busy"
        case .denied: "permission_denied"
        case .timeout: "plugin_timeout"
        case .cancelled: "cancelled"
        case .tooLarge: "too_large"
        case .version: "abi_unsupported"
        }
    }

    /// The sentence of an error that came without one of the plugin's own.
    func message(_ plugin: String, _ function: String) -> String {
        let next =
            switch self {
            case .ok: "There is nothing to do."
            case .failed, .unknown, .cancelled: "Try again."
            case .invalid: "Check its settings."
            case .wrongState: "Connect first."
            case .unsupported: "Choose another plugin."
            case .unavailable: "Check that the device or file is there."
            case .busy: "Close the app that uses it."
            case .denied: "Grant the permission."
            case .timeout: "Check that the device answers."
            case .tooLarge: "Send less."
            case .version: "Update the older of plugin and runtime."
            }
        return "The plugin \(plugin) refused \(function) (\(code)). \(next)"
    }
}

/// Why a request did not succeed: the plugin's own words where it gave some.
struct PluginFailureReport: Error, Sendable, Hashable {
    var result: PluginResult
    var code: String
    var message: String

    init(_ result: PluginResult, code: String, message: String) {
        self.result = result
        self.code = code
        self.message = message
    }

    /// A refusal without details.
    init(_ result: PluginResult, plugin: String, function: String) {
        self.init(result, code: result.code, message: result.message(plugin, function))
    }

    /// A call or request that did not end within its limit.
    static func timedOut(plugin: String, function: String) -> PluginFailureReport {
        PluginFailureReport(
            .timeout, code: "plugin_timeout",
            message: "The plugin \(plugin) did not answer \(function) in time. Connect again, or update the plugin.")
    }

    /// A plugin that was disabled after it misbehaved.
    static func disabled(plugin: String) -> PluginFailureReport {
        PluginFailureReport(
            .failed, code: "plugin_disabled",
            message: "The plugin \(plugin) was disabled because it broke the plugin rules. Update it and start again.")
    }
}
