import Testing

@testable import SystemDeviceCamera

@Suite("What is read of a JPEG file")
struct JPEGFileTests {
    private static func read<R>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> R) -> R {
        bytes.withUnsafeBytes(body)
    }

    @Test("Size and end are those of the picture, not of the preview in it, nor of marks among its pixels")
    func findsSizeAndEnd() {
        let file = TestPicture.skeleton(width: 640, height: 480)
        let more = file + TestPicture.skeleton(width: 8, height: 8)
        #expect(Self.read(more) { JPEGFile.length($0) } == file.count)
        let size = Self.read(more) { JPEGFile.size($0) }
        #expect(size?.width == 640)
        #expect(size?.height == 480)
        #expect(Self.read(file + [0, 0, 0]) { JPEGFile.wholeLength($0) } == file.count)
    }

    @Test("A real file has the size that it was made with")
    func readsRealFiles() throws {
        let file = try TestPicture.jpeg(9, width: 200, height: 120)
        #expect(Self.read(file) { JPEGFile.length($0) } == file.count)
        let size = Self.read(file) { JPEGFile.size($0) }
        #expect(size?.width == 200)
        #expect(size?.height == 120)
    }

    @Test("No beginning of a file is a whole one, and none traps")
    func survivesEveryCut() throws {
        let file = try TestPicture.jpeg(1)
        for length in 0..<file.count {
            let part = Array(file.prefix(length))
            #expect(Self.read(part) { JPEGFile.length($0) } == nil)
            #expect(Self.read(part) { JPEGFile.wholeLength($0) } == nil)
            _ = Self.read(part) { JPEGFile.size($0) }
        }
    }

    @Test("No changed byte traps, or makes the file longer than it is")
    func survivesEveryByte() {
        let file = TestPicture.skeleton(width: 640, height: 480)
        for index in file.indices {
            for value in [0, 0x7F, 0xD8, 0xD9, 0xDA, 0xFF] as [UInt8] {
                var changed = file
                changed[index] = value
                let length = Self.read(changed) { JPEGFile.length($0) } ?? 0
                #expect(length <= changed.count)
                _ = Self.read(changed) { JPEGFile.size($0) }
            }
        }
    }
}
