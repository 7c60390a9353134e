import Foundation
import GlassesCore
import TestProcess

/// The built `glasses`, beside the test bundle.
enum GlassesProgram {
    static let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("glasses").path

    /// Runs it with only the plugins of this build.
    static func run(_ arguments: [String], limit: Duration = .seconds(120)) async throws -> TestProcess.Outcome {
        var process = TestProcess(path, arguments)
        process.environment = environment
        process.limit = limit
        return try await process.run()
    }

    static let environment: [String: String?] = [
        "EXTENTOS_PLUGIN_PATH": nil, "XDG_DATA_HOME": "/nonexistent", "NO_COLOR": nil,
    ]
}

extension TestProcess.Outcome {
    /// The lines of standard output as JSON.
    func events() throws -> [JSONValue] { try lines.map { try JSONValue(jsonText: $0) } }
}

extension [JSONValue] {
    /// The events with this name.
    func named(_ name: String) -> [JSONValue] { filter { $0["event"]?.stringValue == name } }
}
