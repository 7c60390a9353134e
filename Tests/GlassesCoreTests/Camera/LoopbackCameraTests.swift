import Foundation
import GlassesDomain
import Testing

@_spi(ExtentosTools) @testable import GlassesCore
@testable import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime

/// Glasses whose device is the virtual one of this build, with its camera.
private struct VirtualGlasses {
    let glasses: DefaultExtentosGlasses
    let transport: any GlassesTransport
    let folder: String

    init(_ isolation: PluginIsolation) async throws {
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        let buildFolder = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        configuration.searchPath = PluginSearchPath(entries: [buildFolder + "/libLoopbackTransport.so"])
        configuration.cacheFolder = nil
        configuration.probeLimit = .seconds(20)
        configuration.isolation = isolation
        // A busy test machine's load may not count as an outage.
        configuration.supervision = SupervisionLimits(
            outage: .seconds(60), proof: .seconds(60), earlyDeath: .seconds(60), call: .seconds(20))
        let host = PluginHost(configuration: configuration)
        let loaded = await host.transport(id: "org.extentos.loopback", settings: ["camera": true])
        transport = try #require(loaded.success, "\(String(describing: loaded.failure))")
        folder = NSTemporaryDirectory() + "captures-" + UUID().uuidString
        glasses = Extentos.create(
            config: ExtentosConfig(), recorders: Extentos.Recorders(), transport: transport,
            captures: CacheCaptures(path: folder))
        let connected = await glasses.connect()
        #expect(connected.failure == nil)
    }

    func end() async {
        await glasses.shutdown()
        do { try FileManager.default.removeItem(atPath: folder) } catch { return }  // Nothing was captured.
    }
}

@Suite("The camera client over a real plugin, in both isolation modes")
struct LoopbackCameraTests {
    @Test("A photo is a file of one's own that shows the stream", arguments: [PluginIsolation.inProcess, .process])
    func photo(_ isolation: PluginIsolation) async throws {
        let virtual = try await VirtualGlasses(isolation)
        #expect(virtual.glasses.capabilities.camera)
        let photo = try #require(await virtual.glasses.camera.capturePhoto().success)
        #expect(photo.width == 504 && photo.height == 896)
        let path = try #require(photo.uri.flatMap(URL.init(string:))).path
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let image = try #require(await photo.loadImage())
        #expect(image.width == 504 && image.height == 896)
        #expect(virtual.glasses.camera.activeStreamInfo() == ActiveStreamInfo(resolution: .medium, frameRate: 24))
        await virtual.end()
    }

    @Test("Frames come in their order with growing times", arguments: [PluginIsolation.inProcess, .process])
    func frames(_ isolation: PluginIsolation) async throws {
        let virtual = try await VirtualGlasses(isolation)
        var times: [Int64] = []
        var numbers: [UInt8] = []
        let config = VideoFrameConfig(
            resolution: .low, frameRate: 30, codec: .raw, backpressure: .suspend(bufferSize: 30))
        for try await frame in virtual.glasses.camera.videoFrames(config: config) {
            #expect(frame.buffer.count == frame.width * frame.height * 3 / 2)
            times.append(frame.presentationTimeUs)
            // Row 100 begins at level 100 + 4 · number.
            numbers.append((frame.buffer[100 * frame.width] &- 100) / 4)
            if times.count == 30 { break }
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { (1...32).contains(($1 &- $0) % 64) })
        await virtual.end()
    }

    @Test("A child that dies in mid-stream costs some frames; the reader goes on, and the next photo works")
    func survivesItsChild() async throws {
        let virtual = try await VirtualGlasses(.process)
        let child = try #require((virtual.transport as? PluginTransport)?.instance as? ChildTransport)
        var count = 0
        for try await _ in virtual.glasses.camera.videoFrames(config: VideoFrameConfig(frameRate: 30)) {
            count += 1
            if count == 5 { kill(try #require(child.process), SIGKILL) }
            if count == 15 { break }
        }
        #expect(count == 15)
        #expect(child.restarts == 1)
        #expect(await virtual.glasses.camera.capturePhoto().failure == nil)
        await virtual.end()
    }

    @Test("A closed gate releases the plugin's camera, an open one lets the next photo through")
    func gate() async throws {
        let virtual = try await VirtualGlasses(.process)
        #expect(await virtual.glasses.camera.capturePhoto().failure == nil)
        await virtual.glasses.toggles.put(key: "privacy_mode", value: true)
        #expect(virtual.glasses.camera.activeStreamInfo() == nil)
        #expect(await virtual.glasses.camera.capturePhoto().failure == .disabledByUser(toggle: "privacy_mode"))
        await virtual.glasses.toggles.put(key: "privacy_mode", value: false)
        #expect(await virtual.glasses.camera.capturePhoto().failure == nil)
        await virtual.end()
    }
}
