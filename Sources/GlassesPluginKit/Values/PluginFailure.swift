public import CGlassesPlugin

/// Why a plugin refuses a call or ends a request with an error.
///
/// The host shows ``message`` to a person: one sentence that says what to do, without audio, recognised words or secrets.
public struct PluginFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of the negative `GLASSES_ERROR_…` values.
    public var result: glasses_result
    /// The machine-readable cause in snake case, such as `device_busy`.
    public var code: String
    /// One sentence for a person, with the next step.
    public var message: String

    /// A failure; a `result` that is not negative becomes `GLASSES_ERROR_FAILED`, since a failure is never a success.
    public init(_ result: Int, code: String, message: String) {
        let isError = result < 0 && result >= Int(glasses_result.min)
        self.result = isError ? glasses_result(result) : glasses_result(GLASSES_ERROR_FAILED)
        self.code = code
        self.message = message
    }

    /// The device or engine failed.
    public static func failed(_ code: String, _ message: String) -> PluginFailure {
        PluginFailure(GLASSES_ERROR_FAILED, code: code, message: message)
    }

    /// A setting or an argument breaks the rules.
    public static func invalid(_ code: String, _ message: String) -> PluginFailure {
        PluginFailure(GLASSES_ERROR_INVALID, code: code, message: message)
    }

    /// The call is not allowed in this state.
    public static func wrongState(_ message: String) -> PluginFailure {
        PluginFailure(GLASSES_ERROR_STATE, code: "wrong_state", message: message)
    }

    /// A device, file or library is missing.
    public static func unavailable(_ code: String, _ message: String) -> PluginFailure {
        PluginFailure(GLASSES_ERROR_UNAVAILABLE, code: code, message: message)
    }

    /// Somebody else has it, or a bound is reached.
    public static func busy(_ code: String, _ message: String) -> PluginFailure {
        PluginFailure(GLASSES_ERROR_BUSY, code: code, message: message)
    }

    /// The host, or the end of the instance, called the request off.
    public static let cancelled = PluginFailure(
        GLASSES_ERROR_CANCELLED, code: "cancelled", message: "The request was called off.")

    /// The sentence.
    public var description: String { message }

    /// The ABI's form: `{"code", "message"}`.
    var json: PluginJSON { .object(["code": .string(code), "message": .string(message)]) }
}

extension PluginFailure {
    /// The plugin cannot do this at all.
    public static let unsupported = PluginFailure(
        GLASSES_ERROR_UNSUPPORTED, code: "unsupported", message: "The plugin cannot do this.")
}
