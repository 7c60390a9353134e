import Foundation
import GlassesDomain
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

@Suite("Where captures are kept")
struct CacheCapturesTests {
    private let root = NSTemporaryDirectory() + "cache-" + UUID().uuidString

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            if case .writeFailed(let code, _)? = error as? MediaError { return code }
            return "\(error)"
        }
    }

    @Test func aCaptureIsAFileOfTheUserAloneInAFolderOfTheUserAlone() throws {
        let captures = CacheCaptures(environment: ["XDG_CACHE_HOME": root])
        let path = try captures.store(Data([1, 2, 3]), suffix: ".jpg")
        #expect(path.hasPrefix(root + "/extentos/captures/"))
        #expect(path.hasSuffix(".jpg"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
        let rights = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        #expect(try rights(path) == 0o600)
        #expect(try rights(root + "/extentos/captures") == 0o700)
        let other = try captures.newPath(suffix: ".mp4")
        #expect(!FileManager.default.fileExists(atPath: other))
        try FileManager.default.removeItem(atPath: root)
    }

    @Test func aFolderThatCannotBeMadeIsNamedAsNotWritable() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let file = root + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let captures = CacheCaptures(path: file + "/captures")
        #expect(code { _ = try captures.store(Data([1]), suffix: ".jpg") } == "not_writable")
        try FileManager.default.removeItem(atPath: root)
    }

    @Test func aFolderThatOthersMayOpenIsRefused() throws {
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        #expect(code { _ = try CacheCaptures(path: root).newPath(suffix: ".jpg") } == "not_writable")
        try FileManager.default.removeItem(atPath: root)
    }

    @Test func aFileThatExistsIsNeverReplaced() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let path = root + "/picture.jpg"
        try NewFile.write(Data([1]), to: path)
        #expect(code { try NewFile.write(Data([2]), to: path) } == "not_writable")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
        try FileManager.default.removeItem(atPath: root)
    }

    @Test(
        "What the system says is told by its code",
        arguments: [
            (ENOSPC, "disk_full"), (EDQUOT, "disk_full"), (EACCES, "not_writable"), (EROFS, "not_writable"),
            (EIO, "write_failed"),
        ])
    func codes(_ one: (system: Int32, code: String)) {
        #expect(code { throw NewFile.failure(one.system, "/tmp/x") } == one.code)
    }
}

@Suite("Loading a photo")
struct LoadImageTests {
    private static func photo(_ uri: String?) -> Photo {
        Photo(uri: uri, width: 1, height: 1, format: .jpeg, exif: nil)
    }

    /// A grey JPEG file.
    private static func file(width: Int, height: Int, rotation: Int = 0) throws -> Data {
        let luma = width * height
        let frame = CameraFrame(
            bytes: [UInt8](repeating: 90, count: luma) + [UInt8](repeating: 128, count: luma / 2), format: .i420,
            width: width, height: height, rotation: rotation,
            planes: [
                CameraPlane(offset: 0, stride: width), CameraPlane(offset: luma, stride: width / 2),
                CameraPlane(offset: luma * 5 / 4, stride: width / 2),
            ], time: .zero, number: 0)
        return try LiveMedia.pictures.jpeg(frame, quality: 90, takenAt: nil).file
    }

    @Test func dataURLsAndFilesAreDecodedUpright() async throws {
        let file = try Self.file(width: 64, height: 32, rotation: 90)
        let inline = try #require(
            await Self.photo("data:image/jpeg;base64," + file.base64EncodedString()).loadImage())
        #expect(inline.width == 32 && inline.height == 64)
        let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("a picture \(UUID()).jpg")
        try file.write(to: url)
        #expect(await Self.photo(url.absoluteString).loadImage() == inline)
        try FileManager.default.removeItem(at: url)
        #expect(await Self.photo(url.absoluteString).loadImage() == nil)
    }

    @Test(
        "Whatever is no picture is nil",
        arguments: [
            nil, "", "file:///nonexistent.jpg", "file:///dev/zero", "file:///etc", "https://example.org/a.jpg", "data:",
            "data:image/jpeg;base64,%%%", "data:image/jpeg;base64,/9j/", "data:,hello", "/etc/hostname",
        ])
    func failures(_ uri: String?) async { #expect(await Self.photo(uri).loadImage() == nil) }

    @Test func halfAFileIsNil() async throws {
        let file = try Self.file(width: 640, height: 480)
        let half = file.prefix(file.count / 2).base64EncodedString()
        #expect(await Self.photo("data:image/jpeg;base64," + half).loadImage() == nil)
    }
}
