import Foundation
import MWDATImage
import Testing

@Suite struct UIImageTests {
    /// A colour in R, G and B, and the same in BT.601's Y, U and V of video's range.
    struct Colour: Sendable {
        var rgb: [Int]
        var yuv: [UInt8]
    }

    static let colours = [
        Colour(rgb: [0, 0, 0], yuv: [16, 128, 128]), Colour(rgb: [255, 255, 255], yuv: [235, 128, 128]),
        Colour(rgb: [255, 0, 0], yuv: [81, 90, 240]), Colour(rgb: [0, 255, 0], yuv: [145, 54, 34]),
        Colour(rgb: [0, 0, 255], yuv: [41, 240, 110]), Colour(rgb: [128, 128, 128], yuv: [126, 128, 128]),
    ]

    @Test("A camera's colours become the same colours of pixels", arguments: colours)
    func planes(_ colour: Colour) throws {
        let image = try camera(colour, width: 36, height: 64)
        #expect(image.size == CGSize(width: 36, height: 64))
        #expect(distance(image, to: colour.rgb) <= 3)
        #expect(image.rgba[3] == 255)
    }

    @Test("A camera's picture survives the way through a JPEG file", arguments: colours)
    func jpeg(_ colour: Colour) throws {
        let file = try #require(try camera(colour, width: 37, height: 65).jpegData(compressionQuality: 0.9))
        #expect(file.prefix(2) == Data([0xFF, 0xD8]))
        let image = try UIImage(decoding: file)
        #expect(image.width == 37 && image.height == 65)
        #expect(distance(image, to: colour.rgb) <= 4)
    }

    @Test func aPNGFileHoldsEveryPixelExactly() throws {
        let bytes = (0..<4 * 7 * 5).map { UInt8(($0 * 37) % 256) }
        let image = try #require(UIImage(width: 7, height: 5, rgba: bytes))
        let file = try #require(image.pngData())
        let again = try UIImage(decoding: file)
        #expect(again.width == 7 && again.height == 5)
        #expect(again.rgba == bytes)
    }

    @Test func aBetterQualityMakesALargerFile() throws {
        let image = try #require(UIImage(width: 64, height: 64, rgba: noise))
        let small = try #require(image.jpegData(compressionQuality: 0))
        let large = try #require(image.jpegData(compressionQuality: 1))
        #expect(small.count < large.count)
        #expect(image.jpegData(compressionQuality: -3) == small)
        #expect(image.jpegData(compressionQuality: 7) == large)
        #expect(image.jpegData(compressionQuality: .nan) == large)
    }

    @Test(
        "Bytes that are no picture are refused",
        arguments: [
            Data(), Data([0xFF, 0xD8]), Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), Data("a text".utf8),
            Data(repeating: 0, count: 1000),
        ])
    func garbage(_ bytes: Data) {
        #expect(throws: DecoderError.invalidFormat) { try UIImage(decoding: bytes) }
        #expect(UIImage(data: bytes) == nil)
    }

    @Test func halfAFileIsDamaged() throws {
        let image = try #require(UIImage(width: 64, height: 64, rgba: noise))
        for file in [image.jpegData(compressionQuality: 0.9), image.pngData()] {
            let file = try #require(file)
            let half = Data(file.prefix(file.count / 2))
            let error = #expect(throws: DecoderError.self) { _ = try UIImage(decoding: half) }
            guard case .decodingFailed = error else {
                Issue.record("half a file gave \(String(describing: error))")
                continue
            }
        }
    }

    @Test func aHeaderThatClaimsAHugePictureIsRefused() throws {
        let image = try #require(UIImage(width: 1, height: 1, rgba: [1, 2, 3, 255]))
        var png = try #require(image.pngData())
        // The header's width and height, with a checksum that fits them.
        png.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
        png.replaceSubrange(29..<33, with: checksum(of: png[12..<29]))
        #expect(throws: DecoderError.invalidFormat) { _ = try UIImage(decoding: png) }
    }

    @Test(
        "Pixels that do not fit the size make no picture",
        arguments: [
            (0, 1, 0), (1, 0, 0), (-1, -1, 4), (2, 2, 15), (Int.max, 2, 0), (8001, 8000, 0),
        ])
    func misfit(width: Int, height: Int, count: Int) {
        #expect(UIImage(width: width, height: height, rgba: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func planesThatDoNotFitTheSizeMakeNoPicture() {
        let bytes = [UInt8](repeating: 0, count: 100)
        #expect(throws: DecoderError.invalidFormat) {
            _ = try bytes.withUnsafeBytes { planes in try UIImage(width: 36, height: 64, i420: planes) }
        }
    }

    @Test("A JPEG file is turned as its EXIF asks", arguments: [(1, 0), (3, 2), (6, 1), (8, 3)])
    func orientation(number: Int, quarters: Int) throws {
        // The left third is red, the rest is blue.
        let (red, blue): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 0, 255, 255])
        let row = [[UInt8]](repeating: red, count: 16) + [[UInt8]](repeating: blue, count: 32)
        let pixels = [[UInt8]](repeating: row.flatMap(\.self), count: 32).flatMap(\.self)
        let image = try #require(UIImage(width: 48, height: 32, rgba: pixels))
        let file = try #require(image.jpegData(compressionQuality: 1))
        let turned = try UIImage(decoding: withOrientation(number, file))
        #expect(turned.width == (quarters % 2 == 0 ? 48 : 32))
        let (right, bottom) = (turned.width - 4, turned.height - 4)
        let (column, line) = [(4, 4), (right, 4), (right, bottom), (4, bottom)][quarters]
        let pixel = 4 * (line * turned.width + column)
        #expect(turned.rgba[pixel] > 200 && turned.rgba[pixel + 2] < 60)
    }

    /// 64 × 64 pixels that no coder makes small.
    private var noise: [UInt8] {
        var state: UInt32 = 1
        return (0..<4 * 64 * 64).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    private func camera(_ colour: Colour, width: Int, height: Int) throws -> UIImage {
        let chroma = ((width + 1) / 2) * ((height + 1) / 2)
        let bytes =
            [UInt8](repeating: colour.yuv[0], count: width * height)
            + [UInt8](repeating: colour.yuv[1], count: chroma) + [UInt8](repeating: colour.yuv[2], count: chroma)
        return try bytes.withUnsafeBytes { planes in try UIImage(width: width, height: height, i420: planes) }
    }

    /// The largest difference of a channel in the middle of the picture.
    private func distance(_ image: UIImage, to rgb: [Int]) -> Int {
        let pixel = 4 * (image.height / 2 * image.width + image.width / 2)
        return (0..<3).map { abs(Int(image.rgba[pixel + $0]) - rgb[$0]) }.max() ?? .max
    }

    private func withOrientation(_ number: Int, _ file: Data) -> Data {
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(number), 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + directory
        let segment = Data([0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload)
        return file.prefix(2) + segment + file.dropFirst(2)
    }

    /// PNG's CRC-32.
    private func checksum(of bytes: Data) -> [UInt8] {
        let crc = bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: ~crc >> (24 - 8 * $0)) }
    }
}
