import Foundation
import TestProcess

/// The repository's scripts, and temporary trees to run them in.
enum ScriptTree {
    /// The repository's root.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The path of a script.
    static func script(_ name: String) -> String { root.appendingPathComponent("Scripts/\(name)").path }
}

/// A folder that is removed when the test ends.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("scripts-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { print("\(url.path) was not removed: \(error)") }
    }

    /// Writes a file and the folders above it.
    func write(_ path: String, _ text: String, isExecutable: Bool = false) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        if isExecutable {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
    }

    /// Writes a program that the scripts find first.
    func stub(_ name: String, _ body: String) throws {
        try write("bin/\(name)", "#!/usr/bin/env bash\n\(body)\n", isExecutable: true)
    }

    /// Runs a script with the stubs of this folder before the system's programs.
    func run(_ script: String, _ arguments: [String] = []) async throws -> TestProcess.Outcome {
        var process = TestProcess(script, arguments)
        process.environment = ["PATH": url.appendingPathComponent("bin").path + ":/usr/bin:/bin"]
        return try await process.run()
    }
}
