import Foundation

/// Makes paths of the command line absolute: plugins are found by absolute paths only.
enum AbsolutePath {
    /// `path` seen from the working directory, without `.`, `..` and a trailing slash.
    static func of(_ path: String) -> String {
        let base = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let expanded = path.hasPrefix("~/") ? (path as NSString).expandingTildeInPath : path
        let absolute = URL(fileURLWithPath: expanded, relativeTo: base).standardizedFileURL.path
        return absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
    }
}
