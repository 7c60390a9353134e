import Glibc

/// What a plugin may do in the end: its manifest's wishes, held against what is granted.
public struct PluginGrants: Sendable, Hashable {
    /// The permissions, each once, in the order of their texts.
    public private(set) var permissions: [SandboxPermission]
    /// The names of the environment variables that it gets, sorted.
    public private(set) var environment: [String]

    /// Nothing, as for a plugin that nobody knows.
    public static let none = PluginGrants(permissions: [], environment: [])

    /// Exactly these; files without a path grant nothing, and variables that would change the child before it is confined are left
    /// out.
    public init(permissions: [SandboxPermission], environment: [String]) {
        self.permissions = Set(permissions.filter(\.isConcrete)).sorted { $0.text < $1.text }
        self.environment = Set(environment.filter(PluginEnvironment.isGrantable)).sorted()
    }

    /// Whether it may do everything that `permission` names.
    public func allows(_ permission: SandboxPermission) -> Bool { permissions.contains { $0.covers(permission) } }
}

/// Where a plugin comes from, which decides what it starts with.
public enum PluginOrigin: String, Sendable, Hashable {
    /// It came with the running program: it is granted what it asks for, except what was revoked.
    case shipped
    /// Anybody else's: it is granted nothing but what a person granted to this very file.
    case thirdParty

    /// The origin of `plugin`, for the program that runs.
    public static func of(_ plugin: FoundPlugin) -> PluginOrigin {
        of(library: plugin.library, id: plugin.manifest.id, executable: ExecutableFolder.executable)
    }

    /// Whoever could put a file beside the program could replace the program as well; so what lies there, owned by the program's
    /// owner, is trusted as the program is. An id proves nothing by itself: it only tells apart, in the one folder where others
    /// install too, what came with the program.
    static func of(library: String, id: String, executable: String?) -> PluginOrigin {
        guard let executable, let program = PluginFile(path: executable), let library = realPath(library),
            let file = PluginFile(path: library), file.owner == program.owner
        else { return .thirdParty }
        let folder = PluginPermissions.parent(of: executable)
        let place = PluginPermissions.parent(of: library)
        if place == folder || place.hasPrefix(folder + "/plugins/") { return .shipped }
        let shared = realPath(folder + "/../lib/extentos/plugins")
        guard let shared, place.hasPrefix(shared + "/"), id.hasPrefix("org.extentos.") else { return .thirdParty }
        return .shipped
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
