import Testing

@testable import MetaDATDevice

@Suite("Pictures of the glasses")
struct PictureTests {
    @Test("A smaller picture fills the stream's size, each pixel from the nearest one")
    func scales() {
        let (small, large) = (I420Size(width: 2, height: 2), I420Size(width: 4, height: 4))
        let source: [UInt8] = [1, 2, 3, 4, 50, 60]
        var target = [UInt8](repeating: 0, count: large.bytes)
        source.withUnsafeBytes { source in
            target.withUnsafeMutableBytes { I420Scaling.copy(source, small, to: $0, large) }
        }
        #expect(target == [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4, 50, 50, 50, 50, 60, 60, 60, 60])
    }

    @Test("A picture of the stream's size is copied as it is")
    func copies() {
        let size = I420Size(width: 2, height: 2)
        let source: [UInt8] = [1, 2, 3, 4, 5, 6]
        var target = [UInt8](repeating: 9, count: 8)
        source.withUnsafeBytes { source in
            target.withUnsafeMutableBytes { I420Scaling.copy(source, size, to: $0, size) }
        }
        #expect(target == source + [9, 9])
    }

    static let headers: [(bytes: [UInt8], size: [Int]?)] = [
        ([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x05, 0xA0, 0x04, 0x38, 1, 0], [1_080, 1_440]),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 7, 7, 0xFF, 0xC2, 0, 11, 8, 0, 2, 0, 3, 1, 0], [3, 2]),
        // A table is no frame.
        ([0xFF, 0xD8, 0xFF, 0xC4, 0, 4, 7, 7, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 0], [3, 2]),
        ([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 3, 1, 0], nil),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 7, 7, 0xFF, 0xC0, 0, 11, 8], nil),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 7, 7, 7, 7, 7, 7, 7], nil), ([0xFF, 0xD8], nil), ([], nil),
    ]

    @Test("A photo's size is read from its first frame header, whatever stands before it", arguments: headers)
    func readsSizes(_ header: (bytes: [UInt8], size: [Int]?)) {
        let size = header.bytes.withUnsafeBytes(JPEGHeader.size)
        #expect(size.map { [$0.width, $0.height] } == header.size)
    }
}
