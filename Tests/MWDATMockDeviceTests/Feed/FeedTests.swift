import Foundation
import FramePattern
import GlassesDomain
import GlassesMedia
import MWDATCore
import MWDATImage
import Testing

@testable import MWDATMockDevice

/// One at a time: dozens of cameras at once would measure the machine.
@Suite("What the simulated camera shows", .serialized)
struct FeedTests {
    static let sizes = [[720, 1_280], [504, 896], [360, 640]]

    @Test("The test pattern carries its number at every size", arguments: sizes)
    func pattern(size: [Int]) async throws {
        let recorder = LinkRecorder()
        recorder.stream(width: size[0], height: size[1])
        let frames = try await recorder.frames(6)
        recorder.end()
        let numbers = try frames.map { try #require(Self.number($0)) }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(frames.allSatisfy { $0.width == size[0] && $0.height == size[1] && $0.coding == .i420 })
        #expect(frames.allSatisfy { $0.bytes.count == size[0] * size[1] * 3 / 2 })
    }

    @Test(
        "Pictures come at the rate that was asked for, and their times are those of their numbers", arguments: [7, 15])
    func pacing(rate: Int) async throws {
        let recorder = LinkRecorder()
        recorder.stream(rate: rate)
        let frames = try await recorder.frames(8)
        recorder.end()
        let first = try #require(Self.number(frames[0]))
        for frame in frames {
            let number = try #require(Self.number(frame))
            let expected = Double(number - first) / Double(rate)
            #expect(abs(Double(frame.time - frames[0].time) / 1e9 - expected) < 0.001)
        }
    }

    @Test("A folder's pictures come by name, again and again, in the stream's size")
    func folder() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<3 { try folder.write(Self.jpeg(UInt32(number)), "picture-\(number).jpg") }
        try folder.write(Data("no picture".utf8), "notes.txt")
        let recorder = LinkRecorder(feed: .path(folder.path))
        recorder.stream(rate: 15)
        let frames = try await recorder.frames(7)
        recorder.end()
        try Self.expectTurns(frames, of: 3, rate: 15)
    }

    @Test("A Motion JPEG file is played like a folder, with or without the decoder")
    func motionJPEG() async throws {
        let folder = try TemporaryFolder()
        let film = try (0..<4).reduce(into: Data()) { film, number in film += try Self.jpeg(UInt32(number)) }
        let path = try folder.write(film, "film.mjpeg")
        let recorder = LinkRecorder(decoder: nil, feed: .path(path))
        recorder.stream(rate: 15)
        let frames = try await recorder.frames(9)
        recorder.end()
        try Self.expectTurns(frames, of: 4, rate: 15)
    }

