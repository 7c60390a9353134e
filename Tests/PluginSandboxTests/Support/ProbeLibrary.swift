import Foundation
import TestProcess

/// The probe library, compiled once for the whole run.
actor ProbeLibrary {
    static let shared = ProbeLibrary()

    /// The child program, which the build puts beside the test bundle.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("sandbox-probe").path

    private static let folder = NSTemporaryDirectory() + "sandbox-probe-\(getpid())"

    private var compilation: Task<String, any Error>?

    /// The library's path.
    func path() async throws -> String {
        if let compilation { return try await compilation.value }
        let task = Task { try await Self.compile() }
        compilation = task
        return try await task.value
    }

    private static func compile() async throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        atexit {
            do { try FileManager.default.removeItem(atPath: ProbeLibrary.folder) } catch {
                print("left behind: \(error)")
            }
        }
        let (source, output) = (folder + "/probe.c", folder + "/libprobe.so")
        try Data(ProbePlugin.source.utf8).write(to: URL(fileURLWithPath: source))
        let compiler = TestProcess(
            "/usr/bin/cc", ["-std=c11", "-D_GNU_SOURCE", "-w", "-shared", "-fPIC", "-pthread", source, "-o", output])
        let outcome = try await compiler.run()
        guard outcome.code == 0 else { throw LabError(description: outcome.errors) }
        return output
    }
}
