import FramePattern
import Foundation
import GlassesDomain
import TestProcess
import Testing

@testable import GlassesMedia

@Suite struct ClipFailureTests {
    private let recorder = MP4ClipRecorder()

    private func plan(_ path: String, soundRate: Int? = nil) -> ClipPlan {
        ClipPlan(path: path, format: .mp4H264, frameRate: 30, soundRate: soundRate)
    }

    private func frame(_ number: Int, width: Int = 64, height: Int = 64) -> CameraFrame {
        Frames.i420(UInt32(number), width: width, height: height, at: .milliseconds(100 * number))
    }

    /// The code with which a call fails.
    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch MediaError.writeFailed(let code, _) {
            return code
        } catch MediaError.coderFailed(let code, _) {
            return code
        } catch {
            return "\(error)"
        }
    }

    @Test func aClipWithoutAFrameLeavesNoFile() throws {
        let folder = try ClipFolder()
        let writer = try recorder.begin(plan(folder.file("clip"), soundRate: 16_000))
        #expect(try folder.names == ["clip"])
        try writer.addSound([1, 2, 3], at: .zero)
        let clip = try writer.finish()
        #expect(clip.uri == nil && clip.durationMs == 0)
        #expect(try folder.names == [])
        #expect(try writer.finish() == clip)
        #expect(code { try writer.add(frame(0)) } == "clip_finished")
        #expect(code { try writer.addSound([1], at: .zero) } == "clip_finished")
    }

    @Test func aFileThatExistsOrAFolderThatDoesNotIsRefused() throws {
        let folder = try ClipFolder()
        let first = try recorder.begin(plan(folder.file("clip")))
        #expect(code { _ = try recorder.begin(plan(folder.file("clip"))) } == "not_writable")
        #expect(code { _ = try recorder.begin(plan(folder.file("none/clip"))) } == "not_writable")
        #expect(code { _ = try recorder.begin(plan("/proc/clip")) } == "not_writable")
        try first.add(frame(0))
        #expect(try first.finish().uri != nil)
    }

    @Test(arguments: [0, -1, 7_999, 192_001, .max])
    func aSoundRateThatCannotBeRecordedIsRefusedBeforeThereIsAFile(rate: Int) throws {
        let folder = try ClipFolder()
        #expect(code { _ = try recorder.begin(plan(folder.file("clip"), soundRate: rate)) } == "sound_rate")
        #expect(try folder.names == [])
    }

    @Test func aFullDiskEndsTheClipWithItsReason() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        let folder = try ClipFolder()
        let path = folder.file("clip")
        let writer = try recorder.begin(plan(path), in: ClipFile(descriptor: descriptor, path: path))
        #expect(code { try writer.add(frame(0)) } == "disk_full")
        #expect(code { try writer.add(frame(1)) } == "disk_full")
        #expect(code { _ = try writer.finish() } == "disk_full")
        // It stays so.
        #expect(code { _ = try writer.finish() } == "disk_full")
    }

    @Test(arguments: [
        (ENOSPC, "disk_full"), (EDQUOT, "disk_full"), (EFBIG, "disk_full"), (EACCES, "not_writable"),
        (EROFS, "not_writable"), (EEXIST, "not_writable"), (ENOENT, "not_writable"), (EIO, "write_failed"),
    ])
    func eachFailureOfTheFileHasItsCode(number: Int32, expected: String) {
        #expect(code { throw MediaError.writing("/clip", number) } == expected)
    }

    @Test func aFileThatMayNotGrowIsPlayableUpToItsEnd() async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let outcome = try await ClipLab.process(["limited", path, "100000"]).run()
        #expect(outcome.code == 0 && outcome.lines.first == "failed disk_full", "\(outcome)")
        let decoded = try await DecodedClip(path, width: 320, height: 240, hasSound: true)
        let numbers = decoded.numbers(width: 320, height: 240)
        #expect(numbers.count > 10 && numbers == (0..<numbers.count).map { UInt32($0) })
        let milliseconds = Int((Double(numbers.count) * 1_000 / 30).rounded())
        #expect(outcome.lines.last == "clip \(milliseconds)")
    }

    @Test func aRecordingThatIsKilledIsPlayable() async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        var process = ClipLab.process(["record", path])
        process.signals = (numbers: [SIGKILL], after: "second 3\n")
        let outcome = try await process.run()
        #expect(outcome.code == 128 + SIGKILL)
        let decoded = try await DecodedClip(path, width: 320, height: 240, hasSound: true)
        let numbers = decoded.numbers(width: 320, height: 240)
        // Half a second at most is lost, and the frame under way.
        #expect(numbers.count >= 75 && numbers == (0..<numbers.count).map { UInt32($0) })
        #expect(decoded.sound.count >= numbers.count * 1_600 - 48_000)
    }

    @Test func aClipCutAnywhereIsPlayableUpToItsLastFragment() async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let writer = try recorder.begin(plan(path))
        for number in 0..<30 { try writer.add(frame(number)) }
        _ = try writer.finish()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for part in [0.3, 0.5, 0.77] {
            let cut = folder.file("cut.mp4")
            try whole.prefix(Int(Double(whole.count) * part)).write(to: URL(fileURLWithPath: cut))
            let probe = try await ProbedPackets(cut)
            #expect(probe.times.count >= 5 && probe.times == (0..<probe.times.count).map { Double($0) / 10 })
        }
    }

    @Test func aFrameThatIsRefusedIsLeftOutAndTheClipGoesOn() async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let writer = try recorder.begin(plan(path))
        var broken = frame(0)
        broken.bytes.removeLast()
        #expect(throws: MediaError.self) { try writer.add(broken) }
        try writer.add(frame(0))
        #expect(throws: MediaError.unsupportedSize(width: 66, height: 64)) { try writer.add(frame(1, width: 66)) }
        #expect(code { try writer.add(frame(0)) } == "frame_time")
        var half = frame(1)
        half.bytes = [UInt8](try TurboPictureCoder().jpeg(half, quality: 80, takenAt: nil).file)
        half.bytes.removeLast(half.bytes.count / 2)
        (half.format, half.planes) = (.jpeg, [])
        #expect(throws: MediaError.self) { try writer.add(half) }
        try writer.add(frame(2))
        #expect(try writer.finish().durationMs == 233)
        let decoded = try await DecodedClip(path, width: 64, height: 64, hasSound: false)
        #expect(decoded.numbers(width: 64, height: 64) == [0, 2])
    }

    @Test func twoRecordingsDoNotDisturbEachOther() async throws {
        let folder = try ClipFolder()
        let writers = try ["a", "b"].map { try recorder.begin(plan(folder.file($0))) }
        for number in 0..<12 {
            for writer in writers { try writer.add(frame(number)) }
        }
        for writer in writers { #expect(try writer.finish().durationMs == 1_133) }
        let files = try ["a", "b"].map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))) }
        #expect(files[0] == files[1])
    }
}

/// The program that records while it is killed, or its disk full.
enum ClipLab {
    /// The build puts it beside the test bundle.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("clip-lab").path

    static func process(_ arguments: [String]) -> TestProcess { TestProcess(program, arguments) }
}
