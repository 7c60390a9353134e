import CTurboJPEG
import FramePattern
import Testing

/// JPEG files for tests.
enum TestPicture {
    /// A real one that shows `number`.
    static func jpeg(_ number: UInt32, width: Int = 128, height: Int = 96) throws -> [UInt8] {
        let picture = FrameNumberPattern.picture(number: number, flash: false, width: width, height: height)
        let coder = try #require(tjInitCompress())
        defer { tjDestroy(coder) }
        var (file, length): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        let result = tjCompressFromYUV(
            coder, picture, Int32(width), 1, Int32(height), Int32(TJSAMP_420.rawValue), &file, &length, 90, 0)
        defer { tjFree(file) }
        #expect(result == 0)
        return Array(UnsafeBufferPointer(start: file, count: Int(length)))
    }

    /// The skeleton of one: a preview inside, marks among the coded pixels, and the size.
    static func skeleton(width: Int, height: Int, preview: Bool = true, fill: UInt8 = 7) -> [UInt8] {
        let small: [UInt8] = preview ? skeleton(width: 8, height: 8, preview: false) : []
        return [0xFF, 0xD8] + segment(0xE1, small)
            + segment(
                0xC0,
                [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0])
            + [fill, 0xFF, 0x00, fill, 0xFF, 0xD0, fill, 0xFF, 0xD9]
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }
}
