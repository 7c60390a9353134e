import Foundation
public import GlassesPluginHost

/// Makes an installable folder of a plugin: its library, and its manifest with the library's name and SHA-256.
public struct PluginPacker: Sendable {
    /// The folder that was made.
    public struct Packed: Sendable, Hashable {
        /// Its absolute path, named after the plugin's id.
        public let folder: String
        /// The library's SHA-256 in hexadecimal.
        public let sha256: String
    }

    private let package: PluginPackage

    /// A packer of the plugin that was found.
    public init(_ package: PluginPackage) { self.package = package }

    /// Makes `output`/`ID`. It appears whole or not at all, and the same plugin makes the same bytes. `replaces` lets it take the
    /// place of an older one. Blocks its thread while it copies.
    public func pack(into output: String, replaces: Bool = false) throws(PluginPackError) -> Packed {
        guard let manifest = package.check.manifest else { throw .manifest(package.check.findings) }
        let library = try libraryBytes()
        let digest = SHA256.hexadecimal(of: library)
        let name = (package.libraryPath as NSString).lastPathComponent
        let text = try PackedManifest(package.manifestBytes).text(library: name, sha256: digest)
        let folder = output + "/" + manifest.id
        let writer = FolderWriter(folder: folder)
        try writer.begin(replaces: replaces)
        do throws(PluginPackError) {
            try writer.add(name, library)
            try writer.add("plugin.json", Array(text.utf8))
            try writer.finish()
        } catch {
            writer.abandon()
            throw error
        }
        return Packed(folder: folder, sha256: digest)
    }

    private func libraryBytes() throws(PluginPackError) -> [UInt8] {
        do {
            if let bytes = try package.libraryBytes() { return bytes }
        } catch {
            throw .library(error.description)
        }
        throw .library("\(package.libraryPath) is larger than any plugin is.")
    }
}

/// Why a plugin could not be packed.
public enum PluginPackError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The manifest breaks its rules.
    case manifest([PluginManifestFinding])
    /// The library cannot be read; the sentence says why.
    case library(String)
    /// The folder is there already.
    case exists(path: String)
    /// A file or folder cannot be written; the number is the system's `errno`.
    case notWritten(path: String, Int32)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .manifest: "manifest_invalid"
        case .library: "library_unreadable"
        case .exists: "folder_exists"
        case .notWritten: "not_written"
        }
    }

    /// What is wrong, with the next step.
    public var description: String {
        switch self {
        case .manifest(let findings):
            (["The plugin.json has to be mended first."] + findings.map(\.description)).joined(separator: "\n")
        case .library(let sentence): sentence
        case .exists(let path): "\(path) is there already. Remove it, or say --replace."
        case .notWritten(let path, let number):
            "\(path) cannot be written: \(String(cString: strerror(number))). Choose another --output."
        }
    }
}
