import Foundation
import GlassesDomain
import Testing

@testable import GlassesMedia

@Suite struct PictureFactsTests {
    private static let turned = TIFFBlock.bytes([TIFFEntry(tag: 0x0112, short: 6)], exif: [])

    @Test(arguments: [
        (
            HeaderFiles.png(width: 3, height: 70_000),
            PictureFacts(mimeType: "image/png", width: 3, height: 70_000, rotation: 0)
        ),
        (
            HeaderFiles.png(width: 30, height: 20, exif: turned),
            PictureFacts(mimeType: "image/png", width: 30, height: 20, rotation: 90)
        ),
        (
            HeaderFiles.webP("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x40]),
            PictureFacts(mimeType: "image/webp", width: 320, height: 240, rotation: 0)
        ),
        (
            HeaderFiles.webP("VP8L", [0x2F] + HeaderFiles.little(319 | 239 << 14, 4)),
            PictureFacts(mimeType: "image/webp", width: 320, height: 240, rotation: 0)
        ),
        (
            HeaderFiles.webP(
                "VP8X", [8, 0, 0, 0] + HeaderFiles.little(319, 3) + HeaderFiles.little(239, 3),
                then: Array("ICCP".utf8) + [1, 0, 0, 0, 9, 0] + Array("EXIF".utf8)
                    + HeaderFiles.little(turned.count, 4) + turned),
            PictureFacts(mimeType: "image/webp", width: 320, height: 240, rotation: 90)
        ),
        (
            HeaderFiles.heic(width: 4_032, height: 3_024),
            PictureFacts(mimeType: "image/heic", width: 4_032, height: 3_024, rotation: 0)
        ),
        (
            HeaderFiles.heic(width: 4_032, height: 3_024, turn: 1),
            PictureFacts(mimeType: "image/heic", width: 4_032, height: 3_024, rotation: 270)
        ),
        (
            HeaderFiles.heic(width: 4_032, height: 3_024, turn: 3),
            PictureFacts(mimeType: "image/heic", width: 4_032, height: 3_024, rotation: 90)
        ),
    ])
    func aHeaderTellsSizeAndRotation(file: [UInt8], facts: PictureFacts) throws {
        #expect(try PictureFacts(of: file) == facts)
    }

    @Test(arguments: [
        HeaderFiles.png(width: 30, height: 20, exif: turned), HeaderFiles.heic(width: 40, height: 30, turn: 1),
        HeaderFiles.webP("VP8L", [0x2F] + HeaderFiles.little(319 | 239 << 14, 4)),
        [0xFF, 0xD8] + EXIFSegment(rotation: 90, takenAt: Date(timeIntervalSince1970: 0), timeZone: .gmt).bytes
            + [0xFF, 0xC0, 0, 11, 8, 0, 20, 0, 30, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2],
    ])
    func aFileThatIsCutOrChangedAnywhereNeverTraps(file: [UInt8]) {
        for length in 0..<file.count { ask(Array(file[..<length])) }
        for position in file.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] {
                var changed = file
                changed[position] = value
                ask(changed)
            }
        }
    }

    /// Either answer will do, but a fact has pixels.
    private func ask(_ file: [UInt8]) {
        do throws(MediaError) {
            let facts = try PictureFacts(of: file)
            #expect(facts.width > 0 && facts.height > 0)
        } catch {
            #expect("\(error)".isEmpty == false)
        }
    }

    @Test func aPictureWithoutPixelsIsRefused() {
        #expect(throws: MediaError.unsupportedSize(width: 0, height: 4)) {
            try PictureFacts(of: HeaderFiles.png(width: 0, height: 4))
        }
    }

    @Test func anotherFileOfHEICsFamilyIsRefused() {
        #expect(throws: MediaError.self) {
            try PictureFacts(of: HeaderFiles.heic(width: 40, height: 30, brand: "avif"))
        }
    }

    @Test(arguments: [1: 0, 2: 0, 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270, 0: 0, 9: 0, 65_535: 0])
    func eachOrientationOfEitherByteOrderIsRead(orientation: Int, rotation: Int) throws {
        let big = TIFFBlock.bytes([TIFFEntry(tag: 0x0112, short: UInt16(orientation))], exif: [])
        let little: [UInt8] =
            [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0] + HeaderFiles.little(orientation, 4)
            + [0, 0, 0, 0]
        for block in [big, little] {
            let facts = try PictureFacts(of: HeaderFiles.png(width: 4, height: 4, exif: block))
            #expect(facts.rotation == rotation)
        }
    }
}
