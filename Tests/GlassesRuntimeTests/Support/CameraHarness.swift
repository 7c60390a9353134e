import Foundation
import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// Glasses with a camera, a clock that the test moves, and media in memory.
final class CameraHarness: Sendable {
    let clock = ManualClock()
    let sight: SimulatedCamera
    let device: SimulatedDevice
    let pictures = FakePictures()
    let clips = FakeClips()
    let folder = FakeFolder()
    let glasses: DefaultExtentosGlasses

    init(modes: [CameraMode] = SimulatedCamera.documentedModes, stillFormat: CameraStillFormat? = nil) {
        let clock = clock
        sight = SimulatedCamera(clock: clock.port, modes: modes, stillFormat: stillFormat)
        let device = SimulatedDevice(clock: clock.port, camera: sight)
        self.device = device
        var config = ExtentosConfig()
        config.logLevel = .verbose
        glasses = DefaultExtentosGlasses(
            config: config,
            ports: RuntimePorts(
                clock: clock.port, loadTransport: { .success(device) }, connector: ScriptedProvider().connector,
                speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }),
                media: MediaPorts(pictures: pictures, clips: clips, folder: folder), seed: { 1 }))
    }

    /// Glasses whose device is connected.
    static func connected(
        modes: [CameraMode] = SimulatedCamera.documentedModes, stillFormat: CameraStillFormat? = nil
    ) async -> CameraHarness {
        let harness = CameraHarness(modes: modes, stillFormat: stillFormat)
        _ = await harness.glasses.connect()
        return harness
    }

    var camera: any CameraClient { glasses.camera }

    /// The camera's health as the connection tells it.
    var health: CameraStatus? {
        guard case .connected(_, let status)? = glasses.connection.state.current.active else { return nil }
        return status
    }

    /// The log lines with this message.
    func lines(_ message: String) async -> [JSONValue?] {
        await glasses.runtime.snapshotEvents().compactMap { event in
            if case .log(_, message, let payload) = event { payload } else { nil }
        }
    }

    /// Moves the clock by `step` and lets the world work, until the condition holds; at most `limit` of the clock's time.
    func run(
        _ what: Comment, step: Duration = .milliseconds(10), limit: Duration = .seconds(120),
        showing: Bool = false, sourceLocation: SourceLocation = #_sourceLocation, until condition: () async -> Bool
    ) async {
        let end = clock.now.advanced(by: limit)
        while clock.now < end {
            if await condition() { return }
            clock.advance(by: step)
            if showing { sight.show() }
            for _ in 0..<3 { await pause() }
        }
        Issue.record(what, sourceLocation: sourceLocation)
    }

    /// Starts a photo.
    func photo(_ config: PhotoConfig = PhotoConfig()) -> Task<ExtentosResult<Photo, CaptureError>, Never> {
        Task { await camera.capturePhoto(config: config) }
    }

    /// Starts a recording.
    func video(_ config: VideoConfig = VideoConfig()) -> Task<ExtentosResult<VideoClip, CaptureError>, Never> {
        Task { await camera.captureVideo(config: config) }
    }

    /// The state of the stream becomes this one.
    func becomes(_ state: CameraStreamState, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("the stream becomes \(state)", sourceLocation: sourceLocation) { await self.state == state }
    }

    /// What the stream is doing.
    var state: CameraStreamState {
        get async {
            for await state in camera.streamState() { return state }
            return .idle
        }
    }

    /// Every fault test ends here: the next photo works.
    func expectNextPhotoWorks(sourceLocation: SourceLocation = #_sourceLocation) async {
        let next = photo()
        let taken = Tally()
        let waiting = Task {
            let result = await next.value
            taken.add()
            return result
        }
        await run("the next photo is taken", showing: true, sourceLocation: sourceLocation) { taken.count > 0 }
        #expect(await waiting.value.failure == nil, sourceLocation: sourceLocation)
        // It is told on the camera's own way, which may be behind the photo's.
        await eventually("the camera is well again", sourceLocation: sourceLocation) { health == .ready }
    }

    /// A frame as the camera's JPEG mode would deliver it.
    func jpeg(_ number: UInt64, isWhole: Bool = true, padding: Int = 0) -> CameraFrame {
        let file = FakePictures.file(width: 640, height: 480, number: number, padding: padding)
        return CameraFrame(
            bytes: isWhole ? file : Array(file.dropLast(6)), format: .jpeg, width: 640, height: 480, rotation: 0,
            planes: [CameraPlane(offset: 0, stride: 0)], time: clock.now, number: number)
    }

    static let jpegMode = CameraMode(format: .jpeg, width: 640, height: 480, frameRate: 30)
}
