/// How often the child of one instance of a plugin died, since the instance was made.
public struct PluginChildRecord: Sendable, Hashable {
    /// Deaths that nobody had asked for, those that ended in giving up included.
    public internal(set) var deaths = 0
    /// How often another child went on where a dead one had been.
    public internal(set) var replacements = 0
    /// How long, over all replacements, no child served.
    public internal(set) var downtime: Duration = .zero
}

/// Something that happened to the child process of one instance of a plugin.
public struct PluginChildEvent: Sendable, Hashable {
    /// What happened.
    public enum Change: Sendable, Hashable {
        /// The first child serves; `process` is its number.
        case started(process: Int32)
        /// The child died, and another one is being started. `code` is the machine's word for the reason, which is for people:
        /// "signal 11 (Segmentation fault)".
        case died(code: String, reason: String)
        /// Another child serves where the dead one did, so long after its death.
        case replaced(process: Int32, downtime: Duration)
        /// No other child is started until somebody connects again. The message has the plugin, the reason and the last lines that
        /// it logged.
        case givenUp(code: String, message: String)
    }

    /// The plugin's id.
    public var plugin: String
    /// What the instance is.
    public var kind: PluginKind
    /// What happened.
    public var change: Change
    /// The instance's deaths up to now, this one included.
    public var record: PluginChildRecord
}
