import Foundation
import GlassesDomain

extension PluginHost {
    /// The path of the program that carries plugins in children; nil when it is missing, and then no plugin can be used that is
    /// to run in one.
    public var childProgram: String? { ChildProgram.host.find(configured: configuration.hostProgram) }

    /// Whether the plugin gets a child process of its own.
    func runsInChild(_ found: FoundPlugin) -> Bool {
        configuration.isolation == .process && found.manifest.isolation == .process
    }

    /// Opens an instance in a child process. Without the program for it, or when nobody can tell what the plugin may do, nothing is
    /// loaded: never in this process instead.
    func openInChild<Instance>(
        _ found: FoundPlugin, _ kind: PluginKind, _ settings: JSONValue, _ monitor: CallMonitor,
        _ open: (SupervisedChild.Setup) async -> Result<Instance, PluginFailureReport>
    ) async -> Result<Instance, PluginFailureReport> {
        let (log, tell, id) = (configuration.onLog, configuration.onChild, found.manifest.id)
        return await plan(found, kind, settings).asyncFlatMap { plan in
            await open(
                SupervisedChild.Setup(
                    plan: plan, monitor: monitor, limits: configuration.supervision,
                    tell: { tell(PluginChildEvent(plugin: id, kind: kind, change: $0, record: $1)) },
                    log: { log(PluginLogLine(plugin: id, severity: $0, text: $1)) }))
        }
    }

    private func plan(
        _ found: FoundPlugin, _ kind: PluginKind, _ settings: JSONValue
    ) -> Result<PluginChild.Plan, PluginFailureReport> {
        guard let program = childProgram else {
            return .failure(.hostMissing)
        }
        let grants: PluginGrants
        do {
            grants = try configuration.grants?.grants(of: found) ?? PluginGrantDecision(found).grants
        } catch {
            return .failure(PluginFailureReport(.denied, code: error.code, message: error.description))
        }
        let environment = PluginEnvironment(grants, from: ProcessInfo.processInfo.environment)
        let profile = SandboxProfile(found, grants: grants, environment: environment, settings: settings)
        return .success(
            PluginChild.Plan(
                program: program, environment: environment.variables,
                opening: PluginOpening(
                    library: found.library, kind: kind, settings: settings.jsonText, profile: profile.text),
                openLimit: kind == .transport ? ActivePlugin.activationLimit : EngineCalls.activationLimit))
    }
}

extension PluginFailureReport {
    fileprivate static let hostMissing = PluginFailureReport(
        .unavailable, code: "plugin_host_missing",
        message: "The program glasses-plugin-host was not found beside this one, so no plugin is loaded. "
            + "Install it there, or name it in EXTENTOS_PLUGIN_HOST.")
}

extension Result {
    fileprivate func asyncFlatMap<New>(
        _ transform: (Success) async -> Result<New, Failure>
    ) async -> Result<New, Failure> {
        switch self {
        case .success(let value): await transform(value)
        case .failure(let failure): .failure(failure)
        }
    }
}
