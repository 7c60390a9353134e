import Foundation
import FramePattern
import GlassesDomain
import MWDATCore
import TestProcess
import Testing

@testable import MWDATMockDevice

/// What needs the optional decoder. Without it the tests say so, but for the one that needs its absence.
@Suite("Videos as a feed", .serialized)
struct VideoFeedTests {
    static let decoder = VideoDecoder.find()

    @Test("Without the decoder a video is refused, and the package is named")
    func missingDecoder() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("\u{0}\u{0}\u{0}\u{18}ftypmp42".utf8), "film.mp4")
        let recorder = LinkRecorder(decoder: VideoDecoder.find(in: "/nonexistent"), feed: .path(path))
        recorder.stream()
        #expect(try await recorder.streamEnd() == .noDecoder)
        #expect(Refusal.noDecoder.message.contains("package ffmpeg"))
        recorder.end()
    }

    @Test("An HEVC file is decoded, scaled, and played again and again", .enabled(if: decoder != nil))
    func decoded() async throws {
        let folder = try TemporaryFolder()
        let recorder = LinkRecorder(feed: .path(try await Self.film(folder, frames: 5)))
        recorder.stream(width: 504, height: 896, rate: 15)
        let frames = try await recorder.frames(12)
        recorder.end()
        let numbers = try frames.map { try #require(FeedTests.number($0)) }
        #expect(Set(numbers) == [0, 1, 2, 3, 4])
        #expect(frames.allSatisfy { $0.width == 504 && $0.height == 896 })
    }

    @Test("A film keeps its speed on a stream that becomes slower", .enabled(if: decoder != nil))
    func speed() async throws {
        let folder = try TemporaryFolder()
        let plan = MockFeedPlan(
            source: .path(try await Self.film(folder, frames: 12)), coding: .i420, width: 360, height: 640,
            framesPerSecond: 15)
        let feed = try MockFeedOpener(decoder: Self.decoder).open(plan)
        var slower = plan
        slower.framesPerSecond = 5
        var numbers: [UInt32?] = []
        for number in UInt64(0)..<3 {
            numbers.append(FeedTests.number(try #require(try feed.picture(number, plan)).frame(time: 0)))
        }
        for number in [UInt64(3), 5] {
            numbers.append(FeedTests.number(try #require(try feed.picture(number, slower)).frame(time: 0)))
        }
        feed.close()
        // Every picture, then every third, then the sixth after a gap of one.
        #expect(numbers == [0, 1, 2, 5, 11])
    }

    @Test("A stream with hvc1 gets the file's own access units, with parameter sets", .enabled(if: decoder != nil))
    func copied() async throws {
        let folder = try TemporaryFolder()
        let recorder = LinkRecorder(feed: .path(try await Self.film(folder, frames: 5)))
        recorder.stream(coding: .hvc1, rate: 15)
        let frames = try await recorder.frames(12)
        recorder.end()
        #expect(frames.allSatisfy { $0.coding == .hvc1 && $0.width == 360 && $0.height == 640 })
        #expect(frames[0].isKeyFrame)
        #expect(frames.filter(\.isKeyFrame).count >= 2)
        // A configuration record of version 1, and length-prefixed units that fill the access unit.
        #expect(frames.allSatisfy { $0.parameterSets.first == 1 })
        #expect(frames.allSatisfy { Self.isFilledByUnits($0.bytes) })
        let decoded = try await Self.decode(frames, in: folder)
        #expect(Set(decoded) == [0, 1, 2, 3, 4])
    }

    @Test("A stream with hvc1 of the test pattern is encoded", .enabled(if: decoder != nil))
    func encoded() async throws {
        let folder = try TemporaryFolder()
        let recorder = LinkRecorder()
        recorder.stream(coding: .hvc1, rate: 7)
        let frames = try await recorder.frames(6)
        recorder.end()
        #expect(frames[0].isKeyFrame)
        let numbers = try await Self.decode(frames, in: folder)
        #expect(numbers.count == frames.count && numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }

    @Test("A file that is no video ends the stream with what the decoder says", .enabled(if: decoder != nil))
    func broken() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(repeating: 7, count: 4_096), "film.mp4")
        let recorder = LinkRecorder(feed: .path(path))
        recorder.stream()
        let refusal = try #require(try await recorder.streamEnd())
        #expect(refusal.check == .media && refusal.message.contains("film.mp4"))
        recorder.end()
    }

    @Test("A camera that is not there ends the stream with a reason", .enabled(if: decoder != nil))
    func missingCamera() async throws {
        let recorder = LinkRecorder(feed: .camera("/dev/video-nonexistent"))
        recorder.stream()
        #expect(try await recorder.streamEnd()?.check == .media)
        recorder.end()
    }

    @Test("A decoder ends with its stream", .enabled(if: decoder != nil))
    func ends() async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.film(folder, frames: 5)
        let recorder = LinkRecorder(feed: .path(path))
        recorder.stream()
        _ = try await recorder.frames(2)
        #expect(Self.children(of: path) == 1)
        recorder.link.send(.stopStream(1, 1))
        _ = try await waitUntil { Self.children(of: path) == 0 ? true : nil }
        recorder.end()
    }

    // MARK: Films

    /// A film of numbered pictures as HEVC, one key frame in three.
    private static func film(_ folder: TemporaryFolder, frames: Int) async throws -> String {
        let raw = (0..<frames).reduce(into: Data()) { film, number in
            film += FrameNumberPattern.picture(number: UInt32(number), flash: false, width: 360, height: 640)
        }
        let (source, target) = (try folder.write(raw, "film.yuv"), folder.path + "/film.mp4")
        let made = try await TestProcess(
            #require(decoder).program,
            [
                "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "360x640", "-r", "15", "-i",
                source, "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
                "keyint=3:min-keyint=3:log-level=none", target,
            ]
        ).run()
        try #require(made.code == 0, "\(made.errors)")
        return target
    }

    /// The numbers of coded pictures, decoded by way of a raw stream of units with start codes.
    private static func decode(_ frames: [LinkFrame], in folder: TemporaryFolder) async throws -> [UInt32] {
        var stream = Data()
        for frame in frames {
            if frame.isKeyFrame { for set in parameterSets(frame.parameterSets) { stream += [0, 0, 0, 1] + set } }
            for unit in units(frame.bytes) { stream += [0, 0, 0, 1] + unit }
        }
        let (source, target) = (try folder.write(stream, "units.hevc"), folder.path + "/units.yuv")
        let made = try await TestProcess(
            #require(decoder).program,
            [
                "-nostdin", "-v", "error", "-f", "hevc", "-i", source, "-fps_mode", "passthrough", "-pix_fmt",
                "yuv420p", "-f", "rawvideo", target,
            ]
        ).run()
        try #require(made.code == 0, "\(made.errors)")
        let raw = [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
        let size = 360 * 640 * 3 / 2
        return stride(from: 0, to: raw.count, by: size).compactMap { start in
            FrameNumberPattern.read(luma: Array(raw[start..<start + 360 * 640]), width: 360, height: 640, stride: 360)
        }
    }

    private static func units(_ bytes: Data) -> [Data] {
        var (units, position): ([Data], Int) = ([], 0)
        let bytes = Data(bytes)
        while position + 4 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            units.append(bytes[position + 4..<min(bytes.count, position + 4 + length)])
            position += 4 + length
        }
        return units
    }

    private static func isFilledByUnits(_ bytes: Data) -> Bool {
        units(bytes).reduce(0) { $0 + 4 + $1.count } == bytes.count && !bytes.isEmpty
    }

    /// The sets of a configuration record: 23 bytes, then arrays of a type, a count, and lengths.
    private static func parameterSets(_ record: Data) -> [Data] {
        let record = Data(record)
        var (sets, position): ([Data], Int) = ([], 23)
        for _ in 0..<Int(record[22]) {
            let count = Int(record[position + 1]) << 8 | Int(record[position + 2])
            position += 3
            for _ in 0..<count {
                let length = Int(record[position]) << 8 | Int(record[position + 1])
                sets.append(record[position + 2..<position + 2 + length])
                position += 2 + length
            }
        }
        return sets
    }

    /// Running programs that have `path` among their arguments.
    private static func children(of path: String) -> Int {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { name in
            guard Int(name) != nil, let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                return false
            }
            return String(decoding: line, as: UTF8.self).contains("file:" + path)
        }.count
    }
}
