import CTurboJPEG
import FramePattern
import Foundation
import GlassesDomain
import Testing

@testable import GlassesMedia

@Suite struct TurboPictureCoderTests {
    private let coder = TurboPictureCoder(timeZone: TimeZone(secondsFromGMT: 7_200)!)

    @Test(
        arguments: [CameraPixelFormat.i420, .nv12, .yuyv],
        [(2, 2), (64, 48), (65, 48), (64, 49), (63, 47)] as [(Int, Int)])
    func planesOfAnyFormatSizeAndStrideKeepTheirPixels(format: CameraPixelFormat, size: (Int, Int)) throws {
        for gap in [0, 13] {
            let frame = Frames.striped(format, width: size.0, height: size.1, gap: gap)
            let packed = try coder.packedI420(frame)
            let (width, height) = (size.0 & ~1, size.1 & ~1)
            #expect(packed.format == .i420 && packed.width == width && packed.height == height)
            #expect(packed.bytes.count == width * height * 3 / 2)
            let luma = (0..<height).flatMap { row in (0..<width).map { Frames.luma($0, row) } }
            let blue = (0..<(height / 2)).flatMap { row in (0..<(width / 2)).map { Frames.blue($0, row) } }
            let red = (0..<(height / 2)).flatMap { row in (0..<(width / 2)).map { Frames.red($0, row) } }
            #expect(packed.bytes == luma + blue + red)
        }
    }

    @Test func aPackedFrameKeepsItsTimeNumberAndRotation() throws {
        var frame = Frames.i420(rotation: 90, at: .seconds(3))
        frame.number = 42
        #expect(try coder.packedI420(frame) == frame)
    }

    @Test(arguments: [CameraPixelFormat.i420, .nv12, .yuyv], [(64, 48), (63, 47)] as [(Int, Int)])
    func aFrameBecomesAJPEGFileOfItsSize(format: CameraPixelFormat, size: (Int, Int)) throws {
        let frame = Frames.striped(format, width: size.0, height: size.1, gap: 3)
        let picture = try coder.jpeg(frame, quality: 90, takenAt: nil)
        #expect(picture.width == size.0 && picture.height == size.1)
        let facts = try coder.facts(of: picture.file)
        #expect(facts == PictureFacts(mimeType: "image/jpeg", width: size.0, height: size.1, rotation: 0))
    }

    @Test func videoBlackAndWhiteBecomeThoseOfJPEGAndBack() throws {
        let bytes = [UInt8](repeating: 16, count: 32) + [UInt8](repeating: 235, count: 32)
        let planes = [
            CameraPlane(offset: 0, stride: 8), CameraPlane(offset: 64, stride: 4), CameraPlane(offset: 80, stride: 4),
        ]
        let frame = Frames.frame(bytes + [UInt8](repeating: 128, count: 32), .i420, 8, 8, planes)
        let file = try coder.jpeg(frame, quality: 100, takenAt: nil).file
        let pixels = try JPEGFiles.pixels(of: file)
        #expect(pixels.first!.allSatisfy { $0 <= 2 } && pixels.last!.allSatisfy { $0 >= 253 })
        let again = try coder.packedI420(Frames.frame([UInt8](file), .jpeg, 8, 8, []))
        #expect(zip(again.bytes, frame.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test(arguments: [30, 60, 90])
    func theNumberOfAFrameSurvivesItsCoding(quality: Int) throws {
        let frame = Frames.i420(123_456, width: 360, height: 640)
        let file = try coder.jpeg(frame, quality: quality, takenAt: nil).file
        let back = try coder.packedI420(Frames.frame([UInt8](file), .jpeg, 360, 640, []))
        #expect(FrameNumberPattern.read(luma: back.bytes, width: 360, height: 640, stride: 360) == 123_456)
    }

    @Test func aJPEGFrameIsKeptByteForByte() throws {
        let file = try JPEGFiles.gradient()
        let picture = try coder.jpeg(Frames.frame([UInt8](file), .jpeg, 64, 48, []), quality: 1, takenAt: nil)
        #expect(picture == EncodedPicture(file: file, width: 64, height: 48))
    }

    @Test func aJPEGFrameWithoutTablesGetsTheStandardOnes() throws {
        let file = [UInt8](try JPEGFiles.gradient(subsampling: TJSAMP_422))
        let segments = try #require(JPEGSegments.all(of: ByteReader(file)))
        var bare = file
        for segment in segments.reversed() where segment.marker == 0xC4 { bare.removeSubrange(segment.range) }
        #expect(bare.count < file.count - 400)
        let picture = try coder.jpeg(Frames.frame(bare, .jpeg, 64, 48, []), quality: 90, takenAt: nil)
        let completed = try #require(JPEGSegments.all(of: ByteReader([UInt8](picture.file))))
        #expect(completed.contains { $0.marker == 0xC4 })
        // By the file's own tables now: each of the four is needed for these pixels.
        #expect(try JPEGFiles.pixels(of: picture.file) == JPEGFiles.pixels(of: Data(file)))
    }

    @Test func aJPEGFrameOfAnotherSizeThanItSaysTellsTheTrueOne() throws {
        let file = try JPEGFiles.gradient(width: 80, height: 60)
        let picture = try coder.jpeg(Frames.frame([UInt8](file), .jpeg, 64, 48, []), quality: 1, takenAt: nil)
        #expect(picture.width == 80 && picture.height == 60)
    }

    @Test(arguments: [false, true], [0.02, 0.3, 0.5, 0.9, 0.999])
    func aJPEGFrameThatEndsTooEarlyIsRefused(isProgressive: Bool, part: Double) throws {
        let file = try JPEGFiles.gradient(width: 320, height: 240, isProgressive: isProgressive)
        let half = [UInt8](file.prefix(Int(Double(file.count) * part)))
        #expect(throws: MediaError.self) {
            try coder.jpeg(Frames.frame(half, .jpeg, 320, 240, []), quality: 90, takenAt: nil)
        }
    }

