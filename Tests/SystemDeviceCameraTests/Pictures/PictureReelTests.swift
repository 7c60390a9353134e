import Foundation
import GlassesPluginKit
import Testing

@testable import SystemDeviceCamera

@Suite("The pictures of a path")
struct PictureReelTests {
    private static func write(_ bytes: [UInt8], _ folder: TemporaryFolder, _ name: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("A folder's JPEG files come in the order of their names, by size, and others are left out")
    func folder() throws {
        let folder = try TemporaryFolder()
        for (name, width) in [("b.jpg", 64), ("a.JPEG", 32), ("c.jpg", 64)] {
            _ = try Self.write(TestPicture.skeleton(width: width, height: 48), folder, name)
        }
        _ = try Self.write([1, 2, 3], folder, "broken.jpg")
        _ = try Self.write(TestPicture.skeleton(width: 99, height: 48), folder, ".hidden.jpg")
        _ = try Self.write([], folder, "notes.txt")
        let reel = try PictureReel(folder.path)
        #expect(reel.sizes == [.init(width: 32, height: 48), .init(width: 64, height: 48)])
        let wide = (reel.pictures[.init(width: 64, height: 48)] ?? []).map { reel.files[$0.file] }
        #expect(wide == ["b.jpg", "c.jpg"].map { folder.path + "/" + $0 })
        #expect(reel.skipped == 1)
    }

    @Test("A Motion JPEG file is cut where its pictures end, across every portion that is read")
    func motionJPEG() throws {
        let folder = try TemporaryFolder()
        let first = TestPicture.skeleton(width: 64, height: 48)
        let second = TestPicture.skeleton(width: 64, height: 48, fill: 9)
        // The second one lies across the end of the first portion, the last one has no end.
        let gap = [UInt8](repeating: 0x55, count: (1 << 20) - first.count - 10)
        let path = try Self.write(first + gap + second + first.dropLast(2), folder, "film.mjpeg")
        let reel = try PictureReel(path)
        let places = try #require(reel.pictures[.init(width: 64, height: 48)])
        #expect(places.map(\.offset) == [0, first.count + gap.count])
        #expect(places.map(\.length) == [first.count, second.count])
        let file = try PictureFile(path)
        #expect(try places.map { try file.read($0.length, at: $0.offset) } == [first, second])
    }

    @Test("A path without a picture says what to name instead")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let text = try Self.write(Array("no picture".utf8), folder, "text.jpg")
        for (path, code) in [
            (text, "camera_file_invalid"), (folder.path, "camera_file_invalid"),
            (folder.path + "/missing.jpg", "camera_file_unreadable"), ("/dev/null", "camera_file_unreadable"),
        ] {
            let failure = #expect(throws: PluginFailure.self) { try PictureReel(path) }
            #expect(failure?.code == code)
            #expect(failure?.message.contains(path) == true)
        }
    }

    @Test("Pictures are due at their own times, so that nothing adds up, and after a pause the late ones are left out")
    func pacing() {
        var pacer = Pacer(rate: 7, from: 0)
        for _ in 0..<70_000 { pacer.advance(at: pacer.due) }
        #expect(pacer.due == 10_000_000_000_000)
        let before = pacer.number
        pacer.advance(at: pacer.due + 2_000_000_000)
        #expect(pacer.number == before + 14)
    }
}
