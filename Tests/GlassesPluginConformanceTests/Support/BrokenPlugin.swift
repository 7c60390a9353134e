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
    func make(
        in folder: TestFolder, manifest: [String: String] = [:], macros: [String] = []
    ) async throws -> PluginPackage {
        let name = "\(kind.rawValue)-\(fault)"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/" + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let library = "\(folder.path)/\(name)/libbroken.so"
        let faults = ["KIND_\(kind.rawValue.uppercased())", "BREAK=\(fault)", "BREAK_\(fault)"]
        try await CCompiler.brokenPlugin(library, macros: faults + macros)
        var members = [
            "id": "\"org.example.broken\"", "name": "\"Broken\"", "version": "\"1.0.0\"", "abi": "\"1.0\"",
            "kinds": "[\"\(kind.rawValue)\"]", "library": "\"libbroken.so\"",
        ]
        if kind == .transport {
            members["capabilities"] =
                #"["microphone", "speaker", "camera", "display", "registration", "power", "input"]"#
        }
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

    /// Compiles the broken plugin into the file `library`.
    static func brokenPlugin(_ library: String, macros: [String]) async throws {
        let source = root + "/Tests/GlassesPluginConformanceTests/Broken/broken.c"
        try await run(
            ["-shared", "-o", library, source, try await settings.value]
                + macros.map { "-D" + $0 })
    }

    /// The object file that all of them share, compiled once.
    private static let settings = Task {
        let object = buildFolder + "/broken-settings.o"
        try await run(["-c", "-o", object, root + "/Plugins/LoopbackTransport/settings.c"])
        return object
    }

    private static func run(_ arguments: [String]) async throws {
        let fixed = [
            "cc", "-std=gnu11", "-D_GNU_SOURCE", "-w", "-fPIC", "-fvisibility=hidden", "-pthread",
            "-I", root + "/Sources/CGlassesPlugin/include", "-I", root + "/Plugins/LoopbackTransport",
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
