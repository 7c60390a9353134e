import CGlassesPlugin
import GlassesDomain
import Synchronization

/// A plugin that was loaded and activated: once for each library, for the rest of the process's life.
///
/// It is never shut down in this process, because a plugin may be activated only once and another host of the same
/// process may still want it.
final class ActivePlugin: Sendable {
    /// The plugin's id.
    let id: String
    /// The [host] thread of this plugin: calls of all its instances are serial there.
    let hostCalls: PluginCallQueue
    private let library: PluginLibrary
    private let log: PluginLog

    private init(id: String, library: PluginLibrary, hostCalls: PluginCallQueue, log: PluginLog) {
        self.id = id
        self.library = library
        self.hostCalls = hostCalls
        self.log = log
    }

    /// Long enough for a slow disk, so that the limit finds hangs.
    static let activationLimit: Duration = .seconds(5)

    /// Loads the library, checks its entry, activates it and checks that every promised factory is there. If anything of
    /// that fails, nothing of the plugin is used.
    static func activate(_ found: FoundPlugin, log: PluginLog) async -> Result<ActivePlugin, PluginLoadError> {
        let queue = PluginCallQueue(name: "plugin host") { function, limit in
            log.reportHang(function: function, limit: limit)
        }
        let outcome = await queue.call("glasses_plugin_entry", limit: activationLimit) {
            Result { () throws(PluginLoadError) in try open(found, log) }
        }
        switch outcome {
        case .failure(.hung(let function)): return .failure(.hung(function: function))
        case .failure(.overloaded): return .failure(.hung(function: "glasses_plugin_entry"))
        case .success(.failure(let error)): return .failure(error)
        case .success(.success(let library)):
            return .success(ActivePlugin(id: found.manifest.id, library: library, hostCalls: queue, log: log))
        }
    }

    private static func open(_ found: FoundPlugin, _ log: PluginLog) throws(PluginLoadError) -> PluginLibrary {
        let library = try PluginLibrary.open(found.library)
        try library.activate(HostTable { severity, text in log.write(severity, text) })
        for kind in found.manifest.kinds where library.factory(kind.factoryId) == nil {
            library.shutdown()
            throw .entryInvalid
        }
        return library
    }

    /// Sends the plugin's log to `listener` too, until the listener's token is removed.
    func addListener(_ token: ObjectIdentifier, _ listener: @escaping PluginLog.Listener) {
        log.add(token, listener)
    }

    /// Ends what ``addListener(_:_:)`` began.
    func removeListener(_ token: ObjectIdentifier) { log.remove(token) }

    /// A copy of the factory struct named `id`; nil when it is missing or broken. [host]
    func factory<T>(_ id: String, as type: T.Type) -> T? {
        library.factory(id).flatMap { CStruct.copy($0, as: type, firstFunction: 8) }
    }
}

/// The log of one plugin, heard by every host of the process that uses it.
final class PluginLog: Sendable {
    typealias Listener = @Sendable (PluginLogLine) -> Void

    private let plugin: String
    private let listeners: Mutex<[ObjectIdentifier: Listener]>

    init(plugin: String, token: ObjectIdentifier, listener: @escaping Listener) {
        self.plugin = plugin
        listeners = Mutex([token: listener])
    }

    func add(_ token: ObjectIdentifier, _ listener: @escaping Listener) { listeners.withLock { $0[token] = listener } }

    func remove(_ token: ObjectIdentifier) { listeners.withLock { $0[token] = nil } }

    func write(_ severity: PluginLogSeverity, _ text: String) {
        let line = PluginLogLine(plugin: plugin, severity: severity, text: text)
        for listener in listeners.withLock({ Array($0.values) }) { listener(line) }
    }

    func reportHang(function: String, limit: Duration) {
        write(.error, "The call \(function) did not return within \(limit.wholeMilliseconds) ms.")
    }
}
