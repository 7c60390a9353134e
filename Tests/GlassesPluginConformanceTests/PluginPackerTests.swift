import Foundation
import GlassesDomain
import GlassesPluginHost
import Testing

@testable import GlassesPluginConformance

@Suite("A packed plugin is a folder that the host accepts")
struct PluginPackerTests {
    private let loopback = buildFolder + "/libLoopbackTransport.so"

    @Test("It holds the library and the manifest with the library's name and digest, and is the same each time")
    func packs() throws {
        let folder = try TestFolder()
        let package = try PluginPackage(path: loopback)
        let packed = try PluginPacker(package).pack(into: folder.path + "/a/b")
        #expect(packed.folder == folder.path + "/a/b/org.extentos.loopback")
        let again = try PluginPackage(path: packed.folder)
        #expect(again.check.findings.isEmpty)
        #expect(again.check.manifest?.sha256 == packed.sha256)
        #expect(again.libraryPath == packed.folder + "/libLoopbackTransport.so")
        #expect(try again.libraryBytes() == package.libraryBytes())
        let other = try PluginPacker(again).pack(into: folder.path + "/other")
        #expect(try PluginPackage(path: other.folder).manifestBytes == again.manifestBytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == ["org.extentos.loopback"])
    }

    @Test("A scan finds it and checks its digest")
    func isFound() async throws {
        let folder = try TestFolder()
        let packed = try PluginPacker(try PluginPackage(path: loopback)).pack(into: folder.path)
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [folder.path])
        configuration.probeLimit = .seconds(20)
        #expect(
            await PluginCatalog(configuration: configuration).scan().found.map(\.manifest.id) == [
                "org.extentos.loopback"
            ])
        let library = packed.folder + "/libLoopbackTransport.so"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: library))
        let refused = await PluginCatalog(configuration: configuration).scan().refused
        #expect(refused.map(\.refusal) == [.digestMismatch])
    }

    @Test("A folder that is there is kept, unless it may be replaced")
    func replaces() throws {
        let folder = try TestFolder()
        let packer = PluginPacker(try PluginPackage(path: loopback))
        let packed = try packer.pack(into: folder.path)
        try folder.write("org.extentos.loopback/old", "old")
        #expect(throws: PluginPackError.exists(path: packed.folder)) { try packer.pack(into: folder.path) }
        #expect(access(packed.folder + "/old", F_OK) == 0)
        _ = try packer.pack(into: folder.path, replaces: true)
        #expect(access(packed.folder + "/old", F_OK) != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["org.extentos.loopback"])
    }

    @Test("A manifest with an error is not packed, and nothing is left behind")
    func refuses() throws {
        let folder = try TestFolder()
        try folder.write("plugin.json", "{\"id\": \"org.example.x\"}")
        let package = try PluginPackage(path: folder.path)
        let error = #expect(throws: PluginPackError.self) { try PluginPacker(package).pack(into: folder.path + "/out") }
        #expect(error?.code == "manifest_invalid")
        #expect(access(folder.path + "/out", F_OK) != 0)
    }
}
