import Foundation
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

/// A reader of frames that reads when the test says so.
private final class PacedReader: Sendable {
    private let frames = Mutex<[VideoFrame]>([])
    private let outcome = Mutex<Result<Void, any Error>?>(nil)
    private let steps: AsyncStream<Void>.Continuation
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// `isFast` reads whatever comes.
    init(_ stream: AsyncThrowingStream<VideoFrame, any Error>, isFast: Bool = false) {
        let (steps, continuation) = AsyncStream<Void>.makeStream()
        self.steps = continuation
        let task = Task { [weak self] in
            var wait = steps.makeAsyncIterator()
            do {
                if !isFast { _ = await wait.next() }
                for try await frame in stream {
                    self?.frames.withLock { $0.append(frame) }
                    if !isFast { _ = await wait.next() }
                }
                self?.outcome.withLock { $0 = .success(()) }
            } catch {
                self?.outcome.withLock { $0 = .failure(error) }
            }
        }
        self.task.withLock { $0 = task }
    }

    var all: [VideoFrame] { frames.withLock { $0 } }
    var end: Result<Void, any Error>? { outcome.withLock { $0 } }
    func read(_ count: Int = 1) { for _ in 0..<count { steps.yield() } }
    func cancel() { task.withLock { $0 }?.cancel() }

    var failure: (any Error)? {
        if case .failure(let error)? = end { error } else { nil }
    }
}

@Suite("Frames for an app")
struct FrameReaderTests {
    /// The numbers of JPEG frames.
    private static func numbers(_ reader: PacedReader) -> [UInt64?] {
        reader.all.map { FakePictures.number(in: $0.buffer) }
    }

    private func show(_ count: Int, _ harness: CameraHarness, every step: Duration = .milliseconds(33)) async {
        for _ in 0..<count {
            harness.clock.advance(by: step)
            harness.sight.show()
            await pause()
        }
    }

