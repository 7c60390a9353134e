import Foundation
import GlassesDomain
import Testing

@testable import GlassesCore

@Suite struct PictureFileTests {
    private static func refusal(_ path: String, limit: Int = 1_000) -> PictureFileError? {
        do throws(PictureFileError) {
            _ = try PictureFilePort.live.read(path, limit)
            return nil
        } catch { return error }
    }

    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func aFileIsReadWholeUpToTheLimit() throws {
        try Self.inFolder { folder in
            let bytes = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })
            let path = folder + "/a b.jpg"
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(try PictureFilePort.live.read(path, 1_000) == bytes)
            #expect(Self.refusal(path, limit: 999) == .tooLarge)
        }
    }

    @Test(arguments: [
        ("/no/such/file.jpg", PictureFileError.notFound), ("/dev/null/x.jpg", .notFound), ("/tmp", .notAFile),
        ("/dev/zero", .notAFile), ("/dev/tty0", .notAFile), ("/dev/full", .notAFile),
    ]) func whatIsNoFileIsRefusedAtOnce(path: String, error: PictureFileError) {
        let refusal = Self.refusal(path)
        // A terminal may be missing here, or another user's.
        #expect(refusal == error || path == "/dev/tty0" && refusal != nil)
    }

    @Test func aPipeWithoutAWriterIsRefusedInsteadOfWaitedFor() throws {
        try Self.inFolder { folder in
            let path = folder + "/pipe.jpg"
            #expect(mkfifo(path, 0o600) == 0)
            #expect(Self.refusal(path) == .notAFile)
        }
    }

    /// `/proc` tells no sizes: it is read to its end, and no further than the limit.
    @Test func aFileWithoutASizeIsReadToItsEnd() throws {
        #expect(try !PictureFilePort.live.read("/proc/self/status", 100_000).isEmpty)
        #expect(Self.refusal("/proc/self/status", limit: 10) == .tooLarge)
    }
}
