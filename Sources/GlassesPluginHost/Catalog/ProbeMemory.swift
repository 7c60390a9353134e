import Foundation
import Synchronization

/// Remembers verdicts between starts in a file that only its owner can read or write.
///
/// The file is a convenience: where it cannot be read or written, libraries are probed again at the next start.
final class ProbeMemory: Sendable {
    /// Far more than ``ProbeVerdicts/limit`` entries take.
    private static let fileLimit = 4 << 20

    private let path: String?
    private let state: Mutex<ProbeVerdicts>

    /// A memory in `folder`, which is made when needed; nil keeps it in this process only. With `startsEmpty` nothing is believed of
    /// what earlier starts have found; what is found now replaces it.
    init(folder: String?, startsEmpty: Bool = false) {
        path = folder.map { $0 + "/plugin-probes.json" }
        state = Mutex(startsEmpty ? ProbeVerdicts() : path.map(Self.load) ?? ProbeVerdicts())
    }

    /// `$XDG_CACHE_HOME/extentos`, or `~/.cache/extentos`; nil without either.
    static func standardFolder(environment: [String: String]) -> String? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/extentos" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/extentos" }
        return nil
    }

    subscript(key: ProbeKey) -> ProbeVerdict? { state.withLock { $0[key] } }

    func add(_ verdict: ProbeVerdict, for key: ProbeKey) { state.withLock { $0.add(verdict, for: key) } }

    /// Writes what is known, together with what another process wrote meanwhile.
    func save() throws(SystemError) {
        guard let path else { return }
        var verdicts = Self.load(path)
        verdicts.merge(state.withLock { $0 })
        state.withLock { $0 = verdicts }
        try PrivateFile.makeFolder(PluginPermissions.parent(of: path))
        try PrivateFile.replace(path, with: Array(verdicts.text.utf8))
    }

    /// A file that somebody else may write could hide a bad library from the probe, so it counts as empty.
    private static func load(_ path: String) -> ProbeVerdicts {
        guard let file = PluginFile(path: path), file.isRegular, file.owner == geteuid(),
            !file.isGroupWritable, !file.isOtherWritable
        else { return ProbeVerdicts() }
        do {
            return ProbeVerdicts(text: try PluginFile.read(path, limit: fileLimit) ?? [])
        } catch {
            // An unreadable cache only costs probes.
            return ProbeVerdicts()
        }
    }
}
