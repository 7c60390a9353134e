import Foundation
import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite("Recordings")
struct ClipTests {
    /// A recording that has its first frame.
    private func recording(
        _ harness: CameraHarness, _ config: VideoConfig = VideoConfig(), frames: Int = 1
    ) async -> (Task<ExtentosResult<VideoClip, CaptureError>, Never>, FakeClip) {
        let before = harness.clips.clips.count
        let task = harness.video(config)
        await eventually("the file is begun") { harness.clips.clips.count > before }
        let clip = harness.clips.clips[before]
        await harness.run("frames are recorded", showing: true) { clip.frames.count >= frames }
        return (task, clip)
    }

    @Test func aStoppedRecordingIsTheClipSoFar() async throws {
        let harness = await CameraHarness.connected()
        let (task, clip) = await recording(harness, frames: 3)
        await harness.camera.stopVideo()
        await harness.camera.stopVideo()
        let result = try #require(await task.value.success)
        #expect(result.uri == "file://\(clip.plan.path)")
        #expect(clip.plan.frameRate == 24)
        #expect(clip.finishes == 1)
        #expect(clip.frames.count >= 3)
        await harness.expectNextPhotoWorks()
    }

    @Test func aRecordingEndsAtItsMaximalDurationOfTheFramesTimes() async throws {
        let harness = await CameraHarness.connected()
        let (task, clip) = await recording(harness, VideoConfig(maxDurationSeconds: 2))
        let ended = Tally()
        let waiting = Task {
            let result = await task.value
            ended.add()
            return result
        }
        await harness.run("the recording ends", showing: true) { ended.count > 0 }
        let result = try #require(await waiting.value.success)
        #expect((1_800...2_000).contains(result.durationMs))
        #expect(clip.finishes == 1)
    }

    @Test func aRecordingEndsAtItsMaximalDurationAlsoInAPause() async {
        let harness = await CameraHarness.connected()
        let (task, _) = await recording(harness, VideoConfig(maxDurationSeconds: 3))
        harness.sight.pause()
        await harness.becomes(.paused)
        harness.clock.advance(by: .seconds(3))
        #expect(await task.value.success?.uri != nil)
    }

    @Test func aPauseIsNoEndAndTheRecordingGoesOn() async {
        let harness = await CameraHarness.connected()
        let (task, clip) = await recording(harness)
        harness.sight.pause()
        await harness.becomes(.paused)
        harness.clock.advance(by: .seconds(30))
        let before = clip.frames.count
        #expect(clip.finishes == 0)
        harness.sight.resume()
        await harness.becomes(.streaming)
        await harness.run("frames are recorded again", showing: true) { clip.frames.count > before }
        await harness.camera.stopVideo()
        #expect(await task.value.success?.uri != nil)
    }

    @Test(
        "The end of the stream, of the connection and of the caller all give the clip so far",
        arguments: ["stream", "device", "caller"])
    func partialClips(_ cause: String) async {
        let harness = await CameraHarness.connected()
        let (task, clip) = await recording(harness, frames: 2)
        switch cause {
        case "stream": harness.sight.end(.platformError(code: "camera_gone", message: "Unplugged. Plug it in."))
        case "device": harness.device.drop()
        default: task.cancel()
        }
        #expect(await task.value.success?.uri != nil)
        #expect(clip.finishes == 1)
        if cause == "device" {
            harness.device.comeBack()
            await eventually("the device is back") { harness.health != nil }
        }
        await harness.expectNextPhotoWorks()
    }

    @Test func aSecondRecordingAtTheSameTimeIsRefusedAndTheFirstOneGoesOn() async {
        let harness = await CameraHarness.connected()
        let (task, _) = await recording(harness)
        #expect(await harness.camera.captureVideo(config: VideoConfig()).failure?.code == "video_in_flight")
        await harness.camera.stopVideo()
        #expect(await task.value.success?.uri != nil)
        let (next, _) = await recording(harness)
        await harness.camera.stopVideo()
        #expect(await next.value.success?.uri != nil)
    }

    @Test func aStopBeforeTheFirstFrameIsATypedEndAndLeavesNothing() async {
        let harness = await CameraHarness.connected()
        harness.sight.planOpenings([.hold])
        let early = harness.video()
        await eventually("the opening is held") { harness.sight.heldOpenings == 1 }
        await harness.camera.stopVideo()
        #expect(await early.value.failure?.code == "no_frames")
        harness.sight.answerHeldOpenings()
        // With an open stream and a begun file, too.
        let late = harness.video()
        await eventually("the file is begun") { harness.clips.clips.count == 1 }
        await harness.camera.stopVideo()
        #expect(await late.value.failure?.code == "no_frames")
        #expect(harness.clips.clips[0].finishes == 1)
        await harness.expectNextPhotoWorks()
    }

    @Test func aCancelledRecordingWithoutFramesSaysThatItWasCancelled() async {
        let harness = await CameraHarness.connected()
        harness.sight.planOpenings([.hold])
        let task = harness.video()
        await eventually("the opening is held") { harness.sight.heldOpenings == 1 }
        task.cancel()
        #expect(await task.value.failure?.code == "capture_cancelled")
        harness.sight.answerHeldOpenings()
        await harness.expectNextPhotoWorks()
    }

