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

    /// A memory in `folder`, which is made when needed; nil keeps it in this process only.
    init(folder: String?) {
        path = folder.map { $0 + "/plugin-probes.json" }
        state = Mutex(path.map(Self.load) ?? ProbeVerdicts())
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
        try Self.makeFolder(PluginPermissions.parent(of: path))
        try Self.replace(path, with: Array(verdicts.text.utf8))
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

    private static func makeFolder(_ folder: String) throws(SystemError) {
        guard PluginFile(path: folder) == nil else { return }
        let parent = PluginPermissions.parent(of: folder)
        if parent != "/" { try makeFolder(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno) }
    }

    /// All or nothing: a new file, renamed over the old one once it is complete on the disk.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError(errno) }
        do throws(SystemError) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
        } catch {
            unlink(template)
            throw error
        }
        guard rename(template, path) == 0 else {
            let error = SystemError(errno)
            unlink(template)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        guard fchmod(descriptor, 0o600) == 0 else { throw SystemError(errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError(errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    }
}
