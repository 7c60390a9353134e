import CGlassesPlugin
import Foundation
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesPluginHost

@Suite("The camera of the C plugin, through the whole host")
struct PluginCameraTests {
    private static let mode = CameraMode(format: .i420, width: 360, height: 640, frameRate: 30)

    private func transport(_ isolation: PluginIsolation) async throws -> any GlassesTransport {
        let host = PluginHost(configuration: .test([buildFolder + "/libLoopbackTransport.so"], isolation: isolation))
        let result = await host.transport(id: "org.extentos.loopback", settings: ["camera": true])
        let transport = try #require(result.success, "\(String(describing: result.failure))")
        _ = await transport.connect(deviceId: nil)
        return transport
    }

    /// Whether the picture is the test pattern of its number: a ramp that moves by four levels a frame.
    private static func isPattern(_ frame: CameraFrame) -> Bool {
        guard frame.bytes.count == frame.width * frame.height * 3 / 2, frame.planes.count == 3 else { return false }
        let stride = frame.planes[0].stride
        return (100..<frame.height).allSatisfy { row in
            [0, 77, frame.width - 1].allSatisfy { column in
                let expected = UInt8(truncatingIfNeeded: column + (row + Int(frame.number) * 4) % 256)
                return frame.bytes[frame.planes[0].offset + row * stride + column] == expected
            }
        }
    }

    @Test("Without the setting there is no camera, with it its modes are told", arguments: PluginIsolation.both)
    func tellsFacts(_ isolation: PluginIsolation) async throws {
        let plain = PluginHost(configuration: .test([buildFolder + "/libLoopbackTransport.so"], isolation: isolation))
        let blind = try #require(await plain.transport(id: "org.extentos.loopback").success)
        #expect(blind.camera == nil)
        #expect(!blind.facts.capabilities.camera)
        await blind.shutdown()
        let transport = try await transport(isolation)
        let camera = try #require(transport.camera)
        #expect(transport.facts.capabilities.camera)
        #expect(camera.facts.modes.count == 18)
        #expect(camera.facts.modes.contains(Self.mode))
        #expect(camera.facts.stillFormat == nil)
        #expect(await camera.takeStill().failure?.code == "unsupported")
        await transport.shutdown()
    }

    @Test(
        "Frames come whole, in order, with growing times, and none after the close", arguments: PluginIsolation.both)
    func streams(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation)
        let camera = try #require(transport.camera)
        let frames = Collected<CameraFrame>()
        #expect(await camera.open(Self.mode, onFrame: { frames.append($0) }, onChange: { _ in }).failure == nil)
        #expect(await camera.open(Self.mode, onFrame: { _ in }, onChange: { _ in }).failure?.code == "already_open")
        #expect(await eventually(within: .seconds(30)) { frames.all.count >= 20 })
        await camera.close()
        let all = frames.all
        try await Task.sleep(for: .milliseconds(100))
        #expect(frames.all.count == all.count)
        #expect(all.allSatisfy(Self.isPattern))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.number < $1.number && $0.time < $1.time })
        // It may be opened again, in another mode.
        let other = CameraMode(format: .i420, width: 720, height: 1_280, frameRate: 7)
        let more = Collected<CameraFrame>()
        #expect(await camera.open(other, onFrame: { more.append($0) }, onChange: { _ in }).failure == nil)
        #expect(await eventually(within: .seconds(30)) { more.all.count >= 2 })
        #expect(more.all.allSatisfy { $0.width == 720 && Self.isPattern($0) })
        await transport.shutdown()
    }

    @Test("A mode that the camera has not is refused before the plugin is asked", arguments: PluginIsolation.both)
    func refusesUnknownModes(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation)
        let camera = try #require(transport.camera)
        for mode in [
            CameraMode(format: .jpeg, width: 360, height: 640, frameRate: 30),
            CameraMode(format: .i420, width: 361, height: 640, frameRate: 30),
            CameraMode(format: .i420, width: 360, height: 640, frameRate: 31),
        ] {
            #expect(
                await camera.open(mode, onFrame: { _ in }, onChange: { _ in }).failure?.code == "unsupported_mode")
        }
        await transport.shutdown()
    }

    @Test("A consumer that is too slow loses the oldest frames, which are counted", arguments: PluginIsolation.both)
    func dropsTheOldest(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation)
        let camera = try #require(transport.camera)
        let frames = Collected<UInt64>()
        let fast = CameraMode(format: .i420, width: 360, height: 640, frameRate: 500)
        let opened = await camera.open(
            fast,
            onFrame: { frame in
                frames.append(frame.number)
                usleep(30_000)
            }, onChange: { _ in })
        #expect(opened.failure == nil)
        #expect(await eventually(within: .seconds(30)) { frames.all.count >= 20 })
        await camera.close()
        let numbers = frames.all
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(camera.droppedFrames > 0)
        let missing = (numbers.last ?? 0) + 1 - UInt64(numbers.count)
        #expect(camera.droppedFrames >= Int64(missing))
        await transport.shutdown()
    }

    @Test("A killed child's stream goes on in its successor", arguments: [SIGKILL, SIGSEGV])
    func survivesItsChild(_ signal: Int32) async throws {
        let transport = try await transport(.process)
        let camera = try #require(transport.camera)
        let child = try #require((transport as? PluginTransport)?.instance as? ChildTransport)
        let frames = Collected<CameraFrame>()
        #expect(await camera.open(Self.mode, onFrame: { frames.append($0) }, onChange: { _ in }).failure == nil)
        #expect(await eventually(within: .seconds(30)) { frames.all.count >= 3 })
        kill(try #require(child.process), signal)
        let killed = frames.all.count
        #expect(await eventually(within: .seconds(30)) { child.restarts == 1 && frames.all.count >= killed + 5 })
        #expect(zip(frames.all, frames.all.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(frames.all.allSatisfy(Self.isPattern))
        await transport.shutdown()
    }
}

