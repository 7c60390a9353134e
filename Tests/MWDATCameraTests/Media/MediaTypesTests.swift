import Foundation
import Testing

@testable import MWDATCamera

@Suite struct MediaTypesTests {
    @Test func timesAreComparedAsFractions() {
        let half = CMTime(value: 1, timescale: 2)
        #expect(half == CMTime(value: 300, timescale: 600))
        #expect(half.hashValue == CMTime(value: 300, timescale: 600).hashValue)
        #expect(half < CMTime(value: 501, timescale: 1000))
        #expect(CMTime(value: .max, timescale: 1) > CMTime(value: .max, timescale: .max))
        #expect(CMTime(value: -1, timescale: 3) < .zero)
        #expect(half.seconds == 0.5 && CMTimeGetSeconds(half) == 0.5)
    }

    @Test func aTimeThatIsNotValidComesAfterAllOthersAndEqualsItself() {
        #expect(CMTime.invalid == CMTime(value: 7, timescale: 0))
        #expect(CMTime.zero < .invalid)
        #expect(!(CMTime.invalid < .zero))
        #expect(CMTime.invalid.seconds.isNaN && !CMTime.invalid.isValid)
    }

    @Test func aPictureLendsItsPlanes() throws {
        let bytes = Data(repeating: 1, count: 15) + Data(repeating: 2, count: 6) + Data(repeating: 3, count: 6)
        let picture = try #require(CVPixelBuffer(width: 5, height: 3, bytes: bytes))
        #expect(CVPixelBufferGetPlaneCount(picture) == 3)
        for (plane, width, height) in [(0, 5, 3), (1, 3, 2), (2, 3, 2)] {
            #expect(CVPixelBufferGetWidthOfPlane(picture, plane) == width)
            #expect(CVPixelBufferGetBytesPerRowOfPlane(picture, plane) == width)
            #expect(CVPixelBufferGetHeightOfPlane(picture, plane) == height)
            let shades = picture.withPlane(plane) { Array($0) }
            #expect(shades == [UInt8](repeating: UInt8(plane + 1), count: width * height))
        }
        #expect(picture.withPlane(3) { $0.count } == nil)
        #expect(CVPixelBufferGetWidthOfPlane(picture, -1) == 0)
    }

    @Test(
        "Bytes that are not those of the size make no picture",
        arguments: [
            (5, 3, 26), (0, 0, 0), (-2, 2, 6), (16_385, 2, 16_385 * 3 + 1), (Int.max, Int.max, 6),
        ])
    func misfit(width: Int, height: Int, count: Int) {
        #expect(CVPixelBuffer(width: width, height: height, bytes: Data(count: count)) == nil)
    }

    @Test func aRecordTellsItsParameterSets() throws {
        let configuration = try #require(HEVCConfiguration(.hevcRecord))
        #expect(configuration.lengthSize == 4)
        #expect(configuration.parameterSets == [Data([0x40, 1]), Data([0x42, 1, 1]), Data([0x44, 1])])
    }

    @Test func aDamagedRecordTellsNothing() {
        for length in 0..<Data.hevcRecord.count { #expect(HEVCConfiguration(.hevcRecord.prefix(length)) == nil) }
        for (offset, byte) in [(0, UInt8(2)), (21, 0xFE), (22, 0)] {
            var record = Data.hevcRecord
            record[offset] = byte
            #expect(HEVCConfiguration(record) == nil)
        }
    }
}
