import Foundation
import TestProcess

/// The real compiler on the modules of this build.
struct SeedCompiler {
    /// Where this build keeps modules and libraries.
    private static let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// A folder of its own, removed at the end.
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("seed-blocks-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() throws { try FileManager.default.removeItem(at: folder) }

    private var executable: String { folder.appendingPathComponent("program").path }

    /// Makes an executable of `program`.
    func build(_ program: SeedProgram) async throws -> TestProcess.Outcome {
        var options = ["-module-name", "Seed\(program.number)", "-o", executable]
        if !program.sources.keys.contains("main.swift") { options.append("-parse-as-library") }
        options += ["-L", Self.build.path, "-lSeedModules", "-Xlinker", "-rpath", "-Xlinker", Self.build.path]
        return try await compile(try program.write(to: folder), options)
    }

    /// Runs what was built, as an app with a property list on a machine where nothing else is installed.
    func runProgram() async throws -> TestProcess.Outcome {
        var process = TestProcess(executable)
        process.environment = [
            "MWDAT_INFO_PLIST": Seeds.home.appendingPathComponent("Info.plist").path, "XDG_DATA_HOME": folder.path,
            "XDG_CACHE_HOME": folder.path, "EXTENTOS_GATEWAY_URL": nil, "EXTENTOS_PLUGIN_PATH": nil,
        ]
        process.limit = .seconds(180)
        return try await process.run()
    }

    /// Looks at `source` alone, and makes nothing.
    func check(_ source: String) async throws -> TestProcess.Outcome {
        let file = folder.appendingPathComponent("probe.swift")
        try Data(source.utf8).write(to: file)
        return try await compile([file.path], ["-typecheck"])
    }

    private func compile(_ files: [String], _ options: [String]) async throws -> TestProcess.Outcome {
        let maps = try Self.moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        let modules = ["-I", Self.build.appendingPathComponent("Modules").path]
        var process = TestProcess("/usr/bin/env", ["swiftc", "-swift-version", "6"] + modules + maps + options + files)
        process.limit = .seconds(240)
        return try await process.run()
    }

    /// Those of our C modules, which the Swift modules were built on.
    private static func moduleMaps() throws -> [String] {
        let sources = Seeds.home.appendingPathComponent("../../Sources").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().flatMap { name in
            ["Sources/\(name)/module.modulemap", "Sources/\(name)/include/module.modulemap"]
                .map { sources.deletingLastPathComponent().appendingPathComponent($0).path }
                + [build.appendingPathComponent("\(name).build/module.modulemap").path]
        }.filter { FileManager.default.fileExists(atPath: $0) }
    }
}
