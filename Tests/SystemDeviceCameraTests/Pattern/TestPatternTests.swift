import CGlassesPlugin
import FramePattern
import Testing

@testable import SystemDeviceCamera

@Suite("The test pattern")
struct TestPatternTests {
    @Test(
        "Every size shows its number, and whether it flashes, to who reads it",
        arguments: PatternSource.sizes.map { [$0.0, $0.1] })
    func isRead(_ size: [Int]) throws {
        let (width, height) = (size[0], size[1])
        let pattern = TestPattern(width: width, height: height)
        var slot = [UInt8](repeating: 0, count: width * height * 3 / 2)
        for (number, flash) in [(0, true), (1, false), (299, true), (UInt64(UInt32.max), false)] as [(UInt64, Bool)] {
            var frame = try #require(slot.withUnsafeMutableBytes { pattern.draw(number, isFlash: flash, into: $0) })
            frame.t_ns = 1
            #expect(glasses_frame_is_valid(&frame, UInt32(slot.count)) == 1)
            let read = FrameNumberPattern.read(luma: slot, width: width, height: height, stride: width)
            #expect(read.map { UInt64($0) } == number)
            #expect(
                FrameNumberPattern.isFlashing(luma: slot, width: width, height: height, stride: width) == flash)
        }
        let small = slot.withUnsafeMutableBytes {
            pattern.draw(0, isFlash: false, into: .init(rebasing: $0.dropLast()))
        }
        #expect(small == nil)
    }

    @Test("Every second has its flash, of 100 ms or of one picture", arguments: [2, 7, 15, 24, 30])
    func flashes(_ rate: Int64) {
        var pacer = Pacer(rate: Int(rate), from: 123_456_789)
        var seconds: Set<Int64> = []
        for _ in 0..<10 * rate {
            if TestPattern.isFlash(at: pacer.due, period: 1_000_000_000 / rate) {
                seconds.insert(pacer.due / 1_000_000_000)
                #expect(pacer.due % 1_000_000_000 < max(100_000_000, 1_000_000_000 / rate))
            }
            pacer.advance(at: pacer.due)
        }
        #expect(seconds.count >= 9)
    }
}
