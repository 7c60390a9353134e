import Foundation
import GlassesDomain
import GlassesPluginHost

/// What a plugin may do while it is tried: what a host's child may that is granted everything its manifest asks for.
struct CaseRights: Sendable {
    /// The whole environment of the child.
    let environment: [String: String]
    /// What the child confines itself to, as ``SandboxProfile/text``.
    let profile: String

    init(_ package: PluginPackage, settings: JSONValue) {
        guard let manifest = package.check.manifest else {
            // Nothing can be asked for, and only the case about the manifest runs.
            environment = PluginEnvironment(.none, from: [:]).variables
            profile = SandboxProfile.probing(library: package.libraryPath).text
            return
        }
        let wishes = PluginWishes(manifest)
        let grants = PluginGrants(permissions: wishes.permissions, environment: wishes.environment)
        let environment = PluginEnvironment(grants, from: ProcessInfo.processInfo.environment)
        let plugin = FoundPlugin(manifest: manifest, library: package.libraryPath, factories: [])
        self.environment = environment.variables
        profile = SandboxProfile(plugin, grants: grants, environment: environment, settings: settings).text
    }
}
