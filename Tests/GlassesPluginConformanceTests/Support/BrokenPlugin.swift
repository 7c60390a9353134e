import Foundation
import GlassesPluginHost
import TestProcess
import Testing

/// A plugin that is made from `Broken/broken.c` with one fault.
struct BrokenPlugin: Sendable, CustomTestStringConvertible {
    /// What it is; one of `transport`, `stt`, `tts`.
    var kind: PluginKind
    /// The name of the fault in the C file; `INTACT` for none.
    var fault: String

    var testDescription: String { "\(kind.rawValue) \(fault)" }

    /// Compiles it into a folder of its own, with a manifest.
    func make(in folder: TestFolder, manifest: [String: String] = [:]) async throws -> PluginPackage {
        let name = "\(kind.rawValue)-\(fault)"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/" + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let library = "\(folder.path)/\(name)/libbroken.so"
        try await CCompiler.run(
            ["-DKIND_\(kind.rawValue.uppercased())", "-DBREAK=\(fault)", "-DBREAK_\(fault)", "-o", library])
        var members = [
            "id": "\"org.example.broken\"", "name": "\"Broken\"", "version": "\"1.0.0\"", "abi": "\"1.0\"",
            "kinds": "[\"\(kind.rawValue)\"]", "library": "\"libbroken.so\"",
        ]
        if kind == .transport { members["capabilities"] = "[\"microphone\", \"speaker\"]" }
        members.merge(manifest) { _, other in other }
        let text = members.map { "\"\($0)\": \($1)" }.sorted().joined(separator: ",\n")
        try folder.write(name + "/plugin.json", "{\n\(text)\n}\n")
        return try PluginPackage(path: folder.path + "/" + name)
    }
}

/// The C compiler of the machine.
enum CCompiler {
    struct Failure: Error { var output: String }

    /// The checkout.
    static let root: String = {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        return (0..<4).reduce(file) { folder, _ in folder.deletingLastPathComponent() }.path
    }()

    /// Compiles the broken plugin with these further arguments.
    static func run(_ arguments: [String]) async throws {
        let fixed = [
            "cc", "-std=gnu11", "-D_GNU_SOURCE", "-w", "-shared", "-fPIC", "-pthread", "-fvisibility=hidden",
            "-I", root + "/Sources/CGlassesPlugin/include", "-I", root + "/Plugins/LoopbackTransport",
            root + "/Tests/GlassesPluginConformanceTests/Broken/broken.c",
            root + "/Plugins/LoopbackTransport/settings.c",
        ]
        var process = TestProcess("/usr/bin/env", fixed + arguments)
        process.limit = .seconds(120)
        let outcome = try await process.run()
        guard outcome.code == 0 else { throw Failure(output: outcome.errors) }
    }
}

/// A folder of its own for one test, removed afterwards.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "extentos-conformance-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}

/// The folder of the test binary, where the build puts plugins and programs.
let buildFolder: String = (CommandLine.arguments[0] as NSString).deletingLastPathComponent

/// Lets a few tests through at a time: each starts processes whose times are looked at.
actor Turnstile {
    static let shared = Turnstile(places: 6)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { free = places }

    func pass<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
