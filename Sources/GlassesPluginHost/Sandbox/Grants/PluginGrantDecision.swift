/// What holds for one plugin, and why.
public struct PluginGrantDecision: Sendable, Hashable {
    /// Where the plugin comes from.
    public let origin: PluginOrigin
    /// What its manifest asks for.
    public let wishes: PluginWishes
    /// What it may do.
    public let grants: PluginGrants
    /// Whether something was granted to another file of this plugin, which no longer counts.
    public let isForAnotherFile: Bool

    /// Without a store: a plugin that came with the program has what it asks for, any other nothing.
    public init(_ plugin: FoundPlugin) {
        self.init(plugin, origin: .of(plugin), record: nil, digest: nil)
    }

    init(_ plugin: FoundPlugin, origin: PluginOrigin, record: PluginGrantRecord?, digest: String?) {
        self.origin = origin
        wishes = PluginWishes(plugin.manifest)
        let record = record ?? PluginGrantRecord()
        grants = record.grants(for: wishes, origin: origin, digest: digest)
        isForAnotherFile =
            record.library != digest && !(record.permissions.isEmpty && record.environment.isEmpty)
    }
}

extension PluginGrantChange {
    /// The change with "everything" written out; throws for what the manifest does not ask for.
    func completed(for manifest: PluginManifest) throws(PluginGrantsError) -> PluginGrantChange {
        let wishes = PluginWishes(manifest)
        guard !(permissions.isEmpty && environment.isEmpty) else {
            return PluginGrantChange(permissions: wishes.permissions, environment: wishes.environment)
        }
        for permission in permissions
        where !wishes.permissions.contains(where: { $0.covers(permission) || permission.covers($0) }) {
            throw .notAskedFor(permission.text, plugin: manifest.id)
        }
        for name in environment where !wishes.environment.contains(name) {
            throw wishes.withheld.contains(name) ? .withheld(name) : .notAskedFor(name, plugin: manifest.id)
        }
        return self
    }

    /// The change as something that can be granted: files have paths, which the manifest's wishes cover.
    func checked(for manifest: PluginManifest) throws(PluginGrantsError) -> PluginGrantChange {
        let wishes = PluginWishes(manifest)
        let isEverything = permissions.isEmpty && environment.isEmpty
        var change = try completed(for: manifest)
        var concrete: [SandboxPermission] = []
        for permission in change.permissions {
            if permission.isConcrete {
                guard wishes.cover(permission) else { throw .notAskedFor(permission.text, plugin: manifest.id) }
                concrete.append(permission)
            } else {
                let named = wishes.permissions.filter { $0.isConcrete && permission.covers($0) }
                // Asked to grant everything, what can be granted is.
                guard isEverything || !named.isEmpty else { throw .filesWithoutPath(plugin: manifest.id) }
                concrete += named
            }
        }
        change.permissions = concrete
        return change
    }
}