    @Test func aJPEGFrameWithHalfItsScanIsRefused() throws {
        let file = [UInt8](try JPEGFiles.gradient(width: 320, height: 240))
        let half = Array(file[..<(file.count / 2)]) + [0xFF, 0xD9]
        #expect(throws: MediaError.self) {
            try coder.jpeg(Frames.frame(half, .jpeg, 320, 240, []), quality: 90, takenAt: nil)
        }
    }

    @Test func bytesThatACameraFillsItsFramesUpWithAreTaken() throws {
        let file = [UInt8](try JPEGFiles.gradient())
        let filled = [file + [UInt8](repeating: 0, count: 100), file.dropLast(2) + [0, 0, 0, 0, 0xFF, 0xD9]]
        for bytes in filled {
            let picture = try coder.jpeg(Frames.frame(bytes, .jpeg, 64, 48, []), quality: 90, takenAt: nil)
            #expect(picture.width == 64)
        }
    }

    @Test(arguments: [[], [0xFF], [0xFF, 0xD8], Array("not a picture at all".utf8)] as [[UInt8]])
    func whatIsNoJPEGIsRefused(bytes: [UInt8]) {
        #expect(throws: MediaError.self) {
            try coder.jpeg(Frames.frame(bytes, .jpeg, 64, 48, []), quality: 90, takenAt: nil)
        }
        #expect(throws: MediaError.self) { try coder.packedI420(Frames.frame(bytes, .jpeg, 64, 48, [])) }
        #expect(throws: MediaError.self) { try coder.decoded(Data(bytes)) }
        #expect(throws: MediaError.self) { try coder.scaled(Data(bytes), longestSide: 10, quality: 90) }
        #expect(throws: MediaError.self) { try coder.stamped(Data(bytes), rotation: 90, takenAt: nil) }
    }

    @Test(
        arguments: [
            (0, 4, []), (-4, 4, []), (4, 0, []), (1, 1, []), (65_536, 2, []), (.max, .max, []),
            (100_000_000, 100_000_000, []),
            (4, 4, [(0, 4)]), (4, 4, [(0, 3), (16, 2), (20, 2)]), (4, 4, [(-1, 4), (16, 2), (20, 2)]),
            (4, 4, [(0, 4), (16, 2), (21, 2)]), (4, 4, [(0, .max), (16, 2), (20, 2)]),
            (4, 4, [(.max, 4), (16, 2), (20, 2)]),
        ] as [(Int, Int, [(Int, Int)])])
    func aFrameThatDoesNotFitIntoItsBytesIsRefused(width: Int, height: Int, planes: [(Int, Int)]) {
        let planes = planes.map { CameraPlane(offset: $0.0, stride: $0.1) }
        let frame = Frames.frame([UInt8](repeating: 0, count: 24), .i420, width, height, planes)
        #expect(throws: MediaError.self) { try coder.jpeg(frame, quality: 90, takenAt: nil) }
        #expect(throws: MediaError.self) { try coder.packedI420(frame) }
    }

    @Test func aPictureWithTooManyPixelsIsRefused() throws {
        let small = TurboPictureCoder(maximumPixels: 64 * 48 - 1)
        let file = try JPEGFiles.gradient()
        let refusal = MediaError.unsupportedSize(width: 64, height: 48)
        #expect(throws: refusal) { try small.decoded(file) }
        #expect(throws: refusal) { try small.scaled(file, longestSide: 10, quality: 90) }
        #expect(throws: refusal) {
            try small.jpeg(Frames.frame([UInt8](file), .jpeg, 64, 48, []), quality: 9, takenAt: nil)
        }
        #expect(throws: MediaError.unsupportedSize(width: 64, height: 64)) {
            try small.jpeg(Frames.i420(width: 64, height: 64), quality: 90, takenAt: nil)
        }
    }

    @Test func theQualityDecidesTheSizeAndIsBroughtIntoItsRange() throws {
        let sizes = try [-5, 1, 50, 100, 1_000].map {
            try coder.jpeg(Frames.striped(.i420, width: 64, height: 64, gap: 0), quality: $0, takenAt: nil).file.count
        }
        #expect(sizes[0] == sizes[1] && sizes[1] < sizes[2] && sizes[2] < sizes[3] && sizes[3] == sizes[4])
    }
}
