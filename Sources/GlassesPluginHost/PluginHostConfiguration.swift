import Foundation

/// How closely the host looks at what a plugin does.
public enum CallChecking: Int, Sendable, Hashable, Comparable {
    /// Only what safety needs: every request ends once, and nothing is read out of bounds.
    case none
    /// Also reports late, doubled and unknown callbacks, and texts that are too long or not UTF-8. The default.
    case minimal
    /// Also reports details that are not JSON, unknown numbers, and rings whose positions make no sense.
    case maximal

    /// Whether `lhs` looks less closely.
    public static func < (lhs: CallChecking, rhs: CallChecking) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What happens to an instance that misbehaved. A plugin that hangs is always disabled.
public enum MisbehaviourPolicy: Sendable, Hashable {
    /// It is reported and may go on. The default.
    case ignore
    /// It is reported, and every further call answers `plugin_disabled`.
    case disable
}

/// Where plugins are found and how they are treated.
public struct PluginHostConfiguration: Sendable {
    /// The places to look at. Default: ``PluginSearchPath/standard(configured:environment:executableFolder:)``.
    public var searchPath: PluginSearchPath
    /// The folder for remembered probes; nil keeps them in this process. Default: `$XDG_CACHE_HOME/extentos`.
    public var cacheFolder: String?
    /// Whether every library is tried out again, also one that was seen before. Default false.
    public var probesAgain = false
    /// The path of the probe program. Default nil: `EXTENTOS_PLUGIN_PROBE`, else beside the running executable.
    public var probeProgram: String?
    /// How long a probe may take. Default 2 s.
    public var probeLimit: Duration = .seconds(2)
    /// Where plugins run. A manifest that asks for ``PluginIsolation/inProcess`` gets it. Default ``PluginIsolation/process``.
    public var isolation: PluginIsolation = .process
    /// The path of the program that carries a plugin in a child. Default nil: `EXTENTOS_PLUGIN_HOST`, else beside the running
    /// executable, else in `../libexec/extentos`.
    public var hostProgram: String?
    /// What a person has granted to plugins that run in children. Default: `$XDG_CONFIG_HOME/extentos/plugin-grants.json`; nil
    /// grants what is granted without a decision: to plugins that came with this program what they ask for, to others nothing.
    public var grants: PluginGrantsStore?
    /// How closely plugins are watched. Default ``CallChecking/minimal``.
    public var checking: CallChecking = .minimal
    /// What happens after misbehaviour. Default ``MisbehaviourPolicy/ignore``.
    public var policy: MisbehaviourPolicy = .ignore
    /// Called for every misbehaviour, on any thread. Default: nothing; the log tells it too.
    public var onMisbehaviour: @Sendable (PluginMisbehaviour) -> Void = { _ in }
    /// Called for every line that a plugin logs and every misbehaviour, on any thread. Default: nothing.
    public var onLog: @Sendable (PluginLogLine) -> Void = { _ in }
    /// Called when a plugin's child serves, died, was replaced or given up; in order for each instance, on a thread of the host's.
    /// Default: nothing; the log tells deaths too.
    public var onChild: @Sendable (PluginChildEvent) -> Void = { _ in }
    /// Where the host's own tasks run. Default nil: Swift's shared pool, which serves as long as no code of the process blocks its
    /// threads.
    public var executor: (any TaskExecutor)?

    /// How long a cut waits for the device; longer only in tests, which may run on a busy machine.
    var flushLimit = PluginSpeaker.flushLimit

    /// The times of the restart policy; longer only in tests, which may run on a busy machine.
    var supervision = SupervisionLimits()

    /// Who may own and write a plugin's files.
    var permissions = PluginPermissions.current()

    /// The defaults for this process; `folders` are looked at before every other place.
    public init(folders: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment) {
        searchPath = .standard(configured: folders, environment: environment)
        grants = .standard(environment: environment)
        cacheFolder = ProbeMemory.standardFolder(environment: environment)
    }
}