    @Test(
        "A slow reader gets what its policy says",
        arguments: [
            // The first frame is taken at once; the rest waits while the reader is busy with it.
            (Backpressure.dropOldest, [0, 16, 17, 18, 19] as [UInt64]), (.dropNewest, [0, 1, 2, 3, 4]),
            (.suspend(bufferSize: 6), [0, 1, 2, 3, 4, 5, 6]), (.suspend(bufferSize: 0), [0, 1]),
        ])
    func backpressureDoesWhatItSays(_ one: (policy: Backpressure, kept: [UInt64])) async {
        let harness = await CameraHarness.connected()
        let reader = PacedReader(
            harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 30, backpressure: one.policy)))
        reader.read()
        await harness.becomes(.streaming)
        await show(1, harness)
        await eventually("the first frame is read") { reader.all.count == 1 }
        await show(19, harness)
        reader.read(30)
        await eventually("what waited is read") { reader.all.count >= one.kept.count }
        await pause()
        #expect(Self.numbers(reader) == one.kept)
        // Only what is delivered is coded.
        #expect(harness.pictures.codings == one.kept.count)
        reader.cancel()
    }

    @Test func framesAreThinnedToTheAskedRateOfAFasterStream() async {
        let harness = await CameraHarness.connected()
        let fast = PacedReader(harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 30)), isFast: true)
        await harness.becomes(.streaming)
        let slow = PacedReader(harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 7)), isFast: true)
        await eventually("the second reader shares the stream") {
            await harness.lines("camera.stream_shared").count == 1
        }
        for shown in 1...90 {
            await show(1, harness, every: .nanoseconds(33_333_333))
            await eventually("the fast reader reads every frame") { fast.all.count == shown }
        }
        await eventually("a second's frames are left of thirty") { slow.all.count >= 20 }
        #expect((20...22).contains(slow.all.count))
        fast.cancel()
        slow.cancel()
    }

    @Test func rawFramesArePackedPixelsAndTimesStrictlyIncrease() async throws {
        let harness = await CameraHarness.connected()
        let reader = PacedReader(
            harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 30, codec: .raw)), isFast: true)
        await harness.becomes(.streaming)
        // Three exposures within one microsecond.
        for nanoseconds in [1_000_000, 1_000_100, 1_000_200] as [Int64] {
            harness.clock.advance(by: .milliseconds(33))
            let mode = SimulatedCamera.documentedModes[9]
            harness.sight.show(
                SimulatedCamera.pattern(mode, number: 3, time: MonotonicTime(nanoseconds: nanoseconds)))
            // Far enough apart in the reader's eyes: each is read before the next one comes.
            await pause()
        }
        await eventually("a frame is read") { !reader.all.isEmpty }
        let frame = try #require(reader.all.first)
        #expect(frame.buffer.count == frame.width * frame.height * 3 / 2)
        #expect(!frame.isCompressed)
        let times = reader.all.map(\.presentationTimeUs)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        reader.cancel()
    }

    @Test func readersAreRefusedWhenTheIterationBeginsAndByTheRightType() async {
        let lonely = CameraHarness()
        let early = PacedReader(lonely.camera.videoFrames(), isFast: true)
        await eventually("a reader without a device is refused") { early.failure != nil }
        #expect(early.failure as? CameraUnavailable == CameraUnavailable(error: .notConnected))

        let harness = await CameraHarness.connected()
        let reader = PacedReader(harness.camera.videoFrames(), isFast: true)
        await harness.becomes(.streaming)
        harness.sight.pause()
        await harness.becomes(.paused)
        let late = PacedReader(harness.camera.videoFrames(), isFast: true)
        await eventually("a reader of a paused camera is refused") { late.failure != nil }
        #expect(late.failure is CameraStreamPaused)
        // A pause in mid-stream is no error: frames stop and come again.
        #expect(reader.end == nil)
        harness.sight.resume()
        await harness.becomes(.streaming)
        await show(3, harness, every: .milliseconds(100))
        await eventually("frames come again") { reader.all.count == 3 }
        reader.cancel()
    }

    @Test func aReaderThatLeavesReleasesTheStreamWhichClosesAfterItsLinger() async {
        let harness = await CameraHarness.connected()
        let done = Task {
            for try await _ in harness.camera.videoFrames() { break }
        }
        await harness.becomes(.streaming)
        await show(1, harness)
        _ = await done.result
        harness.sight.drop(3)
        harness.sight.show(SimulatedCamera.pattern(SimulatedCamera.documentedModes[0], number: 9, time: .zero))
        #expect(harness.sight.isOpen)
        await harness.run("the stream is closed", step: .milliseconds(100), showing: true) { !harness.sight.isOpen }
        #expect(harness.clock.now >= MonotonicTime(nanoseconds: 10_000_000_000))
        // What got lost on the way, and what made no sense, is counted.
        await eventually("the end of the stream is told") { await harness.lines("camera.stream_closed").count == 1 }
        let counts = await harness.lines("camera.stream_closed").first ?? nil
        #expect(counts?["lost"] == 3 && counts?["refused"] == 1)
        #expect(await harness.state == .idle)
        #expect(harness.camera.activeStreamInfo() == nil)
        await harness.expectNextPhotoWorks()
    }

    @Test func theEndOfTheStreamIsThrownOnceAndTheNextReaderGetsFrames() async {
        let harness = await CameraHarness.connected()
        let gone = CaptureError.platformError(code: "camera_gone", message: "Unplugged. Plug it in.")
        let reader = PacedReader(harness.camera.videoFrames(), isFast: true)
        await harness.becomes(.streaming)
        await show(2, harness, every: .milliseconds(100))
        await eventually("frames come") { reader.all.count == 2 }
        harness.sight.end(gone)
        await eventually("the reader ends") { reader.end != nil }
        #expect(reader.failure as? CameraUnavailable == CameraUnavailable(error: gone))
        await harness.expectNextPhotoWorks()
    }

    @Test func damagedFramesAreSkippedAndNeverDeliveredEmpty() async {
        let harness = await CameraHarness.connected(modes: [CameraHarness.jpegMode])
        let reader = PacedReader(harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 30)), isFast: true)
        await harness.becomes(.streaming)
        for number in 0..<6 as Range<UInt64> {
            harness.clock.advance(by: .milliseconds(34))
            harness.sight.show(harness.jpeg(number, isWhole: number % 2 == 1))
            await eventually("the frame was looked at") { harness.pictures.codings == Int(number) + 1 }
        }
        await eventually("the whole frames are read") { reader.all.count == 3 }
        #expect(Self.numbers(reader) == [1, 3, 5])
        reader.cancel()
    }
}

