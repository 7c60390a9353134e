import Foundation

/// A code of four letters.
public typealias OSType = UInt32

/// Planar 4:2:0 in the range of video, `y420`: what raw pictures have here.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Two planes of 4:2:0 in the range of video, `420v`: what raw pictures have on the vendor's system, and never here.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076

/// A decoded picture of a camera: what stands in for Core Video's type.
///
/// Packed I420: width × height bytes of Y, then U, then V, each a quarter of that with odd sizes rounded up, without gaps between rows
/// or planes; BT.601 colours, luma from 16 to 235. It cannot be changed, and may be used on any thread.
public final class CVPixelBuffer: Sendable {
    /// One plane of a picture.
    public struct Plane: Sendable, Hashable {
        /// Bytes across, and from one row to the next.
        public let width: Int
        /// Rows.
        public let height: Int
        /// Where its first byte is in ``CVPixelBuffer/bytes``.
        public let offset: Int
    }

    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// All planes.
    public let bytes: Data
    /// Y, U and V.
    public let planes: [Plane]

    /// How the planes are to be read: always ``kCVPixelFormatType_420YpCbCr8Planar``.
    public var pixelFormatType: OSType { kCVPixelFormatType_420YpCbCr8Planar }

    /// A picture in packed I420; nil when `bytes` are not those of its size.
    public init?(width: Int, height: Int, bytes: Data) {
        guard Self.fits(width: width, height: height, count: bytes.count) else { return nil }
        let (luma, halfWidth, halfHeight) = (width * height, (width + 1) / 2, (height + 1) / 2)
        (self.width, self.height, self.bytes) = (width, height, bytes)
        planes = [
            Plane(width: width, height: height, offset: 0),
            Plane(width: halfWidth, height: halfHeight, offset: luma),
            Plane(width: halfWidth, height: halfHeight, offset: luma + halfWidth * halfHeight),
        ]
    }

    /// Lends the bytes of a plane: 0 for Y, 1 for U, 2 for V. Nil, without a call, for others.
    public func withPlane<Result>(
        _ number: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        guard planes.indices.contains(number) else { return nil }
        let plane = planes[number]
        return try bytes.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[plane.offset..<plane.offset + plane.width * plane.height]))
        }
    }

    /// The longest side of a picture: larger ones come from broken headers.
    static let sideLimit = 16_384

    /// Whether `count` bytes are a picture of this size.
    static func fits(width: Int, height: Int, count: Int) -> Bool {
        guard (1...sideLimit).contains(width), (1...sideLimit).contains(height) else { return false }
        return count == width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    }
}

/// Core Video's name for a picture of any kind.
public typealias CVImageBuffer = CVPixelBuffer
