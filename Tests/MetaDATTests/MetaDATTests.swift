import Foundation
import GlassesCore
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("Meta glasses of a mock kit, through the plugin in a process of its own")
struct MetaDATTests {
    @Test("The camera gives frames of the locked size, whose times grow")
    func frames() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        #expect(glasses.app.connection.state.current.active?.device.id == glasses.worn.deviceIdentifier)
        #expect(glasses.app.connection.state.current.active?.device.deviceType == .metaRayban)
        var times: [Int64] = []
        for try await frame in glasses.app.camera.videoFrames(config: VideoFrameConfig(resolution: .low, codec: .raw)) {
            #expect(frame.width == 360 && frame.height == 640)
            times.append(frame.presentationTimeUs)
            if times.count == 5 { break }
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        await glasses.end()
    }

    @Test("A photo is a frame of the stream, or the still that the glasses take")
    func photos() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        let frame = await glasses.app.camera.capturePhoto(config: PhotoConfig(resolution: .low))
        #expect(frame.success.map { [$0.width, $0.height] } == [360, 640], "\(frame)")
        let still = await glasses.app.camera.capturePhoto(config: PhotoConfig(dedicatedCapture: true))
        #expect((still.success?.width ?? 0) > 0, "\(still)")
        #expect(await glasses.told("camera.still_from_stream").isEmpty)
        await glasses.end()
    }

    @Test("A still whose stream is refused fails by that, and the next one is taken")
    func refusedStill() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        let config = PhotoConfig(dedicatedCapture: true)
        glasses.kit.faults.refusals = [.stream: Refusal(.occupied, "Another app uses the camera.", isRetryable: true)]
        #expect(await glasses.app.camera.capturePhoto(config: config).failure != nil)
        glasses.kit.faults.refusals = [:]
        let still = await glasses.app.camera.capturePhoto(config: config)
        #expect(still.success != nil, "\(still)")
        await glasses.end()
    }

    @Test("A clip is recorded")
    func clip() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        let config = VideoConfig(
            resolution: .low, maxDurationSeconds: 1, format: .mp4H264, includeAudio: false, frameRate: 15)
        let clip = try #require(await glasses.app.camera.captureVideo(config: config).success)
        #expect(clip.uri != nil)
        #expect(clip.durationMs > 500)
        await glasses.end()
    }

    @Test("Folding disconnects at once with its cause, and unfolded glasses are back by themselves with their camera")
    func fold() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        #expect(await glasses.app.camera.capturePhoto().failure == nil)
        glasses.worn.fold()
        await eventually("the folding is told") {
            glasses.app.connection.state.current == .disconnected(cause: .hingesClosed)
        }
        await eventually("the folding is an alert") {
            await glasses.told("hardware.alert").contains(["alert": "hinges_closed"])
        }
        #expect(await glasses.app.camera.capturePhoto().failure != nil)
        glasses.worn.don()
        await eventually("the glasses are back") { glasses.app.connection.state.current.active != nil }
        await eventually("the camera is back") { await glasses.app.camera.capturePhoto().success != nil }
        await glasses.end()
    }

    @Test("A tap pauses the camera and is told, another one goes on; holding is told too")
    func gestures() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        let states = glasses.app.camera.streamState()
        let reading = Task {
            for try await _ in glasses.app.camera.videoFrames(config: VideoFrameConfig()) where Task.isCancelled {
                break
            }
        }
        var phases = states.makeAsyncIterator()
        while let phase = await phases.next(), phase != .streaming {}
        glasses.worn.services.captouch.tap()
        while let phase = await phases.next(), phase != .paused {}
        glasses.worn.services.captouch.tap()
        while let phase = await phases.next(), phase != .streaming {}
        let tap: JSONValue = ["control": "temple", "gesture": "tap", "inferred": true]
        await eventually("both taps are told") { await glasses.told("device.input") == [tap, tap] }
        glasses.worn.services.captouch.tapAndHold()
        await eventually("the holding is told") {
            await glasses.told("device.input").last == ["control": "temple", "gesture": "hold", "inferred": true]
        }
        #expect(glasses.app.connection.state.current.active != nil)
        reading.cancel()
        await glasses.end()
    }

    @Test("What the glasses report arrives, and heat alarms")
    func reports() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        glasses.worn.setBatteryLevel(41)
        await eventually("the battery is told") { await glasses.told("device.power").last?["battery"] == 41 }
        glasses.worn.setThermalLevel(.severe)
        await eventually("the heat is an alert") {
            await glasses.told("hardware.alert") == [["alert": "thermal_warning", "severity": "severe"]]
        }
        glasses.worn.setThermalLevel(.emergency)
        await eventually("glasses that are too hot are disconnected") {
            glasses.app.connection.state.current == .disconnected(cause: .thermalCritical)
        }
        glasses.worn.setThermalLevel(ThermalLevel.none)
        await eventually("cool glasses are back") { glasses.app.connection.state.current.active != nil }
        await glasses.end()
    }

    @Test("A link that is gone for a moment is no news; one that stays away is")
    func reachability() async throws {
        let glasses = try MockedGlasses()
        try await glasses.connected()
        let states = glasses.app.connection.state.stream
        glasses.worn.happen(.link(.disconnected))
        glasses.worn.happen(.link(.connected))
        glasses.worn.happen(.link(.disconnected))
        let start = ContinuousClock.now
        var seen: [GlassesState] = []
        for await state in states {
            seen.append(state)
            if state == .disconnected(cause: .deviceDroppedConnection) { break }
        }
        #expect(seen.count == 2, "\(seen)")
        #expect(ContinuousClock.now - start >= .seconds(2))
        await glasses.end()
    }

    @Test("A connect registers the app, and the companion's URL answers")
    func registers() async throws {
        let glasses = try MockedGlasses(MockDeviceKitConfig(initiallyRegistered: false))
        glasses.kit.faults.unanswered = [.registration]
        async let connected = glasses.app.connect()
        await eventually("the registration has begun") {
            await glasses.told("registration.changed").contains { $0["state"] == "registering" }
        }
        #expect(glasses.app.connection.state.current == .notRegistered)
        #expect(await glasses.app.handleUrl(try #require(URL(string: "https://example.org/"))) == false)
        #expect(await glasses.app.handleUrl(try MockedGlasses.url(.register, agrees: true)))
        #expect(await connected.failure == nil)
        #expect(glasses.app.connection.state.current.active != nil)
        await glasses.end()
    }

    @Test("A person who declines the registration fails the connect")
    func declinesRegistration() async throws {
        let glasses = try MockedGlasses(MockDeviceKitConfig(initiallyRegistered: false))
        glasses.kit.faults.unanswered = [.registration]
        async let connected = glasses.app.connect()
        await eventually("the registration has begun") {
            await glasses.told("registration.changed").contains { $0["state"] == "registering" }
        }
        #expect(await glasses.app.handleUrl(try MockedGlasses.url(.register, agrees: false)))
        #expect(await connected.failure == .registrationRequired)
        #expect(glasses.app.connection.state.current == .notRegistered)
        await glasses.end()
    }

    @Test("A declared camera that is not allowed is asked for, and the companion's URL allows it")
    func asksForTheCamera() async throws {
        let glasses = try MockedGlasses(MockDeviceKitConfig(initialPermissionsGranted: false), uses: [.camera])
        glasses.kit.faults.unanswered = [.permissionRequest]
        async let connected = glasses.app.connect()
        await eventually("the wearer is asked") { await !glasses.told("permission.asked").isEmpty }
        let url = try MockedGlasses.url(.permission(.camera), agrees: true)
        await eventually("the answer is taken") {
            _ = await glasses.app.handleUrl(url)
            return await glasses.told("permission.answered") == [["granted": true, "permission": "camera"]]
        }
        #expect(await connected.failure == nil)
        await glasses.end()
    }

    @Test("Without the permission a capture is refused by its documented error")
    func refusesTheCamera() async throws {
        let glasses = try MockedGlasses(MockDeviceKitConfig(initialPermissionsGranted: false))
        try await glasses.connected()
        #expect(await glasses.app.camera.capturePhoto().failure == .permissionDenied)
        await glasses.end()
    }

    @Test("Without glasses a connect says so")
    func withoutGlasses() async throws {
        let app = Extentos.create(
            config: ExtentosConfig(transport: .plugin(id: "org.extentos.meta-dat", settings: ["audio": "none"])))
        #expect(await app.connect().failure != nil)
        await app.shutdown()
    }

    @Test("A bridge without a usable address is refused")
    func refusesABridge() async throws {
        let app = Extentos.create(
            config: ExtentosConfig(
                transport: .plugin(
                    id: "org.extentos.meta-dat", settings: ["audio": "none", "bridge": "carrier-pigeon://coop"])))
        #expect(await app.connect().failure != nil)
        await app.shutdown()
    }

    @Test("The sound comes from the device beside the glasses")
    func sound() async throws {
        let glasses = try MockedGlasses(
            audio: ["audio": "org.extentos.loopback", "audioSettings": ["sampleRate": 16_000]])
        try await glasses.connected()
        #expect(
            glasses.app.capabilities.microphone && glasses.app.capabilities.speaker && glasses.app.capabilities.camera)
        var chunks = 0
        for await chunk in glasses.app.audio.audioChunks(config: AudioChunkConfig()) {
            chunks += chunk.samples.isEmpty ? 0 : 1
            if chunks == 3 { break }
        }
        #expect(chunks == 3)
        await glasses.end()
    }
}