@Suite("The user's settings for the camera")
struct CameraToggleTests {
    @Test(
        "A closed gate ends every use, releases the camera before the setting returns, and refuses by its name",
        arguments: [("privacy_mode", JSONValue.bool(true)), ("camera_streaming_enabled", .bool(false))])
    func gates(_ toggle: (key: String, closed: JSONValue)) async throws {
        let harness = await CameraHarness.connected()
        let reader = PacedReader(harness.camera.videoFrames(), isFast: true)
        await harness.becomes(.streaming)
        harness.clock.advance(by: .milliseconds(100))
        harness.sight.show()
        await eventually("a frame is read") { reader.all.count == 1 }
        let clip = harness.video()
        await eventually("the recording has begun") { harness.clips.clips.count == 1 }
        await harness.run("a frame is recorded", showing: true) { harness.clips.clips[0].frames.count >= 1 }
        let photo = harness.photo()
        await pause()
        await harness.glasses.toggles.put(key: toggle.key, value: toggle.closed)
        #expect(!harness.sight.isOpen)
        let reason = CaptureError.disabledByUser(toggle: toggle.key)
        _ = await photo.value
        #expect(await clip.value.success?.uri != nil)
        await eventually("the reader ends") { reader.end != nil }
        #expect(reader.failure as? CameraUnavailable == CameraUnavailable(error: reason))
        #expect(await harness.camera.capturePhoto().failure == reason)
        #expect(await harness.camera.captureVideo(config: VideoConfig()).failure == reason)
        #expect(harness.health == .ready)
        let opened = harness.sight.openedModes.count
        await harness.glasses.toggles.put(key: toggle.key, value: .bool(toggle.key != "privacy_mode"))
        #expect(harness.sight.openedModes.count == opened)
        await harness.expectNextPhotoWorks()
    }

    @Test func savingBatteryClampsAColdStreamAndThinsAWarmOne() async {
        let harness = await CameraHarness.connected()
        let warm = PacedReader(harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 30)), isFast: true)
        await harness.becomes(.streaming)
        await harness.glasses.toggles.put(key: "battery_save_mode", value: true)
        for _ in 0..<90 {
            harness.clock.advance(by: .nanoseconds(33_333_333))
            harness.sight.show()
            await pause()
        }
        await eventually("two frames a second are left") { warm.all.count >= 6 }
        #expect((6...7).contains(warm.all.count))
        warm.cancel()
        await harness.run("the stream is closed", step: .milliseconds(100), showing: true) { !harness.sight.isOpen }
        await harness.becomes(.idle)
        let cold = PacedReader(harness.camera.videoFrames(config: VideoFrameConfig(resolution: .high)), isFast: true)
        await harness.becomes(.streaming)
        #expect(harness.camera.activeStreamInfo() == ActiveStreamInfo(resolution: .low, frameRate: 2))
        cold.cancel()
    }

    @Test func whatWasAskedForAndWhatWasGivenIsToldToTheApp() async {
        let harness = await CameraHarness.connected()
        let reader = PacedReader(
            harness.camera.videoFrames(config: VideoFrameConfig(resolution: .high, frameRate: 10)), isFast: true)
        await harness.becomes(.streaming)
        let told = await harness.lines("camera.stream_locked")
        #expect(told.count == 1)
        #expect(told.first??["requested"]?["frameRate"] == 10)
        #expect(told.first??["given"]?["frameRate"] == 7)
        reader.cancel()
    }
}
