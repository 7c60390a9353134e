import Foundation

/// The folders in which plugins are looked for, first come first served.
public struct PluginSearchPath: Sendable, Hashable {
    /// The absolute paths of folders, or of single plugins, in order, each once.
    public var entries: [String]

    /// A path of exactly these entries.
    public init(entries: [String]) {
        var seen: Set<String> = []
        self.entries = entries.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The path of design: `configured`, `EXTENTOS_PLUGIN_PATH` (separated by `:`), the executable's folder, which in
    /// development is the build folder, its `plugins` folder, the user's and the system's plugins.
    ///
    /// Entries that are not absolute are left out: what is loaded must not depend on the working directory.
    public static func standard(
        configured: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment,
        executableFolder: String? = ExecutableFolder.current
    ) -> PluginSearchPath {
        var entries = configured
        entries += (environment["EXTENTOS_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init)
        if let executableFolder { entries += [executableFolder, executableFolder + "/plugins"] }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            entries.append(data + "/extentos/plugins")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            entries.append(home + "/.local/share/extentos/plugins")
        }
        entries.append("/usr/lib/extentos/plugins")
        return PluginSearchPath(entries: entries.filter { $0.hasPrefix("/") }.map(withoutTrailingSlash))
    }

    private static func withoutTrailingSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// Where the running program lies.
public enum ExecutableFolder {
    /// The folder of the running executable; nil when the system does not tell.
    public static let current: String? = executable.map(PluginPermissions.parent(of:))

    /// The running executable itself; nil when the system does not tell.
    static let executable: String? = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
}
