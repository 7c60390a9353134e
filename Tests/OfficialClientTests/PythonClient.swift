import Foundation
import GlassesDomain
import SoundServer
import Testing

/// A Python program with an official client, run to its end; its last line is a report.
struct PythonClient {
    struct Report {
        let exitCode: Int32?
        let failure: String?
        let calls: [JSONValue]
        let answers: JSONValue
        let facts: JSONValue
        let validated: [String: JSONValue]
    }

    /// The virtual environment that `Scripts/setup --tests` makes.
    static var python: String {
        // Standardizing this path would follow the link to the interpreter, and lose the environment around it.
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appending(path: ".build/official-clients/bin/python").path
    }

    /// Runs `script` with a plan; `variables` are added to the environment.
    static func run(
        _ script: String, plan: JSONValue, in folder: URL, variables: [String: String] = [:]
    ) async throws -> Report {
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "The official clients are not installed. Run Scripts/setup --tests")
        let planFile = folder.appending(path: "\(script).plan.json")
        try Data(plan.jsonText.utf8).write(to: planFile)
        let output = folder.appending(path: "\(script).output").path
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Python/\(script).py")
        let process = try ChildProcess(
            "/bin/sh", ["-c", "exec \"$0\" \"$1\" \"$2\" 2>&1", python, source.path, planFile.path],
            environment: ProcessInfo.processInfo.environment.merging(variables) { _, added in added }, output: output)
        defer { process.end(SIGKILL) }
        let deadline = ContinuousClock.now + .seconds(270)
        while !process.hasEnded, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        let code = process.hasEnded ? process.wait() : nil
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("{") }),
            let report = try JSONValue(jsonText: String(line)).objectValue
        else {
            return Report(
                exitCode: code, failure: String(text.suffix(3_000)), calls: [], answers: [:], facts: [:], validated: [:]
            )
        }
        return Report(
            exitCode: code, failure: report["failure"]?.stringValue, calls: report["calls"]?.arrayValue ?? [],
            answers: report["answers"] ?? [:], facts: report["facts"] ?? [:],
            validated: report["validated"]?.objectValue ?? [:])
    }
}
