import Foundation
import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite("Photos, whatever the camera does")
struct PhotoFaultTests {
    @Test func aPhotoIsTheNextFrameWithItsTrueSizeItsTimeAndAFileOfItsOwn() async throws {
        let harness = await CameraHarness.connected()
        let photo = harness.photo(PhotoConfig(resolution: .high))
        await harness.becomes(.streaming)
        #expect(harness.camera.activeStreamInfo() == ActiveStreamInfo(resolution: .high, frameRate: 24))
        harness.clock.advance(by: .milliseconds(1_234))
        harness.sight.show()
        let taken = try #require(await photo.value.success)
        #expect(taken.width == 720 && taken.height == 1_280)
        #expect(taken.format == .jpeg)
        #expect(harness.folder.files.keys.map { "file://" + $0 } == [taken.uri])
        let exif = try JSONValue(jsonText: #require(taken.exif))
        #expect(exif["DateTimeOriginal"] == "2026:01:01 00:00:01")
        #expect(exif["SubSecTimeOriginal"] == "234")
        #expect(exif["Orientation"] == 1)
        #expect(harness.health == .ready)
        // The stream is warm: the next photo opens nothing.
        let next = harness.photo()
        await harness.run("a second photo", showing: true) { harness.folder.files.count == 2 }
        #expect(await next.value.failure == nil)
        #expect(harness.sight.openedModes.count == 1)
    }

    @Test func aCameraThatNeverAnswersEndsThePhotoWithinItsBoundAndItsLateAnswerHelpsTheNextOne() async {
        let harness = await CameraHarness.connected()
        harness.sight.planOpenings([.hold])
        let photo = harness.photo()
        await eventually("the opening is held") { harness.sight.heldOpenings == 1 }
        await harness.becomes(.arming)
        harness.clock.advance(by: .seconds(39))
        #expect(await photo.value.failure?.code == "open_stream_failed")
        #expect(harness.health == .broken)
        harness.sight.answerHeldOpenings()
        await eventually("the late stream is closed") { harness.sight.closings == 1 }
        await harness.expectNextPhotoWorks()
    }

    @Test func aStreamWithoutFramesEndsThePhotoAfterTenSeconds() async {
        let harness = await CameraHarness.connected()
        let photo = harness.photo()
        await harness.becomes(.streaming)
        let begin = harness.clock.now
        let ended = Tally()
        let waiting = Task {
            let result = await photo.value
            ended.add()
            return result
        }
        await harness.run("the photo ends", step: .milliseconds(250)) { ended.count > 0 }
        #expect(await waiting.value.failure?.code == "frame_grab_timeout")
        #expect(begin.duration(to: harness.clock.now) <= .seconds(12))
        await harness.expectNextPhotoWorks()
    }

    @Test func halfAJPEGIsLeftOutAndTheNextWholeFrameIsTaken() async throws {
        let harness = await CameraHarness.connected(modes: [CameraHarness.jpegMode])
        let photo = harness.photo()
        await harness.becomes(.streaming)
        harness.clock.advance(by: .milliseconds(33))
        harness.sight.show(harness.jpeg(1, isWhole: false))
        await eventually("the half picture was tried") { harness.pictures.codings == 1 }
        harness.clock.advance(by: .milliseconds(33))
        harness.sight.show(harness.jpeg(2))
        let taken = try #require(await photo.value.success)
        #expect(taken.width == 640 && taken.height == 480)
        #expect(harness.folder.files.values.map(FakePictures.number) == [2])
        await harness.expectNextPhotoStaysPossible(harness.jpeg(3))
    }

    @Test func twoFramesMakeOnePhoto() async {
        let harness = await CameraHarness.connected()
        let photo = harness.photo()
        await harness.becomes(.streaming)
        for _ in 0..<2 {
            harness.clock.advance(by: .milliseconds(1))
            harness.sight.show()
        }
        #expect(await photo.value.failure == nil)
        #expect(harness.folder.files.count == 1)
        await harness.expectNextPhotoWorks()
    }

    @Test func aPauseInBetweenEndsThePhotoAtOnceAndAPausedCameraRefusesTheNextOneUntilItGoesOn() async {
        let harness = await CameraHarness.connected()
        let photo = harness.photo()
        await harness.becomes(.streaming)
        harness.sight.pause()
        #expect(await photo.value.failure == .streamPaused)
        #expect(await harness.camera.capturePhoto().failure == .streamPaused)
        #expect(await harness.lines("camera.capture_denied").count == 2)
        harness.sight.resume()
        await harness.becomes(.streaming)
        await harness.expectNextPhotoWorks()
    }

    @Test func unpluggingInMidStreamEndsThePhotoWithTheDevicesReason() async {
        let harness = await CameraHarness.connected()
        let gone = CaptureError.platformError(code: "camera_gone", message: "The camera was unplugged. Plug it in.")
        let photo = harness.photo()
        await harness.becomes(.streaming)
        harness.sight.end(gone)
        #expect(await photo.value.failure == gone)
        #expect(harness.health == .broken)
        await harness.expectNextPhotoWorks()
    }

    @Test func aLostConnectionEndsThePhotoAndAfterItsReturnTheNextOneWorks() async {
        let harness = await CameraHarness.connected()
        let photo = harness.photo()
        await harness.becomes(.streaming)
        harness.device.drop()
        #expect(await photo.value.failure == .notConnected)
        #expect(await harness.camera.capturePhoto().failure == .notConnected)
        harness.device.comeBack()
        await eventually("the device is back") { harness.health == .ready }
        await harness.expectNextPhotoWorks()
    }

    @Test func aStalledStreamIsOpenedAnewUnderAWaitingPhoto() async {
        let harness = await CameraHarness.connected()
        let reader = Task { for try await _ in harness.camera.videoFrames() {} }
        await harness.becomes(.streaming)
        harness.clock.advance(by: .milliseconds(100))
        harness.sight.show()
        await harness.run("the stalled stream is opened anew", step: .milliseconds(250)) {
            harness.sight.openedModes.count == 2
        }
        #expect(await harness.lines("camera.stream_stalled").count == 1)
        await harness.becomes(.streaming)
        await harness.expectNextPhotoWorks()
        reader.cancel()
    }

    @Test(
        "A disk that is full or forbidden is named and leaves the camera healthy",
        arguments: ["disk_full", "not_writable", "write_failed"])
    func theDiskFails(_ code: String) async {
        let harness = await CameraHarness.connected()
        harness.folder.fail(.writeFailed(code: code, message: "The disk refuses. Free some space."))
        let photo = harness.photo()
        await harness.becomes(.streaming)
        harness.clock.advance(by: .milliseconds(1))
        harness.sight.show()
        #expect(await photo.value.failure?.code == code)
        #expect(harness.health == .ready)
        harness.folder.fail(nil)
        await harness.expectNextPhotoWorks()
    }

    @Test func aRefusedPermissionIsToldAtOnceAndOnceGrantedTheNextPhotoWorks() async {
        let harness = await CameraHarness.connected()
        harness.sight.planOpenings([.fail(.permissionDenied)])
        #expect(await harness.camera.capturePhoto().failure == .permissionDenied)
        #expect(harness.health == .broken)
        #expect(harness.sight.openedModes.count == 1)
        await harness.expectNextPhotoWorks()
    }

    @Test func aCancelledCallerGetsItsReasonAtOnceWhileTheStreamIsOpened() async {
        let harness = await CameraHarness.connected()
        harness.sight.planOpenings([.hold])
        let photo = harness.photo()
        await eventually("the opening is held") { harness.sight.heldOpenings == 1 }
        photo.cancel()
        #expect(await photo.value.failure?.code == "capture_cancelled")
        harness.sight.answerHeldOpenings()
        await harness.expectNextPhotoWorks()
    }

    @Test func timeStampsThatJumpBackAreRefusedAndCountedAndTheStreamRecovers() async {
        let harness = await CameraHarness.connected()
        let frames = Task {
            var times: [Int64] = []
            for try await frame in harness.camera.videoFrames(config: VideoFrameConfig(frameRate: 30)) {
                times.append(frame.presentationTimeUs)
                if times.count == 4 { return times }
            }
            return times
        }
        await harness.becomes(.streaming)
        for milliseconds in [100, 200, 50, 150, 90_000, 300, 400] as [Int64] {
            harness.clock.advance(by: .milliseconds(100))
            let time = MonotonicTime(nanoseconds: milliseconds * 1_000_000)
            harness.sight.show(SimulatedCamera.pattern(SimulatedCamera.documentedModes[7], number: 1, time: time))
            await pause()
        }
        do { #expect(try await frames.value == [100_000, 200_000, 300_000, 400_000]) } catch { Issue.record(error) }
        let reasons = await harness.lines("camera.frame_refused").map { $0?["reason"] }
        #expect(reasons == ["time_jumped_back", "time_in_future"])
        await harness.expectNextPhotoWorks()
    }

    @Test func framesOfAnotherSizeOrFormatThanTheStreamsAreLeftOut() async {
        let harness = await CameraHarness.connected(modes: [CameraHarness.jpegMode])
        let first = harness.photo()
        await harness.becomes(.streaming)
        harness.clock.advance(by: .milliseconds(10))
        harness.sight.show(harness.jpeg(1))
        #expect(await first.value.failure == nil)
        let photo = harness.photo()
        await eventually("the photo waits") { await harness.state == .streaming }
        for wrong in 0..<2 {
            harness.clock.advance(by: .milliseconds(10))
            var frame = harness.jpeg(7)
            if wrong == 0 { frame.width = 320 } else { frame.format = .i420 }
            harness.sight.show(frame)
        }
        let taken = Tally()
        let waiting = Task {
            let result = await photo.value
            taken.add()
            return result
        }
        while taken.count == 0 {
            harness.clock.advance(by: .milliseconds(10))
            harness.sight.show(harness.jpeg(8))
            await pause()
        }
        #expect(await waiting.value.failure == nil)
        #expect(Set(harness.folder.files.values.map(FakePictures.number)) == [1, 8])
        #expect(await harness.lines("camera.frame_refused").map { $0?["reason"] } == ["wrong_shape"])
    }

    @Test func aPhotoOfTwelveMegabytesIsWrittenWhole() async throws {
        let harness = await CameraHarness.connected(modes: [CameraHarness.jpegMode])
        let photo = harness.photo()
        await harness.becomes(.streaming)
        harness.clock.advance(by: .milliseconds(10))
        harness.sight.show(harness.jpeg(1, padding: 12 << 20))
        let taken = try #require(await photo.value.success)
        #expect(harness.folder.files.values.map(\.count) == [(12 << 20) + 16])
        #expect(taken.width == 640)
        await harness.expectNextPhotoStaysPossible(harness.jpeg(2))
    }

    @Test func noPictureEverReachesTheLog() async {
        let harness = await CameraHarness.connected()
        await harness.expectNextPhotoWorks()
        let log = await harness.glasses.runtime.snapshotEvents().map { String(describing: $0) }
        #expect(log.contains { $0.contains("camera.stream_locked") })
        #expect(log.allSatisfy { $0.utf8.count < 600 })
    }
}

extension CameraHarness {
    /// As ``expectNextPhotoWorks()``, for a camera whose frames the test makes.
    func expectNextPhotoStaysPossible(_ frame: CameraFrame) async {
        let before = folder.files.count
        let next = photo()
        while folder.files.count == before {
            clock.advance(by: .milliseconds(10))
            var shown = frame
            shown.time = clock.now
            sight.show(shown)
            await pause()
        }
        #expect(await next.value.failure == nil)
    }
}

@Suite("Stills by the camera's own function")
struct StillTests {
    private static func still(_ file: [UInt8], _ format: CameraStillFormat = .jpeg) -> CameraStill {
        CameraStill(file: file, format: format, width: 1, height: 1, rotation: 90, time: nil)
    }

    private static let whole = FakePictures.file(width: 4_000, height: 3_000, number: 5)
    private static let config = PhotoConfig(dedicatedCapture: true)

    @Test func aStillHasTheSizeOfItsFileAndNeedsNoStream() async throws {
        let harness = await CameraHarness.connected(stillFormat: .jpeg)
        harness.sight.planStills([.succeed(Self.still(Self.whole))])
        let photo = try #require(await harness.camera.capturePhoto(config: Self.config).success)
        #expect(photo.width == 4_000 && photo.height == 3_000)
        #expect(try JSONValue(jsonText: #require(photo.exif))["Orientation"] == 6)
        #expect(harness.sight.openedModes.isEmpty)
    }

    @Test func aCameraWithoutStillsTakesThePhotoOffItsStreamAndSaysSo() async {
        let harness = await CameraHarness.connected()
        let photo = harness.photo(Self.config)
        await harness.run("the photo is taken", showing: true) { !harness.folder.files.isEmpty }
        #expect(await photo.value.failure == nil)
        #expect(await harness.lines("camera.still_from_stream").count == 1)
    }

    @Test func aStillThatNeverComesEndsInTimeAndItsLateAnswerIsDropped() async {
        let harness = await CameraHarness.connected(stillFormat: .jpeg)
        harness.sight.planStills([.hold])
        let photo = harness.photo(Self.config)
        await eventually("the still is held") { harness.sight.heldStills == 1 }
        harness.clock.advance(by: .seconds(12))
        #expect(await photo.value.failure?.code == "capture_photo_timeout")
        #expect(harness.health == .broken)
        harness.sight.answerHeldStills(.success(Self.still(Self.whole)))
        await harness.expectNextPhotoWorks()
        #expect(harness.folder.files.count == 1)
    }

    @Test func halfAStillIsDamagedAndNotWritten() async {
        let harness = await CameraHarness.connected(stillFormat: .jpeg)
        harness.sight.planStills([.succeed(Self.still(Array(Self.whole.dropLast(6))))])
        #expect(await harness.camera.capturePhoto(config: Self.config).failure?.code == "undecodable")
        #expect(harness.folder.files.isEmpty)
        await harness.expectNextPhotoWorks()
    }

    @Test func aGateThatClosesBeforeTheStillComesKeepsItFromTheDisk() async {
        let harness = await CameraHarness.connected(stillFormat: .jpeg)
        harness.sight.planStills([.hold])
        let photo = harness.photo(Self.config)
        await eventually("the still is held") { harness.sight.heldStills == 1 }
        await harness.glasses.toggles.put(key: "privacy_mode", value: true)
        #expect(await photo.value.failure == .disabledByUser(toggle: "privacy_mode"))
        harness.sight.answerHeldStills(.success(Self.still(Self.whole)))
        await harness.glasses.toggles.put(key: "privacy_mode", value: false)
        await harness.expectNextPhotoWorks()
        #expect(harness.folder.files.count == 1)
    }

    @Test func aCancelledCallerOfAStillGetsItsReasonAtOnce() async {
        let harness = await CameraHarness.connected(stillFormat: .jpeg)
        harness.sight.planStills([.hold])
        let photo = harness.photo(Self.config)
        await eventually("the still is held") { harness.sight.heldStills == 1 }
        photo.cancel()
        #expect(await photo.value.failure?.code == "capture_cancelled")
        harness.sight.answerHeldStills(.success(Self.still(Self.whole)))
        await harness.expectNextPhotoWorks()
    }

    @Test func aSecondStillAtTheSameTimeIsRefused() async {
        let harness = await CameraHarness.connected(stillFormat: .jpeg)
        harness.sight.planStills([.hold])
        let first = harness.photo(Self.config)
        await eventually("the still is held") { harness.sight.heldStills == 1 }
        #expect(await harness.camera.capturePhoto(config: Self.config).failure?.code == "busy")
        harness.sight.answerHeldStills(.success(Self.still(Self.whole)))
        #expect(await first.value.failure == nil)
    }
}
