import Glibc
internal import GlassesPluginKit

/// Where engine files are looked for.
struct EngineFolders: Sendable, Hashable {
    /// The folders that hold one folder for each engine, in the order in which they count.
    let roots: [String]

    /// Where a package of the system puts engines.
    private static let systemRoot = "/usr/share/extentos/engines"

    /// The folder of the setting `enginesFolder`, an absolute path, and no other; without it as ``init(environment:)``.
    init(_ settings: PluginSettings, environment: (String) -> String?) throws(PluginFailure) {
        guard let path = try settings.string("enginesFolder") else {
            self.init(environment: environment)
            return
        }
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw .invalid("invalid_settings", "The setting enginesFolder has to be an absolute path.")
        }
        self.init(roots: [path])
    }

    /// The folder of this user, which the variables name, and the system's.
    init(environment: (String) -> String?) {
        let data = environment("XDG_DATA_HOME") ?? environment("HOME").map { $0 + "/.local/share" }
        let own = environment("EXTENTOS_ENGINES") ?? data.map { $0 + "/extentos/engines" }
        self.init(roots: [own, Self.systemRoot].compactMap(\.self))
    }

    private init(roots: [String]) { self.roots = roots }

    /// A variable of the process; nil when it is not set or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The first folder in which every file of the engine is whole.
    ///
    /// Throws `UNAVAILABLE` that names the file which is missing or damaged, of the first folder that has the engine at all.
    func folder(of engine: EngineFiles) throws(PluginFailure) -> String {
        var reason: PluginFailure?
        for root in roots {
            let folder = "\(root)/\(engine.name)"
            guard access(folder, F_OK) == 0 else { continue }
            do throws(PluginFailure) {
                try engine.verify(in: folder)
                return folder
            } catch {
                reason = reason ?? error
            }
        }
        throw reason ?? EngineFiles.missing("\(roots.first ?? Self.systemRoot)/\(engine.name)")
    }
}