    @Test func aFullDiskEndsTheRecordingWithWhatIsOnIt() async {
        let harness = await CameraHarness.connected()
        let (task, clip) = await recording(harness)
        clip.fill(after: clip.frames.count + 2)
        let ended = Tally()
        let waiting = Task {
            let result = await task.value
            ended.add()
            return result
        }
        await harness.run("the recording ends", showing: true) { ended.count > 0 }
        #expect(await waiting.value.success?.uri != nil)
        #expect(await harness.lines("camera.clip_ended").last??["code"] == "disk_full")
        await harness.expectNextPhotoWorks()
    }

    @Test(
        "A file that cannot be begun is named", arguments: ["disk_full", "not_writable", "coder_missing"])
    func cannotBegin(_ code: String) async {
        let harness = await CameraHarness.connected()
        harness.clips.fail(.writeFailed(code: code, message: "It cannot be. Choose another place."))
        #expect(await harness.camera.captureVideo(config: VideoConfig()).failure?.code == code)
        harness.clips.fail(nil)
        let (task, _) = await recording(harness)
        await harness.camera.stopVideo()
        #expect(await task.value.success?.uri != nil)
    }

    @Test func damagedFramesAreSkipped() async {
        let harness = await CameraHarness.connected(modes: [CameraHarness.jpegMode])
        let task = harness.video(VideoConfig(includeAudio: false))
        await eventually("the file is begun") { harness.clips.clips.count == 1 }
        let clip = harness.clips.clips[0]
        while clip.frames.count < 3 {
            harness.clock.advance(by: .milliseconds(33))
            harness.sight.show(harness.jpeg(1, isWhole: clip.frames.count % 2 == 0))
            harness.clock.advance(by: .milliseconds(1))
            harness.sight.show(harness.jpeg(2))
            await pause()
        }
        await harness.camera.stopVideo()
        #expect(await task.value.success?.uri != nil)
    }

    @Test func soundIsRecordedWithTheTimesAtWhichItWasHeard() async {
        let harness = await CameraHarness.connected()
        let (task, clip) = await recording(harness)
        #expect(clip.plan.soundRate == 16_000)
        harness.clock.advance(by: .milliseconds(20))
        let heardAt = harness.clock.now
        harness.device.simulatedMicrophone.hear([Int16](repeating: 7, count: 320))
        await eventually("the sound is recorded") { !clip.sound.isEmpty }
        #expect(clip.sound[0].time == heardAt)
        #expect(clip.sound[0].samples == [Int16](repeating: 7, count: 320))
        await harness.camera.stopVideo()
        _ = await task.value
        #expect(!harness.device.simulatedMicrophone.isOpen)
    }

    @Test func soundThatIsHeardBeforeTheFirstFrameArrivesWaitsForIt() async {
        let harness = await CameraHarness.connected()
        let task = harness.video()
        await eventually("the file is begun") { harness.clips.clips.count == 1 }
        let clip = harness.clips.clips[0]
        await eventually("the microphone is open") { harness.device.simulatedMicrophone.isOpen }
        harness.device.simulatedMicrophone.hear([Int16](repeating: 1, count: 320))
        harness.clock.advance(by: .milliseconds(50))
        harness.device.simulatedMicrophone.hear([Int16](repeating: 2, count: 320))
        #expect(clip.sound.isEmpty)
        await harness.run("a frame is recorded", showing: true) { clip.frames.count == 1 }
        await eventually("the sound follows it") { clip.sound.count == 2 }
        #expect(clip.sound.map { $0.samples[0] } == [1, 2])
        await harness.camera.stopVideo()
        _ = await task.value
    }

    @Test(
        "A gate that is closed for the microphone, and a wish, leave the sound out",
        arguments: [("audio_capture_enabled", true), ("", false)])
    func withoutSound(_ one: (toggle: String, includeAudio: Bool)) async {
        let harness = await CameraHarness.connected()
        if !one.toggle.isEmpty { await harness.glasses.toggles.put(key: one.toggle, value: false) }
        let (task, clip) = await recording(harness, VideoConfig(includeAudio: one.includeAudio))
        #expect(clip.plan.soundRate == nil)
        #expect(!harness.device.simulatedMicrophone.isOpen)
        await harness.camera.stopVideo()
        #expect(await task.value.success?.uri != nil)
    }

    @Test(arguments: [0, -1, Int.min])
    func aDurationThatMakesNoSenseIsRefused(seconds: Int) async {
        let harness = await CameraHarness.connected()
        let result = await harness.camera.captureVideo(config: VideoConfig(maxDurationSeconds: seconds))
        #expect(result.failure?.code == "invalid_duration")
    }

    @Test func withoutCodersEveryUseSaysSo() async {
        let clock = ManualClock()
        let device = SimulatedDevice(clock: clock.port, camera: SimulatedCamera(clock: clock.port))
        let glasses = DefaultExtentosGlasses(
            config: ExtentosConfig(),
            ports: RuntimePorts(
                clock: clock.port, loadTransport: { .success(device) }, connector: ScriptedProvider().connector,
                speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }), seed: { 1 }))
        _ = await glasses.connect()
        #expect(glasses.capabilities.camera)
        #expect(await glasses.camera.capturePhoto().failure?.code == "pictures_unavailable")
        #expect(await glasses.camera.captureVideo(config: VideoConfig()).failure?.code == "clips_unavailable")
        do {
            for try await _ in glasses.camera.videoFrames() { Issue.record("no frame can come") }
        } catch {
            #expect((error as? CameraUnavailable)?.code == "pictures_unavailable")
        }
    }
}
