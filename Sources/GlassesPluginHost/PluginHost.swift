public import GlassesDomain
import Synchronization

/// Finds plugins, loads those that are asked for, and hands out what they make behind the runtime's ports.
///
/// Everything has a bound: a scan the probe's limit, an activation 5 s, every call into a plugin its own. No call traps,
/// whatever a plugin does; what it does wrong is told to ``PluginHostConfiguration/onMisbehaviour``. Keep the host as long as
/// what it made: without it the plugins' log lines go nowhere.
public final class PluginHost: Sendable {
    let configuration: PluginHostConfiguration
    private let catalog: PluginCatalog
    private let scans: ScanMemory
    private let active = Mutex<[String: ActivePlugin]>([:])

    /// A host for the places and rules of `configuration`.
    public init(configuration: PluginHostConfiguration = PluginHostConfiguration()) {
        self.configuration = configuration
        catalog = PluginCatalog(configuration: configuration)
        scans = ScanMemory(executor: configuration.executor)
    }

    deinit {
        for plugin in active.withLock({ $0.values }) { plugin.removeListener(ObjectIdentifier(scans)) }
    }

    /// What the search path holds; looked at once, and again with `refresh`.
    public func scan(refresh: Bool = false) async -> PluginScan {
        await scans.scan(refresh: refresh) { [catalog] in await catalog.scan() }
    }

    /// The usable plugins of one kind, in the order of the search path.
    public func plugins(kind: PluginKind) async -> [FoundPlugin] {
        await scan().found.filter { $0.manifest.kinds.contains(kind) }
    }

    /// A new transport of the plugin `id`, activated and not yet connected. `settings` is a JSON object whose keys the
    /// plugin documents.
    ///
    /// Fails with `transportFailure`: code `plugin_not_installed` when there is no such plugin, the refusal's code when
    /// there is one that may not be used, `plugin_timeout` when it hangs, else the plugin's own code.
    public func transport(
        id: String, settings: JSONValue = .object([:])
    ) async -> ExtentosResult<any GlassesTransport, ConnectError> {
        let found: FoundPlugin
        switch await plugin(id, kind: .transport) {
        case .failure(let failure): return .failure(ConnectError(failure))
        case .success(let plugin): found = plugin
        }
        let isInChild = runsInChild(found)
        let monitor = monitor(of: id, inChild: isInChild)
        let requests = RequestTable(monitor: monitor)
        let inbox = TransportInbox(requests: requests) { [log = configuration.onLog] line in
            log(PluginLogLine(plugin: id, severity: .info, text: line))
        }
        let opened: Result<any TransportInstance, PluginFailureReport>
        if isInChild {
            opened = await openInChild(found, .transport, settings, monitor) { setup in
                await ChildTransport.open(setup, requests: requests, deliver: { inbox.receive($0) }).map { $0 }
            }
        } else {
            opened = await openHere(found) { plugin in
                await InProcessTransport.open(
                    plugin, settings: settings.jsonText, monitor: monitor, deliver: { inbox.receive($0) }
                ).map { $0 }
            }
        }
        switch opened {
        case .failure(let failure): return .failure(ConnectError(failure))
        case .success(let instance):
            return .success(
                PluginTransport(
                    instance: instance, requests: requests, monitor: monitor, inbox: inbox,
                    flushLimit: configuration.flushLimit))
        }
    }

    /// The plugin `id`, or why there is none; one sentence says how to get it.
    func plugin(_ id: String, kind: PluginKind) async -> Result<FoundPlugin, PluginFailureReport> {
        let scan = await scan()
        guard let found = scan.found.first(where: { $0.manifest.id == id && $0.manifest.kinds.contains(kind) }) else {
            return .failure(Self.absence(of: id, kind, scan))
        }
        return .success(found)
    }

    /// Opens an instance in this process.
    func openHere<Instance>(
        _ found: FoundPlugin, _ open: (ActivePlugin) async -> Result<Instance, PluginFailureReport>
    ) async -> Result<Instance, PluginFailureReport> {
        let activation = await ActivePlugins.shared.plugin(
            found, token: ObjectIdentifier(scans), executor: configuration.executor, listener: configuration.onLog)
        switch activation {
        case .success(let plugin):
            active.withLock { $0[found.manifest.id] = plugin }
            return await open(plugin)
        case .failure(let error):
            return .failure(PluginFailureReport(.unavailable, code: error.code, message: error.description))
        }
    }

    /// A monitor for one instance of the plugin `id`, in this process or in a child.
    func monitor(of id: String, inChild: Bool = false) -> CallMonitor {
        let (tell, log) = (configuration.onMisbehaviour, configuration.onLog)
        return CallMonitor(
            plugin: id, checking: configuration.checking, policy: configuration.policy, hangDisables: !inChild
        ) { what in
            log(PluginLogLine(plugin: id, severity: .warning, text: what.description))
            tell(what)
        }
    }

    private static func absence(of id: String, _ kind: PluginKind, _ scan: PluginScan) -> PluginFailureReport {
        if let refused = scan.refused.first(where: { $0.id == id }) {
            return PluginFailureReport(
                .unavailable, code: refused.refusal.code,
                message: "The plugin \(id) cannot be used. \(refused.refusal.description)")
        }
        if scan.found.contains(where: { $0.manifest.id == id }) {
            return PluginFailureReport(
                .unavailable, code: "plugin_wrong_kind",
                message: "The plugin \(id) offers no \(kind.rawValue). Choose another plugin.")
        }
        return PluginFailureReport(
            .unavailable, code: "plugin_not_installed",
            message:
                "The plugin \(id) is not installed. Put its folder into ~/.local/share/extentos/plugins, or name the "
                + "folder that holds it in EXTENTOS_PLUGIN_PATH; `glasses plugins list` shows what was found.")
    }
}

/// The result of the last scan, shared by everyone who asks meanwhile.
private actor ScanMemory {
    private let executor: (any TaskExecutor)?
    private var task: Task<PluginScan, Never>?

    init(executor: (any TaskExecutor)?) { self.executor = executor }

    func scan(refresh: Bool, _ look: @escaping @Sendable () async -> PluginScan) async -> PluginScan {
        if let task, !refresh { return await task.value }
        let task = Task(executorPreference: executor) { await look() }
        self.task = task
        return await task.value
    }
}
