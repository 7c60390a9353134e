import Foundation

/// A place where a plugin seems to be: a manifest, and the library that belongs to it in a build folder.
struct PluginCandidate: Sendable, Hashable {
    /// The path of `plugin.json`.
    var manifestPath: String
    /// The library's path in a build folder; nil where the manifest names it.
    var libraryPath: String?

    /// The library's path, for a manifest that was read.
    func library(of manifest: PluginManifest) -> String? {
        if let libraryPath { return libraryPath }
        return manifest.library.map { PluginPermissions.parent(of: manifestPath) + "/" + $0 }
    }
}

/// Finds candidates in the two layouts: an installed plugin's folder, and a build folder.
struct PluginFinder: Sendable {
    /// More than any folder of plugins has; a folder with more is not one, and is left alone.
    static let entryLimit = 10_000

    /// The candidates at one entry of the search path, in the order of their names.
    func candidates(at entry: String) -> [PluginCandidate] {
        guard let file = PluginFile(path: entry) else { return [] }
        guard file.isFolder else { return single(entry) }
        if entry.hasSuffix(Self.resourcesSuffix) { return built(entry) }
        if PluginFile(path: entry + "/plugin.json")?.isRegular == true {
            return [PluginCandidate(manifestPath: entry + "/plugin.json", libraryPath: nil)]
        }
        return names(in: entry).flatMap { name in inside(entry + "/" + name) }
    }

    private static let resourcesSuffix = ".resources"

    private func names(in folder: String) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return names.count > Self.entryLimit ? [] : names.sorted()
        } catch {
            // A folder that we may not list offers no plugins; the scan goes on with the next one.
            return []
        }
    }

    private func inside(_ folder: String) -> [PluginCandidate] {
        if folder.hasSuffix(Self.resourcesSuffix) { return built(folder) }
        let manifest = folder + "/plugin.json"
        guard PluginFile(path: manifest)?.isRegular == true else { return [] }
        return [PluginCandidate(manifestPath: manifest, libraryPath: nil)]
    }

    /// `<package>_<Name>.resources/plugin.json` belongs to `lib<Name>.so` beside the resources. Either name may hold
    /// underscores, so the first split with a library counts.
    private func built(_ resources: String) -> [PluginCandidate] {
        let manifest = resources + "/plugin.json"
        guard PluginFile(path: manifest)?.isRegular == true else { return [] }
        let folder = PluginPermissions.parent(of: resources)
        let stem = resources.dropFirst(folder.count).drop { $0 == "/" }.dropLast(Self.resourcesSuffix.count)
        let libraries = stem.indices.filter { stem[$0] == "_" }
            .map { "\(folder)/lib\(stem[stem.index(after: $0)...]).so" }
        guard let library = libraries.first(where: { PluginFile(path: $0) != nil }) ?? libraries.first else {
            return []
        }
        return [PluginCandidate(manifestPath: manifest, libraryPath: library)]
    }

    /// A library named by itself: its manifest lies beside it in either layout.
    private func single(_ library: String) -> [PluginCandidate] {
        let folder = PluginPermissions.parent(of: library)
        let file = library.dropFirst(folder.count).drop { $0 == "/" }
        if file.hasPrefix("lib"), file.hasSuffix(".so") {
            let suffix = "_" + file.dropFirst(3).dropLast(3) + Self.resourcesSuffix
            if let resources = names(in: folder).first(where: { $0.hasSuffix(suffix) }) {
                return built(folder + "/" + resources)
            }
        }
        let manifest = folder + "/plugin.json"
        guard PluginFile(path: manifest)?.isRegular == true else { return [] }
        return [PluginCandidate(manifestPath: manifest, libraryPath: nil)]
    }
}
