import Foundation

/// A folder of its own for one test, removed with this object.
final class PrivateFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { print("left behind: \(url.path)") }
    }

    /// Writes a file with these permissions and gives its path.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }
}