@Suite("What a plugin says of its camera")
struct CameraConversionTests {
    private static let wrong: [JSONValue] = [
        .null, [:], ["formats": []], ["formats": [["format": "i420", "width": 640, "height": 480]]],
        ["formats": [["format": "rgb", "width": 640, "height": 480, "frameRates": [30]]]],
        ["formats": [["format": "i420", "width": 0, "height": 480, "frameRates": [30]]]],
        ["formats": [["format": "i420", "width": 100_000, "height": 480, "frameRates": [30]]]],
        ["formats": [["format": "i420", "width": 640, "height": 480, "frameRates": [0]]]],
        ["formats": [["format": "i420", "width": 640, "height": 480, "frameRates": ["fast"]]]],
        [
            "formats": [["format": "i420", "width": 640, "height": 480, "frameRates": [30]]],
            "photo": ["format": "gif", "width": 1, "height": 1],
        ],
    ]

    @Test("Facts that make no sense are refused", arguments: wrong)
    func refusesFacts(_ json: JSONValue) {
        #expect(throws: WrongFact(member: "camera")) { try CameraFacts(json: json) }
    }

    @Test("More modes than any device has are refused")
    func isBounded() {
        let format: JSONValue = [
            "format": "i420", "width": 640, "height": 480, "frameRates": .array((1...600).map { .int($0) }),
        ]
        #expect(throws: WrongFact(member: "camera")) { try CameraFacts(json: ["formats": [format]]) }
    }

    private static let lies: [(facts: JSONValue, bytes: Int)] = [
        (["format": "jpeg", "width": 640, "height": 480], 0), (["format": "png", "width": 640, "height": 480], 9),
        (["format": "jpeg", "width": 0, "height": 480], 9), (["format": "jpeg", "width": 640], 9),
        (["format": "jpeg", "width": 640, "height": 480, "rotation": 7], 9), (.null, 9),
    ]

    @Test("Stills that cannot be what they say are refused", arguments: lies.indices)
    func refusesStills(_ index: Int) {
        let lie = Self.lies[index]
        #expect(CameraStill(file: [UInt8](repeating: 1, count: lie.bytes), facts: lie.facts) == nil)
    }

    @Test("A still with its facts is kept")
    func keepsStills() throws {
        let still = try #require(
            CameraStill(
                file: [1, 2], facts: ["format": "heic", "width": 4, "height": 3, "rotation": 90, "takenNs": 5]))
        #expect(still.format == .heic && still.rotation == 90 && still.time == MonotonicTime(nanoseconds: 5))
    }

    @Test("Changes of a stream are told with their reasons")
    func readsChanges() {
        #expect(CameraStreamChange(json: ["state": "streaming"]) == .resumed)
        #expect(CameraStreamChange(json: ["state": "paused"]) == .paused(.streamPaused))
        #expect(
            CameraStreamChange(json: ["state": "stopped", "code": "hot", "message": "Too hot."])
                == .ended(.platformError(code: "hot", message: "Too hot.")))
        #expect(CameraStreamChange(json: ["state": "flying"]) == nil)
    }
}
