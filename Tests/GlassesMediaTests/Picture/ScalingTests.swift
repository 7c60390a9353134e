import CTurboJPEG
import Foundation
import GlassesDomain
import Testing

@testable import GlassesMedia

@Suite struct ScalingTests {
    private let coder = TurboPictureCoder()

    @Test(arguments: [
        (640, 480, 320, 320, 240), (641, 480, 320, 320, 240), (480, 640, 100, 75, 100), (64, 48, 64, 64, 48),
        (64, 48, 1_000, 64, 48), (1_000, 3, 100, 100, 1), (1_000, 1_000, 1, 1, 1), (333, 777, 331, 142, 331),
    ])
    func theLongestSideIsAtMostWhatIsAsked(width: Int, height: Int, side: Int, newWidth: Int, newHeight: Int) throws {
        let file = try JPEGFiles.gradient(width: width, height: height)
        let picture = try coder.scaled(file, longestSide: side, quality: 90)
        #expect(picture.width == newWidth && picture.height == newHeight)
        let facts = try coder.facts(of: picture.file)
        #expect(facts.width == newWidth && facts.height == newHeight && facts.rotation == 0)
    }

    @Test(arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_GRAY, TJSAMP_440, TJSAMP_411])
    func coloursStayWhereTheyWereWhateverTheSubsampling(subsampling: TJSAMP) throws {
        let file = try JPEGFiles.gradient(width: 320, height: 240, subsampling: subsampling)
        let picture = try coder.scaled(file, longestSide: 80, quality: 95)
        let expected = try JPEGFiles.pixels(of: JPEGFiles.gradient(width: 80, height: 60, subsampling: subsampling))
        let pixels = try JPEGFiles.pixels(of: picture.file)
        #expect(pixels.count == expected.count)
        let errors = zip(pixels, expected).map { pair in
            zip(pair.0, pair.1).map { abs(Int($0) - Int($1)) }.max() ?? 0
        }
        #expect(errors.max()! <= 24)
        #expect(errors.reduce(0, +) / errors.count <= 5)
    }

    @Test(arguments: [0, 90, 180, 270])
    func aPictureIsMadeUpright(rotation: Int) throws {
        let file = try coder.stamped(JPEGFiles.gradient(width: 64, height: 48), rotation: rotation, takenAt: nil)
        #expect(try coder.facts(of: file).rotation == rotation)
        let upright = try coder.scaled(file, longestSide: 64, quality: 95)
        let isTurned = rotation % 180 == 90
        #expect(upright.width == (isTurned ? 48 : 64) && upright.height == (isTurned ? 64 : 48))
        #expect(try coder.facts(of: upright.file).rotation == 0)
        let image = try coder.decoded(file)
        #expect(image.width == upright.width && image.height == upright.height)
        let pixels = try JPEGFiles.pixels(of: upright.file)
        // Red is on the left of the stored picture: turned by a quarter it is at the top, and so on.
        let (width, height) = (upright.width, upright.height)
        let red = [0: (0, height / 2), 90: (width / 2, 0), 180: (width - 1, height / 2), 270: (width / 2, height - 1)]
        let (column, row) = try #require(red[rotation])
        for pixel in [pixels[row * width + column], Array(image.rgba[((row * width + column) * 4)...].prefix(3))] {
            #expect(pixel[0] > 200 && pixel[2] < 60, "\(pixel)")
        }
    }

    @Test func aDecodedPictureHasTheFilesPixels() throws {
        let file = try JPEGFiles.gradient()
        let image = try coder.decoded(file)
        let expected = try JPEGFiles.pixels(of: file).flatMap { (pixel: [UInt8]) -> [UInt8] in pixel + [255] }
        #expect(Array(image.rgba) == expected)
    }

    @Test func aTwelveMegapixelPhotoIsScaledToWhatAModelUses() throws {
        let file = try JPEGFiles.gradient(width: 4_000, height: 3_000)
        let picture = try coder.scaled(file, longestSide: 768, quality: 80)
        #expect(picture.width == 768 && picture.height == 576)
    }

    @Test func aHeaderThatTwoReadersUnderstandDifferentlyIsHarmless() throws {
        // libjpeg skips FF 00 between segments; who takes it for a segment finds the frame header in it, with another size.
        let file = [UInt8](try JPEGFiles.gradient(width: 16, height: 8))
        let turn = EXIFSegment(rotation: 90, takenAt: nil, timeZone: .gmt).bytes
        let other: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0x40, 0, 0x40, 0, 1, 1, 0x11, 0]
        let crafted = Data(file[..<2] + turn + [0xFF, 0x00, 0, 2] + other + file[2...])
        do throws(MediaError) {
            let image = try coder.decoded(crafted)
            #expect(image.width * image.height == 128)
            let picture = try coder.scaled(crafted, longestSide: 4, quality: 80)
            #expect(max(picture.width, picture.height) == 4)
        } catch {
            #expect("\(error)".contains("JPEG") || "\(error)".contains("SOF"))
        }
    }

    @Test(arguments: [0, -1])
    func aSideWithoutPixelsIsRefused(side: Int) throws {
        let file = try JPEGFiles.gradient()
        #expect(throws: MediaError.self) { try coder.scaled(file, longestSide: side, quality: 80) }
    }

    @Test func anotherFormatIsRefused() {
        let file = Data(HeaderFiles.png(width: 4, height: 4))
        #expect(throws: MediaError.undecodable(reason: "image/png is not JPEG")) {
            try coder.scaled(file, longestSide: 2, quality: 80)
        }
    }
}
