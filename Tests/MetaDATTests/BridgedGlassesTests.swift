import Foundation
import GlassesCore
import PeerPhone
import Testing

@Suite("Glasses behind a phone that was written in another language, through the plugin in a process of its own")
struct BridgedGlassesTests {
    /// An app, and the phone that its plugin calls.
    private struct Bridged {
        let peer: PeerPhone
        let app: any ExtentosGlasses

        /// The phone waits at a free port.
        init() async throws {
            let file = NSTemporaryDirectory() + "/meta-dat-\(UUID().uuidString)/peer.json"
            let peer = try PeerPhone("--listen", "tcp://127.0.0.1:0", keeping: file)
            await eventually("the phone listens") { peer.reports.contains { $0.port != nil } }
            let port = try #require(peer.reports.compactMap(\.port).first)
            self.peer = peer
            app = Extentos.create(
                config: ExtentosConfig(
                    appId: "meta-dat-tests",
                    transport: .plugin(
                        id: "org.extentos.meta-dat",
                        settings: ["bridge": .string("tcp://127.0.0.1:\(port)"), "audio": "none"]),
                    logLevel: .info))
        }

        /// The plugin shows a code, a person types it into the phone, and the app connects.
        func pair() async throws {
            #expect(await app.connect().failure == .registrationRequired)
            var code: PairingCode?
            await eventually("a code is shown") {
                code = app.connection.pairingCode.current
                return code != nil
            }
            let text = try #require(code?.text)
            #expect(await told("plugin").allSatisfy { !$0.jsonText.contains(text) })
            peer.tell("code " + text)
            peer.tell("reconnect")
            await eventually("the phone is let in") { peer.count("greeted") == 1 }
            await eventually("the glasses are connected") { await app.connect().failure == nil }
            #expect(app.connection.pairingCode.current == nil)
        }

        func told(_ message: String) async -> [JSONValue] {
            await app.runtime.snapshotEvents().compactMap { event in
                guard case .log(_, message, let payload) = event else { return nil }
                return payload ?? .null
            }
        }

        func end() async {
            await app.shutdown()
            peer.end()
        }
    }

    @Test("Frames, a clip and a photo come, a tap pauses, a link cut in mid-photo is told, and the glasses come back")
    func bridged() async throws {
        let glasses = try await Bridged()
        try await glasses.pair()
        #expect(glasses.app.connection.state.current.active?.device.id == "AB-1")
        try await record(glasses.app)
        #expect(await glasses.app.camera.capturePhoto(config: still).failure == nil)
        try await tap(glasses)
        await cutInMidPhoto(glasses)
        await fold(glasses)
        await glasses.end()
    }

    private var still: PhotoConfig { PhotoConfig(dedicatedCapture: true) }

    private func record(_ app: any ExtentosGlasses) async throws {
        var times: [Int64] = []
        for try await frame in app.camera.videoFrames(config: VideoFrameConfig(resolution: .low, codec: .raw)) {
            #expect(frame.width == 360 && frame.height == 640)
            times.append(frame.presentationTimeUs)
            if times.count == 5 { break }
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let config = VideoConfig(
            resolution: .low, maxDurationSeconds: 1, format: .mp4H264, includeAudio: false, frameRate: 15)
        let clip = try #require(await app.camera.captureVideo(config: config).success)
        #expect(clip.uri != nil && clip.durationMs > 500)
    }

    private func tap(_ glasses: Bridged) async throws {
        let states = glasses.app.camera.streamState()
        let reading = Task {
            for try await _ in glasses.app.camera.videoFrames(config: VideoFrameConfig()) where Task.isCancelled {
                break
            }
        }
        var phases = states.makeAsyncIterator()
        while let phase = await phases.next(), phase != .streaming {}
        glasses.peer.tell("tap")
        while let phase = await phases.next(), phase != .paused {}
        glasses.peer.tell("tap")
        while let phase = await phases.next(), phase != .streaming {}
        let tap: JSONValue = ["control": "temple", "gesture": "tap", "inferred": true]
        await eventually("both taps are told") { await glasses.told("device.input") == [tap, tap] }
        reading.cancel()
    }

    private func cutInMidPhoto(_ glasses: Bridged) async {
        glasses.peer.tell("cut-in-photo")
        let began = ContinuousClock.now
        #expect(await glasses.app.camera.capturePhoto(config: still).failure != nil)
        #expect(began.duration(to: .now) < .seconds(20))
        await eventually("the photo was cut in two") { glasses.peer.count("cut_in_photo") == 1 }
        glasses.peer.tell("reconnect")
        await eventually("the phone came back by its key") { glasses.peer.secrets == ["code", "key"] }
        await eventually("the next photo works") { await glasses.app.camera.capturePhoto(config: still).failure == nil }
        #expect(glasses.app.connection.state.current.active != nil)
    }

    private func fold(_ glasses: Bridged) async {
        glasses.peer.tell("fold")
        await eventually("the folding is told") {
            glasses.app.connection.state.current == .disconnected(cause: .hingesClosed)
        }
        glasses.peer.tell("unfold")
        await eventually("the glasses are back") { glasses.app.connection.state.current.active != nil }
    }
}
