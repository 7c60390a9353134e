import GlassesDomain

/// Every plugin that this process has loaded. A failed activation is final too: the library's code ran once already.
actor ActivePlugins {
    /// The process's own: libraries are loaded per process, whoever asks.
    static let shared = ActivePlugins()

    private var activations: [String: Task<Result<ActivePlugin, PluginLoadError>, Never>] = [:]

    /// The active plugin of a library, activated now on `executor` if it was not before.
    func plugin(
        _ found: FoundPlugin, token: ObjectIdentifier, executor: (any TaskExecutor)?,
        listener: @escaping PluginLog.Listener
    ) async -> Result<ActivePlugin, PluginLoadError> {
        if let known = activations[found.library] {
            let outcome = await known.value
            if case .success(let plugin) = outcome { plugin.addListener(token, listener) }
            return outcome
        }
        let log = PluginLog(plugin: found.manifest.id, token: token, listener: listener)
        let task = Task(executorPreference: executor) { await ActivePlugin.activate(found, log: log) }
        activations[found.library] = task
        return await task.value
    }
}
