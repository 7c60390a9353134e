import FramePattern
import Testing

@Suite struct FrameNumberPatternTests {
    @Test(arguments: [(64, 64), (360, 640), (504, 896), (720, 1280), (66, 102)] as [(Int, Int)])
    func aNumberThatWasDrawnIsRead(width: Int, height: Int) {
        for number: UInt32 in [0, 1, 299, 65_535, 0x8000_0001, .max] {
            for flash in [false, true] {
                let picture = FrameNumberPattern.picture(number: number, flash: flash, width: width, height: height)
                #expect(FrameNumberPattern.read(luma: picture, width: width, height: height, stride: width) == number)
                #expect(
                    FrameNumberPattern.isFlashing(luma: picture, width: width, height: height, stride: width) == flash)
            }
        }
    }

    @Test(arguments: [UInt8(0), 16, 128, 235, 255])
    func aPictureOfOneShadeHasNoNumber(shade: UInt8) {
        let picture = [UInt8](repeating: shade, count: 64 * 64)
        #expect(FrameNumberPattern.read(luma: picture, width: 64, height: 64, stride: 64) == nil)
    }

    @Test func aBlockThatIsWrongIsNoticed() {
        var picture = FrameNumberPattern.picture(number: 1_234, flash: false, width: 64, height: 80)
        for row in 0..<8 {
            for column in 0..<8 { picture[row * 64 + column] = 235 }
        }
        #expect(FrameNumberPattern.read(luma: picture, width: 64, height: 80, stride: 64) == nil)
    }

    @Test func rowsMayBeFurtherApartThanThePictureIsWide() {
        let picture = FrameNumberPattern.picture(number: 77, flash: true, width: 64, height: 64)
        let padded = (0..<64).flatMap { picture[($0 * 64)..<($0 * 64 + 64)] + [UInt8](repeating: 9, count: 32) }
        #expect(FrameNumberPattern.read(luma: padded, width: 64, height: 64, stride: 96) == 77)
    }
}
