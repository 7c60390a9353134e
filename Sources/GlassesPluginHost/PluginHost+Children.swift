import Foundation
import GlassesDomain

extension PluginHost {
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
        let log = configuration.onLog
        return await plan(found, kind, settings).asyncFlatMap { plan in
            await open(
                SupervisedChild.Setup(plan: plan, monitor: monitor, limits: configuration.supervision) {
                    severity, text in
                    log(PluginLogLine(plugin: found.manifest.id, severity: severity, text: text))
                })
        }
    }

    private func plan(
        _ found: FoundPlugin, _ kind: PluginKind, _ settings: JSONValue
    ) -> Result<PluginChild.Plan, PluginFailureReport> {
        guard let program = ChildProgram.host.find(configured: configuration.hostProgram) else {
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
