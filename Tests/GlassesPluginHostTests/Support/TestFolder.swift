import Foundation
import Testing

/// A folder of its own for one test, removed afterwards.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "extentos-plugins-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }

    @discardableResult
    func write(_ name: String, _ data: Data) throws -> String {
        let file = path + "/" + name
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try data.write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        return file
    }
}

/// What a C compiler said.
struct CompilerFailure: Error, CustomStringConvertible {
    var description: String
}

/// The C compiler of the machine, for plugins that only tests need.
enum CCompiler {
    static let headers: String = {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        return file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/CGlassesPlugin/include").path
    }()

    /// Compiles `source` with the given macros into the shared library `output`.
    static func library(_ source: String, to output: String, _ macros: [String] = []) async throws {
        let file = output + ".c"
        try Data(source.utf8).write(to: URL(fileURLWithPath: file))
        try await run(
            ["cc", "-std=c11", "-D_GNU_SOURCE", "-w", "-shared", "-fPIC", "-pthread", "-I", headers]
                + macros.map { "-D" + $0 } + [file, "-o", output])
    }

    /// Runs a tool on a thread of its own, since the task pool has few, and throws what it printed when it fails.
    @discardableResult
    static func run(_ command: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runBlocking(command) }) }
        }
    }

    private static func runBlocking(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CompilerFailure(description: text) }
        return text
    }
}