    @Test("A feed that is changed while it runs shows the new pictures")
    func changed() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.jpeg(77_777), "one.jpg")
        let recorder = LinkRecorder()
        recorder.stream()
        _ = try await recorder.frames(2)
        recorder.operate(.feed(.path(folder.path)))
        _ = try await recorder.wait("the new picture") { events in
            events.frames.last.flatMap(Self.number) == 77_777 ? true : nil
        }
        recorder.end()
    }

    @Test("A feed that cannot be read ends the stream with a reason")
    func unreadable() async throws {
        let recorder = LinkRecorder(feed: .path("/nonexistent/film.mp4"))
        recorder.stream()
        let refusal = try #require(try await recorder.streamEnd())
        #expect(refusal.check == .media && refusal.message.contains("no file"))
        recorder.end()
    }

    @Test("What is no file is not waited for", .timeLimit(.minutes(1)))
    func pipe() async throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe.jpg", 0o600) == 0)
        let recorder = LinkRecorder(feed: .path(folder.path + "/pipe.jpg"))
        recorder.stream()
        #expect(try await recorder.streamEnd()?.check == .media)
        recorder.end()
    }

    @Test("A slow link makes the pictures smaller", .timeLimit(.minutes(1)))
    func ladder() async throws {
        let recorder = LinkRecorder()
        recorder.stage.operate(.faultsSet(MockFaults(linkRate: 700_000)))
        recorder.stream(width: 504, height: 896)
        _ = try await recorder.wait("a smaller picture") { events in
            events.frames.last?.width == 360 ? true : nil
        }
        recorder.end()
    }

    // MARK: Photos

    @Test("Without an image the photo is what the camera sees, 1080 by 1440")
    func livePhoto() async throws {
        let recorder = LinkRecorder()
        recorder.stream()
        _ = try await recorder.frames(2)
        recorder.link.send(.capturePhoto(1, 5, .heic))
        let photo = try await recorder.wait("the photo") { events in
            events.lazy.compactMap { if case .photo(1, 5, let photo) = $0 { photo } else { nil } }.first
        }
        recorder.end()
        #expect(photo.format == .jpeg)
        let decoded = try MockPicture(jpeg: [UInt8](photo.bytes), width: 1_080, height: 1_440)
        #expect(try TurboPictureCoder().facts(of: photo.bytes).width == 1_080)
        #expect(Self.number(decoded.frame(time: 0)) != nil)
    }

    @Test("The image that was set is the photo, byte for byte")
    func setPhoto() async throws {
        let folder = try TemporaryFolder()
        let file = try Self.jpeg(5)
        let recorder = LinkRecorder()
        recorder.operate(.capturedImage(try folder.write(file, "photo.jpg")))
        recorder.stream()
        recorder.link.send(.capturePhoto(1, 5, .jpeg))
        let photo = try await recorder.wait("the photo") { events in
            events.lazy.compactMap { if case .photo(1, 5, let photo) = $0 { photo } else { nil } }.first
        }
        recorder.end()
        #expect(photo.bytes == file)
    }

    @Test("A PNG file that was set becomes a JPEG photo of its size")
    func pngPhoto() async throws {
        let folder = try TemporaryFolder()
        let image = try #require(UIImage(width: 30, height: 20, rgba: [UInt8](repeating: 200, count: 4 * 30 * 20)))
        let recorder = LinkRecorder()
        recorder.operate(.capturedImage(try folder.write(try #require(image.pngData()), "photo.png")))
        recorder.stream()
        recorder.link.send(.capturePhoto(1, 5, .jpeg))
        let photo = try await recorder.wait("the photo") { events in
            events.lazy.compactMap { if case .photo(1, 5, let photo) = $0 { photo } else { nil } }.first
        }
        recorder.end()
        #expect(photo.format == .jpeg && photo.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        let shown = try #require(UIImage(data: photo.bytes))
        #expect(shown.width == 30 && shown.height == 20)
    }

    @Test("A missing image fails the photo with a reason, and the stream goes on")
    func missingPhoto() async throws {
        let recorder = LinkRecorder()
        recorder.operate(.capturedImage("/nonexistent.jpg"))
        recorder.stream()
        recorder.link.send(.capturePhoto(1, 5, .jpeg))
        let refusal = try await recorder.wait("the failure") { events in
            events.lazy.compactMap { if case .photoFailed(1, 5, let refusal) = $0 { refusal } else { nil } }.first
        }
        #expect(refusal.check == .media)
        _ = try await recorder.frames(1)
        recorder.end()
    }

    // MARK: Pictures

    /// Each picture is the one whose turn it was at its time; a loaded machine leaves some out.
    private static func expectTurns(_ frames: [LinkFrame], of count: Int, rate: Int) throws {
        let first = try #require(number(frames[0]))
        for frame in frames {
            let steps = Int((Double(frame.time - frames[0].time) / 1e9 * Double(rate)).rounded())
            #expect(try #require(number(frame)) == UInt32((Int(first) + steps) % count))
        }
    }

    /// The number that a raw picture carries.
    static func number(_ frame: LinkFrame) -> UInt32? {
        FrameNumberPattern.read(
            luma: [UInt8](frame.bytes.prefix(frame.width * frame.height)), width: frame.width, height: frame.height,
            stride: frame.width)
    }

    static func jpeg(_ number: UInt32) throws -> Data {
        let bytes = FrameNumberPattern.picture(number: number, flash: false, width: 360, height: 640)
        return try MockPicture(coding: .i420, width: 360, height: 640, bytes: Data(bytes)).jpeg(quality: 90)
    }
}

/// A folder that goes with its last user.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "mwdat-mock-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path)") } }

    @discardableResult
    func write(_ data: Data, _ name: String) throws -> String {
        try data.write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }
}
