import Foundation

/// Where the probe program is.
struct ProbeProgram: Sendable {
    static let name = "glasses-plugin-probe"

    /// The path that `EXTENTOS_PLUGIN_PROBE` names, else the program beside the running one, else in `libexec` beside
    /// its `bin`; nil when none of them can be run.
    static func find(
        configured: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        executableFolder: String? = ExecutableFolder.current
    ) -> String? {
        if let named = configured ?? environment["EXTENTOS_PLUGIN_PROBE"] { return isRunnable(named) ? named : nil }
        guard let folder = executableFolder else { return nil }
        let places = [folder + "/" + name, folder + "/../libexec/extentos/" + name]
        return places.first(where: isRunnable)
    }

    private static func isRunnable(_ path: String) -> Bool {
        path.hasPrefix("/") && PluginFile(path: path)?.isRegular == true && access(path, X_OK) == 0
    }
}
