import Foundation
import Glibc
import MWDATCore

/// A moving picture that carries its number, for programs and for people; it needs no file and no device.
///
/// The upper half holds 40 blocks, 8 columns by 5 rows, black for 0 and white for 1, the highest bit first: 32 bits of the number and
/// 8 of a check. Below it, to three quarters of the height, grey bars move to the left by 4 pixels a picture; the rest is dark.
final class PatternFeed: MockFeed {
    private static let (columns, rows) = (8, 5)
    private static let (black, dark, white): (UInt8, UInt8, UInt8) = (16, 32, 235)

    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture? {
        Self.draw(number, width: plan.width, height: plan.height)
    }

    func close() {}

    /// The pattern as packed I420; both sides are even and at least 8.
    static func draw(_ number: UInt64, width: Int, height: Int) -> MockPicture {
        var bytes = Data(count: MockPicture.i420Size(width: width, height: height))
        bytes.withUnsafeMutableBytes { picture in
            let canvas = Canvas(bytes: picture, width: width)
            let bits = code(UInt32(truncatingIfNeeded: number))
            for row in 0..<rows {
                canvas.fill(row * height / 10..<(row + 1) * height / 10) { column in
                    // The block whose columns c·w/8 ..< (c+1)·w/8 hold this one.
                    let block: Int = row * columns + ((column + 1) * columns - 1) / width
                    let isSet: Bool = bits >> UInt64(rows * columns - 1 - block) & 1 == 1
                    return isSet ? white : black
                }
            }
            canvas.fill(height / 2..<height * 3 / 4) { column in
                let bar: Int = (column + 4 * Int(number % 64)) / 16 % 4
                return UInt8(64 + 32 * bar)
            }
            canvas.fill(height * 3 / 4..<height) { _ in dark }
            canvas.fillChroma(height: height, blue: UInt8(96 + number % 64), red: UInt8(160 - number % 64))
        }
        return MockPicture(coding: .i420, width: width, height: height, bytes: bytes)
    }

    /// The number with its check below it.
    private static func code(_ number: UInt32) -> UInt64 {
        var check: UInt8 = 0xA5
        for shift in [24, 16, 8, 0] {
            check = (check << 1 | check >> 7) &+ UInt8(truncatingIfNeeded: number >> UInt32(shift)) &* 31
        }
        return UInt64(number) << 8 | UInt64(check)
    }

    /// The bytes that are drawn on.
    private struct Canvas {
        let bytes: UnsafeMutableRawBufferPointer
        let width: Int

        /// Draws one row and copies it to the others of `band`.
        func fill(_ band: Range<Int>, _ level: (Int) -> UInt8) {
            guard let base = bytes.baseAddress, let first = band.first else { return }
            for column in 0..<width { bytes[first * width + column] = level(column) }
            for row in band.dropFirst() { memcpy(base + row * width, base + first * width, width) }
        }

        func fillChroma(height: Int, blue: UInt8, red: UInt8) {
            guard let base = bytes.baseAddress else { return }
            let luma = width * height
            memset(base + luma, Int32(blue), luma / 4)
            memset(base + luma * 5 / 4, Int32(red), luma / 4)
        }
    }
}
