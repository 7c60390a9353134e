/// A plugin that passed every check; none of its code runs in this process before it is used.
public struct FoundPlugin: Sendable, Hashable {
    /// What its manifest says.
    public var manifest: PluginManifest
    /// The absolute path of its library.
    public var library: String
    /// The ids of the factories that it offers.
    public var factories: [String]

    package init(manifest: PluginManifest, library: String, factories: [String]) {
        self.manifest = manifest
        self.library = library
        self.factories = factories
    }
}

/// A plugin that will not be used, and why.
public struct RefusedPlugin: Sendable, Hashable {
    /// The id that it claims; nil when the manifest cannot be read.
    public var id: String?
    /// The kinds that it claims; empty when the manifest cannot be read.
    public var kinds: [PluginKind]
    /// The absolute path of its manifest.
    public var manifestPath: String
    /// Why.
    public var refusal: PluginRefusal
}

/// What a scan found, in the order of the search path.
public struct PluginScan: Sendable, Hashable {
    /// The usable plugins; each id once.
    public var found: [FoundPlugin] = []
    /// The others.
    public var refused: [RefusedPlugin] = []
    /// Why the verdicts could not be remembered for the next start, such as a full disk; nil when they were.
    public var memoryProblem: String?
}

extension PluginScan {
    /// The plugins that claim to be of a kind and may not be used; those that are only hidden by another with their id are none.
    public func refused(kind: PluginKind) -> [RefusedPlugin] {
        refused.filter { plugin in
            if case .shadowed = plugin.refusal { return false }
            return plugin.kinds.contains(kind)
        }
    }
}

/// Why a plugin is not used.
public enum PluginRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// `plugin.json` is not right.
    case manifest(PluginManifestError)
    /// Another user could change the plugin's files.
    case permissions(PluginPermissionError)
    /// The library is not there.
    case libraryMissing(path: String)
    /// The library's SHA-256 is not the manifest's.
    case digestMismatch
    /// The library did not pass its probe.
    case probe(PluginProbeError)
    /// The library did not pass an earlier probe and has not changed since; the code and sentence of that time.
    case remembered(code: String, message: String)
    /// The manifest promises a kind that the library does not offer.
    case kindNotOffered(PluginKind)
    /// A plugin with the same id comes earlier in the search path.
    case shadowed(by: String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .manifest(let error): error.code
        case .permissions(let error): error.code
        case .libraryMissing: "library_missing"
        case .digestMismatch: "digest_mismatch"
        case .probe(let error): error.code
        case .remembered(let code, _): code
        case .kindNotOffered: "kind_not_offered"
        case .shadowed: "shadowed"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .manifest(let error): error.description
        case .permissions(let error): error.description
        case .libraryMissing(let path): "The plugin's library \(path) is not there. Install the plugin again."
        case .digestMismatch: "The plugin's library is not the one its manifest names by SHA-256. Install it again."
        case .probe(let error): error.description
        case .remembered(_, let message): message + " It was not tried again, since its file has not changed."
        case .kindNotOffered(let kind):
            "The manifest promises the kind \(kind.rawValue), which the library does not offer. Update the plugin."
        case .shadowed(let path): "The plugin at \(path) has the same id and comes first in the search path."
        }
    }
}
