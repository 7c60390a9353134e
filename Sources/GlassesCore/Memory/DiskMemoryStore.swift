import Foundation
import GlassesDomain
@_spi(ExtentosTools) import GlassesRuntime

/// The memory of users in files: `$XDG_STATE_HOME/extentos/memory`, or `~/.local/state/extentos/memory`, one for each user id, mode
/// 0600 in a folder of mode 0700. Their names do not tell the ids.
struct DiskMemoryStore: MemoryStore {
    /// The largest profile, in bytes: more than one with every bound reached.
    private static let limit = 4 << 20

    private let folder: String
    private let documents: PrivateDocuments
    private let log: @Sendable (LogLevel, String, JSONValue) -> Void

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
        await onDiskThread { documents in
            do throws(MediaError) {
                return try documents.read(Self.name(userId), limit: Self.limit).map {
                    String(decoding: $0, as: UTF8.self)
                }
            } catch {
                tell(error)
                return nil
            }
        }
    }

    func save(userId: String?, profileJson: String) async {
        await onDiskThread { documents in
            do throws(MediaError) {
                let name = Self.name(userId)
                let isNew = documents.names(prefix: name).isEmpty
                try documents.write(Array(profileJson.utf8), to: name)
                if isNew { log(.info, "memory.kept", ["file": .string("\(folder)/\(name)")]) }
            } catch {
                tell(error)
            }
        }
    }

    /// The disk may take its time, which the shared pool's few threads have not.
    private func onDiskThread<T: Sendable>(_ body: @escaping @Sendable (PrivateDocuments) -> T) async -> T {
        await Task(executorPreference: RuntimeThreads.shared) { body(documents) }.value
    }

    private func tell(_ error: MediaError) {
        guard case .writeFailed(let code, let message) = error else { return }
        log(.error, "memory.unusable", ["code": .string(code), "message": .string(message)])
    }

    private static func name(_ userId: String?) -> String {
        PrivateDocuments.name(of: userId.map { ["user", $0] } ?? ["device"]) + ".json"
    }
}
