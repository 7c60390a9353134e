import Foundation

/// How children are confined; what the parent decides before it starts one.
public struct SandboxConfiguration: Sendable, Hashable {
    /// Where a person's decisions are; nil keeps none: plugins of this program have what they ask for, others nothing.
    public var store: PluginGrantsStore?
    /// The environment that granted variables are taken from.
    public var environment: [String: String]
    /// Where this machine keeps devices, models and the home folder.
    public var places: SandboxPlaces
    /// How much of the machine a child may use.
    public var limits = SandboxLimits()

    /// The defaults for a process with this environment.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
        store = .standard(environment: environment)
        places = .standard(environment: environment)
    }
}

/// What the parent gives to the child that carries a plugin: its whole environment and its profile.
public struct ChildConfinement: Sendable, Hashable {
    /// The child's environment.
    public let environment: PluginEnvironment
    /// The rights that the child keeps; handed over as ``SandboxProfile/text``.
    public let profile: SandboxProfile

    /// What follows for `plugin` from its manifest and from what it is granted. Reads files; throws rather than guess what was granted.
    public init(_ plugin: FoundPlugin, _ configuration: SandboxConfiguration) throws(PluginGrantsError) {
        let grants = try configuration.store?.grants(of: plugin) ?? PluginGrantDecision(plugin).grants
        environment = PluginEnvironment(grants, from: configuration.environment)
        profile = SandboxProfile(
            plugin, grants: grants, environment: environment, places: configuration.places,
            limits: configuration.limits)
    }
}
