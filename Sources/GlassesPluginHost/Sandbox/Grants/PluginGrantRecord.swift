/// What a person decided about one plugin.
struct PluginGrantRecord: Sendable, Hashable {
    /// The SHA-256 of the library that the grants were given to: another file does not have them.
    var library: String?
    var permissions: Set<SandboxPermission> = []
    var environment: Set<String> = []
    /// What was taken from a plugin that starts with what it asks for. Bound to the plugin's id alone: a new version does not get it back.
    var revokedPermissions: Set<SandboxPermission> = []
    var revokedEnvironment: Set<String> = []

    var isEmpty: Bool { self == PluginGrantRecord(library: library) }

    /// What a plugin may do that asks for `wishes` and whose library's digest is `digest`: a grant to this very file counts, also for
    /// a part of what was revoked.
    func grants(for wishes: PluginWishes, origin: PluginOrigin, digest: String?) -> PluginGrants {
        var permissions: Set = library == digest ? self.permissions.filter { wishes.cover($0) } : []
        var environment: Set = library == digest ? self.environment.intersection(wishes.environment) : []
        if origin == .shipped {
            permissions.formUnion(
                wishes.permissions.filter { wish in !revokedPermissions.contains { $0.covers(wish) } })
            environment.formUnion(Set(wishes.environment).subtracting(revokedEnvironment))
        }
        return PluginGrants(permissions: Array(permissions), environment: Array(environment))
    }

    /// Grants to the library with this digest; what was granted to another one is forgotten.
    mutating func grant(_ change: PluginGrantChange, digest: String) {
        if library != digest {
            library = digest
            permissions = []
            environment = []
        }
        permissions.formUnion(change.permissions)
        environment.formUnion(change.environment)
        revokedPermissions = revokedPermissions.filter { revoked in
            !change.permissions.contains { $0.covers(revoked) }
        }
        revokedEnvironment.subtract(change.environment)
    }

    /// Takes everything that `change` names; of a plugin that starts with what it asks for, for good. Throws, and takes nothing, where
    /// only a part of a permission is named: that part would stay open.
    mutating func revoke(
        _ change: PluginGrantChange, of wishes: PluginWishes, origin: PluginOrigin
    ) throws(PluginGrantsError) {
        let held = grants(for: wishes, origin: origin, digest: library).permissions
        for permission in change.permissions {
            if let whole = held.first(where: { $0.covers(permission) && !permission.covers($0) }) {
                throw .partOfGrant(permission.text, whole: whole.text)
            }
        }
        permissions = permissions.filter { granted in !change.permissions.contains { $0.covers(granted) } }
        environment.subtract(change.environment)
        guard origin == .shipped else { return }
        revokedPermissions.formUnion(change.permissions)
        revokedEnvironment.formUnion(change.environment)
    }
}

/// What to grant or to revoke.
public struct PluginGrantChange: Sendable, Hashable {
    /// The permissions; to revoke files without a path takes all files.
    public var permissions: [SandboxPermission]
    /// The names of environment variables.
    public var environment: [String]

    /// A change; both empty means everything that the manifest asks for.
    public init(permissions: [SandboxPermission] = [], environment: [String] = []) {
        self.permissions = permissions
        self.environment = environment
    }
}
