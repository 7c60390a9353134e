import Foundation

/// Where a program is that this runtime starts as a child.
struct ChildProgram: Sendable {
    /// Its file name.
    let name: String
    /// The environment variable that may name it.
    let variable: String

    /// Tries out one library.
    static let probe = ChildProgram(name: "glasses-plugin-probe", variable: "EXTENTOS_PLUGIN_PROBE")
    /// Carries one plugin.
    static let host = ChildProgram(name: "glasses-plugin-host", variable: "EXTENTOS_PLUGIN_HOST")

    /// The path that the configuration or the variable names, else the program beside the running one, else in `libexec` beside
    /// its `bin`; nil when none of them can be run.
    func find(
        configured: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        executableFolder: String? = ExecutableFolder.current
    ) -> String? {
        if let named = configured ?? environment[variable] { return Self.isRunnable(named) ? named : nil }
        guard let folder = executableFolder else { return nil }
        let places = [folder + "/" + name, folder + "/../libexec/extentos/" + name]
        return places.first(where: Self.isRunnable)
    }

    private static func isRunnable(_ path: String) -> Bool {
        path.hasPrefix("/") && PluginFile(path: path)?.isRegular == true && access(path, X_OK) == 0
    }
}
