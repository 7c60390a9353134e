import Foundation
import GlassesDomain
@_spi(ExtentosTools) import GlassesRuntime
import Synchronization

/// The memory of users in files: `$XDG_STATE_HOME/extentos/memory`, or `~/.local/state/extentos/memory`, one for each user id, mode
/// 0600 in a folder of mode 0700. Their names do not tell the ids.
///
/// A profile that cannot be read is never replaced, and one that is no JSON is put aside before it is.
final class DiskMemoryStore: MemoryStore {
    /// The largest profile, in bytes: more than one with every bound reached.
    private static let limit = 4 << 20

    private let folder: String
    private let documents: PrivateDocuments
    private let log: @Sendable (LogLevel, String, JSONValue) -> Void
    /// Profiles that a load could not read: what is saved next was made without them.
    private let unread = Mutex<Set<String>>([])

    init(
        environment: [String: String], log: @escaping @Sendable (LogLevel, String, JSONValue) -> Void
    ) {
        let named = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let state = named ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
        folder = state + "/extentos/memory"
        documents = PrivateDocuments(folder: folder)
        self.log = log
    }

    func load(userId: String?) async -> String? {
        await onDiskThread { [self] in
            let name = Self.name(userId)
            do throws(MediaError) {
                let text = try read(name)
                unread.withLock { _ = $0.remove(name) }
                return text
            } catch {
                unread.withLock { _ = $0.insert(name) }
                tell(error)
                return nil
            }
        }
    }

    func save(userId: String?, profileJson: String) async {
        await onDiskThread { [self] in
            let name = Self.name(userId)
            guard !unread.withLock({ $0.contains(name) }) else {
                return log(.error, "memory.not_saved", ["file": .string("\(folder)/\(name)")])
            }
            do throws(MediaError) {
                let old = try read(name)
                if let old, !Self.isProfile(old) { try putAside(name) }
                try documents.write(Array(profileJson.utf8), to: name)
                if old == nil { log(.info, "memory.kept", ["file": .string("\(folder)/\(name)")]) }
            } catch {
                tell(error)
            }
        }
    }

    private func read(_ name: String) throws(MediaError) -> String? {
        try documents.read(name, limit: Self.limit).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isProfile(_ text: String) -> Bool {
        do { return try JSONValue(jsonText: text).objectValue != nil } catch { return false }
    }

    /// Keeps a damaged profile beside the new one, for whoever can repair it.
    private func putAside(_ name: String) throws(MediaError) {
        try documents.rename(name, to: name + ".damaged")
        log(.warn, "memory.put_aside", ["file": .string("\(folder)/\(name).damaged")])
    }

    /// The disk may take its time, which the shared pool's few threads have not.
    private func onDiskThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await Task(executorPreference: RuntimeThreads.shared) { body() }.value
    }

    private func tell(_ error: MediaError) {
        guard case .writeFailed(let code, let message) = error else { return }
        log(.error, "memory.unusable", ["code": .string(code), "message": .string(message)])
    }

    private static func name(_ userId: String?) -> String {
        PrivateDocuments.name(of: userId.map { ["user", $0] } ?? ["device"]) + ".json"
    }
}
