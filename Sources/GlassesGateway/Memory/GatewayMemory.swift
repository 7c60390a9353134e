@_spi(ExtentosTools) import GlassesCore
import GlassesDomain
import Synchronization

/// What clients let the gateway remember of their users: one profile for each token and user, on disk.
final class GatewayMemory: Sendable {
    /// Why a profile is not kept.
    enum Refusal: Error, Equatable {
        case tooLarge
        case tooMany
        case unusable(code: String)
    }

    private let documents: PrivateDocuments
    /// One writer at a time, so that the count of profiles holds.
    private let writing = Mutex(())

    init(folder: String) { documents = PrivateDocuments(folder: folder) }

    /// The profile; an empty object when there is none.
    func profile(of owner: String, user: String) throws(Refusal) -> JSONValue {
        let bytes: [UInt8]?
        do {
            bytes = try documents.read(Self.name(owner, user), limit: GatewayLimits.memoryProfile)
        } catch {
            throw .unusable(code: Self.code(of: error))
        }
        guard let bytes else { return [:] }
        do {
            return try JSONValue(jsonText: bytes)
        } catch {
            throw .unusable(code: "damaged")
        }
    }

    /// Replaces the profile.
    func save(_ profile: JSONValue, of owner: String, user: String) throws(Refusal) {
        let bytes = Array(profile.jsonText.utf8)
        guard bytes.count <= GatewayLimits.memoryProfile else { throw .tooLarge }
        let name = Self.name(owner, user)
        try writing.withLock { (_) throws(Refusal) in
            let kept = documents.names(prefix: Self.prefix(owner))
            guard kept.contains(name) || kept.count < GatewayLimits.memoryProfiles else { throw .tooMany }
            do throws(MediaError) {
                try documents.write(bytes, to: name)
            } catch {
                throw .unusable(code: Self.code(of: error))
            }
        }
    }

    private static func prefix(_ owner: String) -> String { PrivateDocuments.name(of: [owner]) + "-" }

    /// Neither a token nor a user's id can be read from a name.
    private static func name(_ owner: String, _ user: String) -> String {
        prefix(owner) + PrivateDocuments.name(of: [user]) + ".json"
    }

    private static func code(of error: MediaError) -> String {
        if case .writeFailed(let code, _) = error { code } else { "write_failed" }
    }
}
