/// The files of one plugin, found from any of them: its folder, its `plugin.json` or its library.
///
/// Reading it runs none of the plugin's code.
public struct PluginPackage: Sendable, Hashable {
    /// The absolute path that it was found by.
    public let path: String
    /// The absolute path of `plugin.json`.
    public let manifestPath: String
    /// The absolute path where the library has to be; empty when the manifest does not name it.
    public let libraryPath: String
    /// What the manifest holds, and what is wrong with it.
    public let check: PluginManifestCheck
    /// The bytes of `plugin.json`.
    public let manifestBytes: [UInt8]

    /// What the plugin promises to be; empty when its manifest cannot be used.
    public var kinds: [PluginKind] { check.manifest?.kinds ?? [] }

    /// The plugin at an absolute path.
    public init(path: String) throws(PluginPackageError) {
        guard let file = PluginFile(path: path) else { throw .notFound(path: path) }
        let isManifest = !file.isFolder && path.hasSuffix("/plugin.json")
        let entry = isManifest ? PluginPermissions.parent(of: path) : path
        let candidates = PluginFinder().candidates(at: entry)
        guard let candidate = candidates.first else { throw .noManifest(path: path) }
        guard candidates.count == 1 else { throw .several(path: path, count: candidates.count) }
        self.path = path
        manifestPath = candidate.manifestPath
        manifestBytes = try Self.read(candidate.manifestPath)
        check = PluginManifestCheck(manifestBytes, needsLibrary: candidate.libraryPath == nil)
        libraryPath = check.manifest.flatMap { candidate.library(of: $0) } ?? candidate.libraryPath ?? ""
    }

    /// The whole library; nil when it is larger than any plugin is.
    package func libraryBytes() throws(PluginPackageError) -> [UInt8]? {
        do {
            return try PluginFile.read(libraryPath, limit: Self.libraryLimit)
        } catch {
            throw .unreadable(path: libraryPath, reason: error.description)
        }
    }

    /// A library of a gigabyte is a mistake.
    private static let libraryLimit = 1 << 30

    private static func read(_ path: String) throws(PluginPackageError) -> [UInt8] {
        do {
            // Enough to tell a manifest that is too large from a file that is none.
            if let bytes = try PluginFile.read(path, limit: 16 * PluginManifestReader.sizeLimit) { return bytes }
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        throw .unreadable(path: path, reason: "it is far larger than a manifest may be")
    }
}

/// Why a path leads to no plugin.
public enum PluginPackageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing is there, or it cannot be looked at.
    case notFound(path: String)
    /// There is no `plugin.json` in the folder, or none that belongs to the library.
    case noManifest(path: String)
    /// The folder holds several plugins.
    case several(path: String, count: Int)
    /// A file cannot be read; `reason` is the system's word for it.
    case unreadable(path: String, reason: String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .notFound: "not_found"
        case .noManifest: "no_manifest"
        case .several: "several_plugins"
        case .unreadable: "unreadable"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .notFound(let path): "\(path) is not there. Name a plugin's folder, its plugin.json or its library."
        case .noManifest(let path):
            "There is no plugin.json that belongs to \(path). Put one beside the library, or name the plugin's folder."
        case .several(let path, let count): "\(path) holds \(count) plugins. Name one of them."
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason). Mend the file or its permissions."
        }
    }
}
