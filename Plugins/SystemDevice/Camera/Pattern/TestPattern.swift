import CGlassesPlugin
import Glibc
import SystemDeviceStreams

/// A picture that tells what it is, to programs and to people, and shows the time.
///
/// The upper half holds the number for programs: 40 blocks, 8 columns by 5 rows, black for 0 and white for 1, the highest bit first,
/// 32 bits of the number and 8 of a check. Below, to three quarters of the height, grey bars move to the left by 4 pixels a picture,
/// with the number in digits before them. The last quarter is white for the first 100 ms of each second of the monotonic clock.
struct TestPattern {
    private static let (columns, rows) = (8, 5)
    private static let (white, black, dark): (UInt8, UInt8, UInt8) = (235, 16, 32)
    private static let flashLength = 100 * millisecond

    let width: Int
    let height: Int

    /// Whether a picture of that time is one of the flash; `period` is the time from picture to picture: each second has one.
    static func isFlash(at time: Int64, period: Int64) -> Bool {
        time % (1_000 * millisecond) < max(flashLength, period)
    }

    /// Draws picture `number`; nil when the slot is too small.
    func draw(_ number: UInt64, isFlash: Bool, into slot: UnsafeMutableRawBufferPointer) -> glasses_frame? {
        let luma = width * height
        guard slot.count >= luma * 3 / 2, let base = slot.baseAddress else { return nil }
        drawBlocks(UInt32(truncatingIfNeeded: number), slot)
        fill(height / 2..<height * 3 / 4, slot) { column in
            let bar: Int = (column + 4 * Int(number % 64)) / 16 % 4
            return UInt8(64 + 32 * bar)
        }
        drawDigits(number, slot)
        fill(height * 3 / 4..<height, slot) { _ in isFlash ? Self.white : Self.dark }
        memset(base + luma, Int32(96 + number % 64), luma / 4)
        memset(base + luma * 5 / 4, Int32(160 - number % 64), luma / 4)
        return frame
    }

    private var frame: glasses_frame {
        let luma = width * height
        var frame = glasses_frame()
        frame.format = glasses_pixel_format(GLASSES_PIXELS_I420)
        (frame.width, frame.height, frame.plane_count) = (UInt32(width), UInt32(height), 3)
        frame.bytes = UInt32(luma * 3 / 2)
        frame.setPlane(0, offset: 0, stride: width)
        frame.setPlane(1, offset: luma, stride: width / 2)
        frame.setPlane(2, offset: luma * 5 / 4, stride: width / 2)
        return frame
    }

    private func drawBlocks(_ number: UInt32, _ slot: UnsafeMutableRawBufferPointer) {
        let bits = UInt64(number) << 8 | UInt64(Self.check(of: number))
        for row in 0..<Self.rows {
            fill(row * height / 10..<(row + 1) * height / 10, slot) { column in
                // The block whose columns c·w/8 ..< (c+1)·w/8 hold this one.
                let block: Int = row * Self.columns + ((column + 1) * Self.columns - 1) / width
                let isSet: Bool = bits >> UInt64(Self.rows * Self.columns - 1 - block) & 1 == 1
                return isSet ? Self.white : Self.black
            }
        }
    }

    private static func check(of number: UInt32) -> UInt8 {
        var check: UInt8 = 0xA5
        for shift in [24, 16, 8, 0] {
            check = (check << 1 | check >> 7) &+ UInt8(truncatingIfNeeded: number >> UInt32(shift)) &* 31
        }
        return check
    }

    /// Draws one row and copies it to the others of `band`.
    private func fill(_ band: Range<Int>, _ slot: UnsafeMutableRawBufferPointer, _ level: (Int) -> UInt8) {
        guard let base = slot.baseAddress, let first = band.first else { return }
        for column in 0..<width { slot[first * width + column] = level(column) }
        for row in band.dropFirst() { memcpy(base + row * width, base + first * width, width) }
    }

    // MARK: Digits

    private static let (digits, cellRows, cellColumns) = (8, 5, 3)
    /// Each digit's cells from the upper left one on, the first in the highest bit.
    private static let shapes: [UInt16] = [
        0x7B6F, 0x2C97, 0x73E7, 0x73CF, 0x5BC9, 0x79CF, 0x79EF, 0x7249, 0x7BEF, 0x7BCF,
    ]

    private func drawDigits(_ number: UInt64, _ slot: UnsafeMutableRawBufferPointer) {
        guard let base = slot.baseAddress else { return }
        // A border of one cell on both sides, and one between two digits.
        let cell = width / (Self.digits * (Self.cellColumns + 1) + 1)
        let top = height / 2 + cell
        guard cell > 0, top + Self.cellRows * cell <= height * 3 / 4 else { return }
        var rest = number
        for place in (0..<Self.digits).reversed() {
            let shape = Self.shapes[Int(rest % 10)]
            rest /= 10
            let left = cell + place * (Self.cellColumns + 1) * cell
            for row in 0..<Self.cellRows * cell {
                for column in 0..<Self.cellColumns {
                    let bit = Self.cellRows * Self.cellColumns - 1 - (row / cell * Self.cellColumns + column)
                    let level = shape >> bit & 1 == 1 ? Self.white : Self.black
                    memset(base + (top + row) * width + left + column * cell, Int32(level), cell)
                }
            }
        }
    }
}
