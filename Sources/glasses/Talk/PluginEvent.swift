import GlassesCore

/// Something about a plugin's child process, out of the runtime's log. Every event has `plugin`, `kind` and the counters `deaths`,
/// `replacements` and `downtimeMs` of its instance.
struct PluginEvent: Sendable, Hashable {
    /// What it is about.
    enum Kind: String, Sendable, Hashable {
        /// A child serves: `process`.
        case started = "pluginStarted"
        /// A child died, and another one is being started: `code`, `reason`.
        case died = "pluginDied"
        /// Another child serves: `process`, `outageMs`.
        case replaced = "pluginReplaced"
        /// No other child is started: `code`, `message`.
        case givenUp = "pluginGivenUp"
    }

    let kind: Kind
    let fields: [String: JSONValue]

    /// The event of a log line; nil for another line.
    init?(log message: String, _ payload: JSONValue?) {
        switch message {
        case "plugin.started": kind = .started
        case "plugin.died": kind = .died
        case "plugin.replaced": kind = .replaced
        case "plugin.given_up": kind = .givenUp
        default: return nil
        }
        fields = payload?.objectValue ?? [:]
    }

    /// Whether a child's death is told.
    var isDeath: Bool { kind == .died || kind == .givenUp }

    /// What a person is told.
    var text: String? {
        let plugin = fields["plugin"]?.stringValue ?? "A plugin"
        return switch kind {
        case .started: nil
        case .died:
            "\(plugin) failed (\(fields["reason"]?.stringValue ?? "for an unknown reason")) and is started again."
        case .replaced: "\(plugin) works again after \(fields["outageMs"]?.intValue ?? 0) ms."
        case .givenUp: fields["message"]?.stringValue
        }
    }
}
