import Foundation
import GlassesDomain

/// The file in which a person's decisions about plugins are kept: `plugin-grants.json`, which only its owner can read.
///
/// Several processes may use it at once: a reader sees the file before or after a change, and changes wait for each other.
public struct PluginGrantsStore: Sendable, Hashable {
    /// The file's absolute path.
    public let path: String

    /// More than a thousand plugins need.
    private static let sizeLimit = 1 << 20
    /// Plugins larger than this are not hashed: a library of a gigabyte is a mistake.
    private static let libraryLimit = 1 << 30
    /// How long a change waits for others: each takes milliseconds.
    private static let lockLimit: Duration = .seconds(5)

    /// The store in the file at an absolute path; file and folder are made with the first change.
    public init(path: String) { self.path = path }

    /// `$XDG_CONFIG_HOME/extentos/plugin-grants.json`, or the same in `~/.config`; nil without either variable.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> PluginGrantsStore? {
        let folder = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let configuration = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }
        return configuration.map { PluginGrantsStore(path: $0 + "/extentos/plugin-grants.json") }
    }

    /// What `plugin` may do. Reads the file, and the library if anything was granted to it; throws rather than guess.
    public func grants(
        of plugin: FoundPlugin, origin: PluginOrigin? = nil
    ) throws(PluginGrantsError) -> PluginGrants {
        try decision(on: plugin, origin: origin).grants
    }

    /// What holds for `plugin`, with what it is decided from.
    public func decision(
        on plugin: FoundPlugin, origin: PluginOrigin? = nil
    ) throws(PluginGrantsError) -> PluginGrantDecision {
        let record = try load().plugins[plugin.manifest.id]
        let digest = record?.library == nil ? nil : try Self.digest(of: plugin.library)
        return PluginGrantDecision(plugin, origin: origin ?? .of(plugin), record: record, digest: digest)
    }

    /// Grants to `plugin`, bound to its library as it is now; nothing named means everything that its manifest asks for. Waits up to 5 s
    /// for other changes: not for a thread of Swift's pool.
    public func grant(_ change: PluginGrantChange, to plugin: FoundPlugin) throws(PluginGrantsError) {
        let change = try change.checked(for: plugin.manifest)
        let digest = try Self.digest(of: plugin.library)
        try update(plugin) { record in record.grant(change, digest: digest) }
    }

    /// Revokes from `plugin`; nothing named means everything. Waits as ``grant(_:to:)`` does.
    public func revoke(
        _ change: PluginGrantChange, from plugin: FoundPlugin, origin: PluginOrigin? = nil
    ) throws(PluginGrantsError) {
        let change = try change.completed(for: plugin.manifest)
        let origin = origin ?? .of(plugin)
        try update(plugin) { record throws(PluginGrantsError) in
            try record.revoke(change, of: PluginWishes(plugin.manifest), origin: origin)
        }
    }

    private func update(
        _ plugin: FoundPlugin, _ change: (inout PluginGrantRecord) throws(PluginGrantsError) -> Void
    ) throws(PluginGrantsError) {
        do {
            try PrivateFile.makeFolder(PluginPermissions.parent(of: path))
        } catch {
            throw .notWritten(path: path, reason: error.description)
        }
        let lock = try lock()
        // Closing lets it go.
        defer { close(lock) }
        var records = try load()
        try change(&records.plugins[plugin.manifest.id, default: PluginGrantRecord()])
        do {
            try PrivateFile.replace(path, with: Array(records.text.utf8))
        } catch {
            throw .notWritten(path: path, reason: error.description)
        }
    }

    /// A file of its own, since the other one is replaced by every change.
    private func lock() throws(PluginGrantsError) -> Int32 {
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .notWritten(path: path, reason: SystemError(errno).description) }
        let deadline = SystemClock.now().advanced(by: Self.lockLimit)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let error = errno
            guard error == EWOULDBLOCK || error == EINTR, SystemClock.now() < deadline else {
                close(descriptor)
                throw error == EWOULDBLOCK
                    ? .busy(path: path) : .notWritten(path: path, reason: SystemError(error).description)
            }
            usleep(5_000)
        }
        return descriptor
    }

    private func load() throws(PluginGrantsError) -> PluginGrantRecords {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try PluginFile.read(path, limit: Self.sizeLimit)
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return PluginGrantRecords() }
            throw .unreadable(path: path, reason: error.description)
        }
        guard let file = PluginFile(path: path), file.isRegular, file.owner == geteuid(), !file.isGroupWritable,
            !file.isOtherWritable
        else { throw .unsafe(path: path) }
        guard let bytes else { throw .broken(path: path, reason: "it is larger than \(Self.sizeLimit) bytes") }
        do {
            return try PluginGrantRecords(bytes)
        } catch {
            throw .broken(path: path, reason: error.reason)
        }
    }

    private static func digest(of library: String) throws(PluginGrantsError) -> String {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try PluginFile.read(library, limit: libraryLimit)
        } catch {
            throw .libraryUnreadable(path: library, reason: error.description)
        }
        guard let bytes else {
            throw .libraryUnreadable(path: library, reason: "it is larger than \(libraryLimit) bytes")
        }
        return SHA256.hexadecimal(of: bytes)
    }
}
