import CTurboJPEG
import Foundation
import Testing

/// JPEG files of every kind that libjpeg writes: a gradient, from red on the left to blue on the right.
enum JPEGFiles {
    static func gradient(
        width: Int = 64, height: Int = 48, subsampling: TJSAMP = TJSAMP_420, isProgressive: Bool = false
    ) throws -> Data {
        let coder = try #require(tjInitCompress())
        defer { tjDestroy(coder) }
        var pixels: [UInt8] = []
        let row = (0..<width).flatMap { column -> [UInt8] in
            let blue = UInt8(column * 255 / width)
            return [255 - blue, 60, blue]
        }
        for _ in 0..<height { pixels += row }
        var file: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let result = tjCompress2(
            coder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &file, &size,
            Int32(subsampling.rawValue), 95, isProgressive ? TJFLAG_PROGRESSIVE : 0)
        defer { tjFree(file) }
        #expect(result == 0)
        return Data(bytes: try #require(file), count: Int(size))
    }

    /// Red, green and blue of a file's pixels.
    static func pixels(of file: Data) throws -> [[UInt8]] {
        let coder = try #require(tjInitDecompress())
        defer { tjDestroy(coder) }
        var (width, height, subsampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let bytes = [UInt8](file)
        #expect(
            tjDecompressHeader3(coder, bytes, UInt(bytes.count), &width, &height, &subsampling, &colours) == 0)
        var pixels = [UInt8](repeating: 0, count: Int(width * height) * 3)
        let result = tjDecompress2(
            coder, bytes, UInt(bytes.count), &pixels, width, 0, height, Int32(TJPF_RGB.rawValue), 0)
        #expect(result == 0)
        return stride(from: 0, to: pixels.count, by: 3).map { Array(pixels[$0..<($0 + 3)]) }
    }
}
