import Foundation
import GlassesDomain
import Testing

@testable import GlassesMedia

@Suite struct EXIFSegmentTests {
    @Test(arguments: [0: 1, 90: 6, 180: 3, 270: 8])
    func withoutATimeThereIsTheOrientationAlone(rotation: Int, orientation: UInt8) {
        let segment = EXIFSegment(rotation: rotation, takenAt: nil, timeZone: .gmt)
        let expected: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8]
            + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0, 0, 0, 0]
        #expect(segment.bytes == expected)
    }

    @Test func theTimeStandsInEXIFsOwnDirectory() {
        let zone = TimeZone(secondsFromGMT: 7_200)!
        let segment = EXIFSegment(rotation: 0, takenAt: Date(timeIntervalSince1970: 1_796_056_088.25), timeZone: zone)
        func entry(_ tag: [UInt8], _ type: UInt8, _ count: UInt8, _ value: [UInt8]) -> [UInt8] {
            tag + [0, type, 0, 0, 0, count] + value
        }
        let time = Array("2026:11:30 18:28:08\0".utf8)
        let expected: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
            + [0, 3] + entry([0x01, 0x12], 3, 1, [0, 1, 0, 0]) + entry([0x01, 0x32], 2, 20, [0, 0, 0, 50])
            + entry([0x87, 0x69], 4, 1, [0, 0, 0, 70]) + [0, 0, 0, 0] + time
            + [0, 5] + entry([0x90, 0x00], 7, 4, Array("0232".utf8)) + entry([0x90, 0x03], 2, 20, [0, 0, 0, 136])
            + entry([0x90, 0x10], 2, 7, [0, 0, 0, 156]) + entry([0x90, 0x11], 2, 7, [0, 0, 0, 164])
            + entry([0x92, 0x91], 2, 4, Array("250\0".utf8)) + [0, 0, 0, 0]
            + time + Array("+02:00\0\0".utf8) + Array("+02:00\0\0".utf8)
        #expect(Array(segment.bytes.dropFirst(10)) == expected)
        #expect(Int(segment.bytes[2]) << 8 | Int(segment.bytes[3]) == segment.bytes.count - 2)
    }

    @Test(
        arguments: [
            (0, 0, "1970:01:01 00:00:00", "+00:00", "000"), (0, -12_600, "1969:12:31 20:30:00", "-03:30", "000"),
            (-0.001, 0, "1969:12:31 23:59:59", "+00:00", "999"),
            (253_402_128_000, 0, "9999:12:30 00:00:00", "+00:00", "000"),
        ] as [(Double, Int, String, String, String)])
    func aMomentIsSpeltInLocalTime(
        seconds: Double, offset: Int, dateTime: String, offsetText: String, milliseconds: String
    ) throws {
        let time = try #require(
            EXIFTime(Date(timeIntervalSince1970: seconds), in: TimeZone(secondsFromGMT: offset)!))
        #expect(time.dateTime == dateTime && time.offset == offsetText && time.milliseconds == milliseconds)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e15, -1e15])
    func aMomentThatCannotBeSpeltIsLeftOut(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(
            EXIFSegment(rotation: 90, takenAt: date, timeZone: .gmt)
                == EXIFSegment(rotation: 90, takenAt: nil, timeZone: .gmt))
    }

    @Test func aStampedFileKeepsItsPixelsAndHasOneEXIFSegment() throws {
        let coder = TurboPictureCoder(timeZone: .gmt)
        let file = try JPEGFiles.gradient()
        let once = try coder.stamped(file, rotation: 90, takenAt: Date(timeIntervalSince1970: 0))
        let twice = try coder.stamped(once, rotation: 180, takenAt: nil)
        #expect(once.count > file.count && twice.count < once.count)
        #expect(try coder.facts(of: once).rotation == 90)
        #expect(try coder.facts(of: twice).rotation == 180)
        #expect(try JPEGFiles.pixels(of: twice) == JPEGFiles.pixels(of: file))
        // JFIF stays first.
        #expect(twice.prefix(20) == file.prefix(20))
    }

    @Test func withoutATurnTheFilesOwnOrientationStays() throws {
        let coder = TurboPictureCoder(timeZone: .gmt)
        let turned = try coder.stamped(JPEGFiles.gradient(), rotation: 270, takenAt: nil)
        let stamped = try coder.stamped(turned, rotation: 0, takenAt: Date(timeIntervalSince1970: 0))
        #expect(stamped != turned)
        #expect(try coder.facts(of: stamped).rotation == 270)
        #expect(try coder.stamped(turned, rotation: 0, takenAt: nil) == turned)
    }
}
