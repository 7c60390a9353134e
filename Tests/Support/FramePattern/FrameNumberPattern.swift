/// A moving picture that carries its own number, so that a test can tell which frame it got, after any coding.
///
/// The upper half holds 40 blocks, 8 columns by 5 rows, black for 0 and white for 1: row by row, the highest bit first, 32 bits of
/// the number and 8 of a check. Block `c, r` spans the columns `c·w/8 ..< (c+1)·w/8` and the rows `r·h/10 ..< (r+1)·h/10`. Below
/// it, to three quarters of the height, grey bars move to the left by 4 pixels a frame. The last quarter is the flash: white, or dark.
/// Luma is limited range (16–235), chroma is a colour that changes slowly.
public enum FrameNumberPattern {
    /// The smallest width and height at which blocks survive being coded.
    public static let smallestSide = 64

    /// Columns and rows of blocks.
    static let (columns, rows) = (8, 5)
    static let (black, white): (UInt8, UInt8) = (16, 235)

    /// The pattern's picture as packed I420; `width` and `height` are even and at least ``smallestSide``.
    public static func picture(number: UInt32, flash: Bool, width: Int, height: Int) -> [UInt8] {
        var picture = [UInt8](repeating: 128, count: width * height * 3 / 2)
        draw(number: number, flash: flash, into: &picture, width: width, height: height)
        return picture
    }

    /// Draws into a packed I420 picture of `width`·`height`·3/2 bytes; both are even and at least ``smallestSide``.
    public static func draw(number: UInt32, flash: Bool, into i420: inout [UInt8], width: Int, height: Int) {
        precondition(width % 2 == 0 && height % 2 == 0 && min(width, height) >= smallestSide)
        precondition(i420.count == width * height * 3 / 2)
        let bits = code(number)
        i420.withUnsafeMutableBufferPointer { picture in
            for row in 0..<rows {
                let band = (row * height / 10)..<((row + 1) * height / 10)
                fill(band, of: picture, width: width) { column in
                    let block = row * columns + columnBlock(of: column, width: width)
                    let isSet: Bool = (bits >> UInt64(39 - block)) & 1 == 1
                    return isSet ? white : black
                }
            }
            fill((height / 2)..<(height * 3 / 4), of: picture, width: width) { column in
                let bar: Int = (column + 4 * Int(number % 64)) / 16 % 4
                return UInt8(64 + 32 * bar)
            }
            fill((height * 3 / 4)..<height, of: picture, width: width) { _ in flash ? white : 32 }
            let quarter = width * height / 4
            let chroma = UnsafeMutableBufferPointer(rebasing: picture[(width * height)...])
            chroma[..<quarter].update(repeating: UInt8(96 + number % 64))
            chroma[quarter...].update(repeating: UInt8(160 - number % 64))
        }
    }

    /// The number in a picture's luma rows, each `stride` bytes after the one before; nil when it cannot be read for certain.
    public static func read(luma: [UInt8], width: Int, height: Int, stride: Int) -> UInt32? {
        var bits: UInt64 = 0
        for row in 0..<rows {
            for column in 0..<columns {
                let columns = (column * width / 8)..<((column + 1) * width / 8)
                let rows = (row * height / 10)..<((row + 1) * height / 10)
                let mean = meanOfTheMiddle(of: luma, columns, rows, stride: stride)
                guard mean < 96 || mean > 160 else { return nil }
                bits = bits << 1 | (mean > 160 ? 1 : 0)
            }
        }
        let number = UInt32(truncatingIfNeeded: bits >> 8)
        return code(number) == bits ? number : nil
    }

    /// Whether the picture flashes.
    public static func isFlashing(luma: [UInt8], width: Int, height: Int, stride: Int) -> Bool {
        meanOfTheMiddle(of: luma, 0..<width, (height * 3 / 4)..<height, stride: stride) > 160
    }

    /// The number with its check below it: a sum that no run of black or white blocks satisfies.
    static func code(_ number: UInt32) -> UInt64 {
        var check: UInt8 = 0xA5
        for shift in [24, 16, 8, 0] {
            check = (check << 1 | check >> 7) &+ UInt8(truncatingIfNeeded: number >> UInt32(shift)) &* 31
        }
        return UInt64(number) << 8 | UInt64(check)
    }

    private static func columnBlock(of column: Int, width: Int) -> Int {
        var block = column * columns / width
        if column >= (block + 1) * width / columns { block += 1 }
        if column < block * width / columns { block -= 1 }
        return block
    }

    /// Fills rows that are all alike.
    private static func fill(
        _ band: Range<Int>, of picture: UnsafeMutableBufferPointer<UInt8>, width: Int, with value: (Int) -> UInt8
    ) {
        let line = (0..<width).map(value)
        for row in band {
            _ = picture[(row * width)..<((row + 1) * width)].update(fromContentsOf: line)
        }
    }

    /// The mean of the middle half of an area, which coding blurs least.
    private static func meanOfTheMiddle(
        of luma: [UInt8], _ columns: Range<Int>, _ rows: Range<Int>, stride: Int
    ) -> Int {
        let middleColumns = (columns.lowerBound + columns.count / 4)..<(columns.upperBound - columns.count / 4)
        let middleRows = (rows.lowerBound + rows.count / 4)..<(rows.upperBound - rows.count / 4)
        var sum = 0
        for row in middleRows {
            for column in middleColumns { sum += Int(luma[row * stride + column]) }
        }
        return sum / max(1, middleColumns.count * middleRows.count)
    }
}
