import GlassesDomain

/// What a probe child says of a library: one JSON line.
struct ProbeReport: Sendable, Hashable {
    /// The ids of the factories that the plugin offers.
    var factories: [String]

    /// The line that the child prints.
    var line: String { JSONValue.object(["factories": .array(factories.map(JSONValue.string))]).jsonText + "\n" }
}

/// Why a library did not pass its probe.
public enum PluginProbeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no probe program; nothing is loaded without one.
    case probeMissing
    /// The probe program could not be started.
    case notStarted(reason: String)
    /// The library did not come through loading and activation in time.
    case timedOut(limit: Duration)
    /// The library ended the probe's process by a signal.
    case crashed(signal: Int32)
    /// The library ended the probe's process by itself.
    case exited(status: Int32)
    /// The library was loaded and is no plugin for this host; code and sentence as in ``PluginLoadError``.
    case refused(code: String, message: String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .probeMissing: "probe_missing"
        case .notStarted: "probe_not_started"
        case .timedOut: "probe_timed_out"
        case .crashed: "probe_crashed"
        case .exited: "probe_exited"
        case .refused(let code, _): code
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .probeMissing:
            "The program glasses-plugin-probe was not found beside this one, so no plugin is loaded. "
                + "Install it there, or name it in EXTENTOS_PLUGIN_PROBE."
        case .notStarted(let reason): "The plugin's probe could not be started: \(reason). Try again."
        case .timedOut(let limit):
            "The plugin did not start within \(limit.wholeMilliseconds) ms. Update it or remove it."
        case .crashed(let signal):
            "The plugin crashed while it was loaded (signal \(signal)). Update it or remove it."
        case .exited(let status):
            "The plugin ended its process while it was loaded (status \(status)). Update it or remove it."
        case .refused(_, let message): message
        }
    }

    /// Whether the library itself is to blame, so that it need not be tried again until its file changes.
    var isLibrarysFault: Bool {
        switch self {
        case .probeMissing, .notStarted: false
        case .timedOut, .crashed, .exited, .refused: true
        }
    }
}
