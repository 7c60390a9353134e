import Foundation
import GlassesDomain
import GlassesPluginHost
import Testing

@Suite("Cameras without a device, through the whole host")
struct FileCameraTests {
    @Test("Of 300 pictures of the test pattern each shows its number, in real time", arguments: PluginIsolation.both)
    func pattern(_ isolation: PluginIsolation) async throws {
        let lines = try await CameraStandIn(script: "", camera: "pattern", isolation: isolation).run(
            "modes", "open:i420:360x640@30:300")
        #expect(lines.modes("i420").count == 87)
        let frames = lines.frames
        #expect(frames.count >= 300)
        lines.expectOrder()
        // Picture n is due n periods after picture 0, whenever it was drawn.
        let first = try #require(frames.first)
        for frame in frames {
            let due: Int = first.time + (frame.number - first.number) * 1_000_000_000 / 30
            #expect(abs(frame.time - due) < 1_000_000)
        }
    }

    @Test("A folder's pictures come in the order of their names, again and again", arguments: PluginIsolation.both)
    func folder(_ isolation: PluginIsolation) async throws {
        let folder = try TemporaryFolder()
        for number in 0..<3 {
            let path = URL(fileURLWithPath: folder.path + "/\(number).jpg")
            try Data(try TestPicture.jpeg(UInt32(number))).write(to: path)
        }
        let lines = try await CameraStandIn(script: "", camera: "file:" + folder.path, isolation: isolation).run(
            "modes", "open:jpeg:128x96@30:9")
        #expect(lines.modes("jpeg").count == 29)
        #expect(lines.frames.count >= 9)
        #expect(lines.frames.allSatisfy { $0.shown == $0.number % 3 }, "\(lines.frames)")
    }

    @Test("A Motion JPEG file, and a single picture, are shown again and again", arguments: [4, 1])
    func file(_ count: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/film.mjpeg"
        let film = try (0..<count).flatMap { try TestPicture.jpeg(UInt32($0)) }
        try Data(film).write(to: URL(fileURLWithPath: path))
        let lines = try await CameraStandIn(script: "", camera: "file:" + path, isolation: .process).run(
            "open:jpeg:128x96@30:10")
        #expect(lines.frames.count >= 10)
        #expect(lines.frames.allSatisfy { $0.shown == $0.number % count }, "\(lines.frames)")
    }

    @Test("Pictures that are taken away end the stream with the reason")
    func removed() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<2 {
            let path = URL(fileURLWithPath: folder.path + "/\(number).jpg")
            try Data(try TestPicture.jpeg(UInt32(number))).write(to: path)
        }
        let lines = try await CameraStandIn(script: "", camera: "file:" + folder.path, isolation: .process).run(
            "abandon:jpeg:128x96@2:1", "remove:\(folder.path)/1.jpg", "ended")
        #expect(lines.news.contains("ended camera_file_unreadable"), "\(lines.news)")
    }

    @Test("A path without pictures refuses the device, which says what to name")
    func missing() async throws {
        let camera = CameraStandIn(script: "", camera: "file:/nowhere", isolation: .process)
        #expect(try await camera.run().news == ["not connected camera_file_unreadable", "done"])
    }

    @Test("The child may read the path that the setting names, and nothing beside it")
    func reach() async throws {
        let plugin = try await Self.plugin()
        let profile = SandboxProfile(
            plugin, grants: PluginGrantDecision(plugin).grants,
            environment: PluginEnvironment(.none, from: [:]),
            settings: ["camera": "file:/srv/pictures", "microphone": "none"])
        let own = profile.rules.filter { $0.path.hasPrefix("/srv") }
        #expect(own == [SandboxRule("/srv/pictures", .read)])
        #expect(profile.rules.contains(SandboxRule("/dev/video0", .device)))
        let nothing = SandboxProfile(
            plugin, grants: .none, environment: PluginEnvironment(.none, from: [:]), settings: ["camera": "file:/"])
        #expect(!nothing.rules.contains { $0.path.hasPrefix("/dev/video") || $0.path.allSatisfy { $0 == "/" } })
    }

    private static func plugin() async throws -> FoundPlugin {
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [buildFolder + "/extentos_SystemDevice.resources"])
        configuration.cacheFolder = nil
        configuration.probeLimit = .seconds(20)
        return try #require(await PluginHost(configuration: configuration).scan().found.first)
    }
}
