/// What a manifest asks for, understood.
public struct PluginWishes: Sendable, Hashable {
    /// The permissions that this runtime knows, in the manifest's order, each once.
    public private(set) var permissions: [SandboxPermission] = []
    /// The texts among the manifest's permissions that it does not know; they grant nothing.
    public private(set) var unknown: [String] = []
    /// The environment variables that a plugin can get.
    public private(set) var environment: [String] = []
    /// The names among the manifest's variables that no plugin gets.
    public private(set) var withheld: [String] = []

    /// The wishes in `manifest`.
    public init(_ manifest: PluginManifest) {
        for text in manifest.permissions {
            do {
                let permission = try SandboxPermission(text)
                if !permissions.contains(permission) { permissions.append(permission) }
            } catch {
                unknown.append(text)
            }
        }
        for name in manifest.environment where !environment.contains(name) && !withheld.contains(name) {
            if PluginEnvironment.isGrantable(name) { environment.append(name) } else { withheld.append(name) }
        }
    }

    /// Whether the manifest asks for everything that `permission` names.
    public func cover(_ permission: SandboxPermission) -> Bool { permissions.contains { $0.covers(permission) } }
}
