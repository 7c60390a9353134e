import GlassesDomain

extension PluginManifest {
    /// How much a speech engine's plugin is preferred among those of its kind, 0 to 100, by the manifest's `rank`: neural engines
    /// state 100, classic ones 10. A plugin that says nothing, or nothing usable, has 0.
    public var rank: Int {
        guard let rank = unknown["rank"]?.intValue else { return 0 }
        return Int(min(max(rank, 0), 100))
    }
}

extension PluginHost {
    /// The usable engine plugins of one kind, the best first: by rank, and within one rank in the order of the search path.
    /// `preferred`, a plugin's id or an engine id that begins with it, goes before all others.
    public func engines(kind: PluginKind, preferred: String? = nil) async -> [FoundPlugin] {
        let found = await plugins(kind: kind).enumerated().sorted { first, second in
            let (one, other) = (first.element.manifest, second.element.manifest)
            let isOne = one.isMeant(by: preferred)
            guard isOne == other.isMeant(by: preferred) else { return isOne }
            return one.rank == other.rank ? first.offset < second.offset : one.rank > other.rank
        }
        return found.map(\.element)
    }
}

extension PluginManifest {
    /// Whether `name` names this plugin or one of its engines.
    public func isMeant(by name: String?) -> Bool { name.map { $0 == id || $0.hasPrefix(id + ".") } ?? false }
}
