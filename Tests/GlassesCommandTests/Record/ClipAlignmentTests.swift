import Foundation
@_spi(ExtentosTools) import GlassesCore
import GlassesDomain
@_spi(ExtentosTools) import GlassesRuntime
import GlassesTesting
import TestProcess
import Testing

@testable import glasses

/// A device that sees a flash and hears a tone in the same moment; its pictures arrive later than its sound.
private final class FlashingDevice: Sendable {
    static let mode = CameraMode(format: .i420, width: 360, height: 640, frameRate: 30)
    static let soundRate = 16_000
    /// How much later a picture arrives than what was heard at its exposure.
    private static let pictureLag = Duration.milliseconds(60)

    let camera: SimulatedCamera
    let device: SimulatedDevice

    init() {
        let clock = ClockPort(
            now: { Stopwatch.now },
            sleepUntil: { moment in
                let wait = max(.zero, Stopwatch.now.duration(to: moment))
                try await Task.sleep(for: wait)
            }, wallClockMilliseconds: { 0 })
        camera = SimulatedCamera(clock: clock, modes: [Self.mode])
        device = SimulatedDevice(clock: clock, microphoneRate: Self.soundRate, camera: camera)
    }

    /// Shows and lets hear two seconds of darkness and quiet, and half a second of light and a tone. Blocks.
    func play() {
        let start = Stopwatch.now.advanced(by: .milliseconds(50))
        let flash = start.advanced(by: .seconds(2))
        var (frame, block) = (0, 0)
        while frame < 75 {
            let exposure = start.advanced(by: .nanoseconds(Int64(frame) * 33_333_333))
            let heard = start.advanced(by: .milliseconds(20 * block))
            let shown = exposure.advanced(by: Self.pictureLag)
            let next = min(shown, heard)
            let wait = Stopwatch.now.duration(to: next)
            if wait > .zero { Thread.sleep(forTimeInterval: wait.seconds) }
            if next == heard {
                hear(until: flash)
                block += 1
            } else {
                var picture = SimulatedCamera.pattern(Self.mode, number: 0, time: exposure)
                let luma = Self.mode.width * Self.mode.height
                picture.bytes.replaceSubrange(
                    0..<luma, with: repeatElement(exposure >= flash ? 235 : 16, count: luma))
                camera.show(picture)
                frame += 1
            }
        }
    }

    /// One block; what lies behind the flash is a tone.
    private func hear(until flash: MonotonicTime) {
        let before = Stopwatch.now.duration(to: flash).wholeNanoseconds * Int64(Self.soundRate) / 1_000_000_000
        device.simulatedMicrophone.hear(
            (0..<320).map { Int64($0) < before ? 0 : $0 % 16 < 8 ? 8_000 : -8_000 })
    }
}

@Suite("Pictures and sound of a recording")
struct ClipAlignmentTests {
    private func ffmpeg(_ arguments: [String]) async throws {
        let outcome = try await TestProcess("/usr/bin/ffmpeg", ["-nostdin", "-y", "-v", "error"] + arguments).run()
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("A tone begins within 40 ms of its flash, though pictures arrive later than sound")
    func toneFollowsFlash() async throws {
        let root = NSTemporaryDirectory() + "flash-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let file = root + "/clip.mp4"
        let flashing = FlashingDevice()
        let glasses = Extentos.create(
            config: ExtentosConfig(), recorders: Extentos.Recorders(), transport: flashing.device,
            captures: NamedCapture(path: file))
        _ = await glasses.connect()
        let recording = Task {
            await glasses.camera.captureVideo(config: VideoConfig(resolution: .low, format: .mp4H264, frameRate: 30))
        }
        for await state in glasses.camera.streamState() where state == .streaming { break }
        while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(5)) }
        // A thread of its own: it blocks.
        let (played, end) = AsyncStream<Void>.makeStream()
        Thread {
            flashing.play()
            end.finish()
        }.start()
        for await _ in played {}
        await glasses.camera.stopVideo()
        #expect(await recording.value.success?.uri != nil)
        await glasses.shutdown()

        let (luma, sound) = (root + "/luma", root + "/sound")
        // One pixel a picture, at the rate at which they were taken, so that its place tells its time.
        try await ffmpeg([
            "-i", file, "-map", "0:v", "-vf", "fps=1000,scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", luma,
        ])
        try await ffmpeg([
            "-i", file, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "16000", "-f",
            "s16le",
            sound,
        ])
        let pixels = try Data(contentsOf: URL(fileURLWithPath: luma))
        let samples = PCMBlock.samples(littleEndian: try Data(contentsOf: URL(fileURLWithPath: sound)))
        let flash = try #require(pixels.firstIndex { $0 > 128 })
        let tone = try #require(samples.firstIndex { abs(Int($0)) > 2_000 }) / 16
        #expect((1_500...2_500).contains(flash))
        #expect(abs(flash - tone) <= 40, "flash at \(flash) ms, tone at \(tone) ms")
        try FileManager.default.removeItem(atPath: root)
    }
}
