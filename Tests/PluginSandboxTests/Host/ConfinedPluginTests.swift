import Foundation
import GlassesDomain
import TestProcess
import Testing

@testable import GlassesPluginHost

/// Third-party plugins through the whole host: manifest, grants, child.
@Suite("A third party's plugin")
struct ConfinedPluginTests {
    private let lab: SandboxLab
    private let store: PluginGrantsStore
    private let lines = Collected<String>()

    init() throws {
        lab = try SandboxLab()
        store = PluginGrantsStore(path: lab.path + "/config/plugin-grants.json")
        setenv("SANDBOX_TEST_ASKED", "for", 1)
        setenv("SANDBOX_TEST_SECRET", "token", 1)
    }

    /// Installs the plugin in the lab.
    private func install(_ macros: String...) async throws {
        let folder = lab.path + "/plugin"
        let source = folder + "/telling.c"
        try Data(TellingPlugin.source.utf8).write(to: URL(fileURLWithPath: source))
        let headers = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/CGlassesPlugin/include").path
        let compiler = TestProcess(
            "/usr/bin/cc",
            [
                "-std=c11", "-D_GNU_SOURCE", "-w", "-shared", "-fPIC", "-I", headers,
                "-DPRIVATE=\"\(lab.path)/private/secret\"", source, "-o", folder + "/libtelling.so",
            ] + macros.map { "-D" + $0 })
        let outcome = try await compiler.run()
        guard outcome.code == 0 else { throw LabError(description: outcome.errors) }
        try Data(
            """
            {"id":"org.example.telling","name":"T","version":"1","abi":"1.0","kinds":["stt"],"library":"libtelling.so",
             "permissions":["network","files"],"environment":["SANDBOX_TEST_ASKED"]}
            """.utf8
        ).write(to: URL(fileURLWithPath: folder + "/plugin.json"))
    }

    private func host() -> PluginHost {
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [lab.path + "/plugin"])
        configuration.cacheFolder = nil
        configuration.grants = store
        configuration.isolation = .process
        configuration.probeLimit = .seconds(20)
        configuration.onLog = { [lines] line in lines.append(line.text) }
        return PluginHost(configuration: configuration)
    }

    /// Starts the plugin's child; the plugin tells what it met and makes no instance. Answers why there is none.
    private func start(_ host: PluginHost) async -> String? {
        guard case .failure(let error) = await host.speechToText(id: "org.example.telling") else { return nil }
        return error.message
    }

    private func plugin(_ host: PluginHost) async throws -> FoundPlugin {
        try #require(await host.scan().found.first)
    }

    @Test("it sees no variable, no file and no network before somebody grants them, and what was granted afterwards")
    func grants() async throws {
        try await install()
        let host = host()
        let plugin = try await plugin(host)
        #expect(await start(host) != nil)
        #expect(lines.all.filter { $0.hasPrefix("variable") } == ["variable SWIFT_BACKTRACE=enable=no"])
        #expect(lines.all.contains("private=\(EACCES)"))
        #expect(lines.all.contains("network=\(EPERM)"))
        let files = try SandboxPermission("files:read:\(lab.path)/private")
        try store.grant(
            PluginGrantChange(permissions: [.network, files], environment: ["SANDBOX_TEST_ASKED"]), to: plugin)
        let before = lines.all.count
        #expect(await start(host) != nil)
        let after = lines.all.dropFirst(before)
        #expect(after.contains("variable SANDBOX_TEST_ASKED=for"))
        #expect(after.contains("private=0"))
        #expect(after.contains("network=0"))
        #expect(!lines.all.contains { $0.contains("SECRET") || $0.contains("token") })
    }

    @Test("it inherits no descriptor but the host's")
    func descriptors() async throws {
        try await install()
        _ = await start(host())
        // The socket, what its loop waits on, and what the attempts opened; the host has many more than that.
        let count = lines.all.compactMap { line in line.hasPrefix("descriptors=") ? Int(line.dropFirst(12)) : nil }
            .first
        #expect((1...8).contains(try #require(count)))
    }

    @Test("its replaced file has nothing of what the earlier one was granted")
    func replaced() async throws {
        try await install()
        try store.grant(PluginGrantChange(permissions: [.network]), to: try await plugin(host()))
        let library = lab.path + "/plugin/libtelling.so"
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: library))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        #expect(await start(host()) != nil)
        #expect(lines.all.contains("network=\(EPERM)"))
    }

    @Test("it is not started while nobody can tell what it was granted")
    func brokenGrants() async throws {
        try await install()
        try PrivateFile.makeFolder(PluginPermissions.parent(of: store.path))
        try PrivateFile.replace(store.path, with: Array("{".utf8))
        #expect(await start(host())?.contains("is broken") == true)
        #expect(!lines.all.contains { $0.hasPrefix("variable") })
    }

    @Test("its code reaches nothing while it is only tried out")
    func probing() async throws {
        try await install("LEAVES_WHERE_DOORS_ARE_OPEN")
        #expect(try await plugin(host()).manifest.id == "org.example.telling")
    }
}
