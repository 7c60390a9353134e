import Foundation

/// A decoded picture: what stands in for UIKit's class where there is no UIKit.
///
/// It holds pixels, not a file: it is decoded when it is made. It cannot be changed, and may be used on any thread.
public final class UIImage: Sendable {
    /// The most pixels a picture may have, so that a hostile file's header cannot take all memory: 64 million.
    public static let pixelLimit = 64_000_000

    /// Pixels across, at least 1.
    public let width: Int
    /// Pixels down, at least 1.
    public let height: Int
    /// Row after row without gaps, four bytes a pixel: R, G, B and alpha (not multiplied by it), in sRGB.
    public let rgba: [UInt8]

    /// A picture of pixels; `rgba` holds four bytes for each, as ``rgba`` says. Nil when it does not hold that many, or when a side
    /// is below 1.
    public init?(width: Int, height: Int, rgba: [UInt8]) {
        guard Self.isAllowed(width: width, height: height), rgba.count == 4 * width * height else { return nil }
        self.width = width
        self.height = height
        self.rgba = rgba
    }

    /// The picture in a JPEG or PNG file, upright: the orientation of a JPEG's EXIF is obeyed. Nil when it cannot be decoded;
    /// ``init(decoding:)`` tells why.
    public convenience init?(data: Data) {
        do throws(DecoderError) { try self.init(decoding: data) } catch { return nil }
    }

    /// The picture in a JPEG or PNG file, as ``init(data:)``.
    ///
    /// Throws `invalidFormat` for other files and for pictures above ``pixelLimit``, and `decodingFailed` for damaged ones.
    public convenience init(decoding data: Data) throws(DecoderError) {
        try self.init(pixels: PNGFile.isPNG(data) ? PNGFile.pixels(in: data) : JPEGFile.pixels(in: data))
    }

    /// A picture of packed I420 as a camera of video gives it: BT.601 colours, luma from 16 to 235, halved chroma rounded up.
    /// `i420` holds width × height bytes of Y, then U, then V.
    package convenience init(width: Int, height: Int, i420: UnsafeRawBufferPointer) throws(DecoderError) {
        try self.init(pixels: PlanarPixels.rgba(width: width, height: height, i420: i420))
    }

    private init(pixels: Pixels) {
        width = pixels.width
        height = pixels.height
        rgba = pixels.bytes
    }

    /// Points across and down; one point is one pixel.
    public var size: CGSize { CGSize(width: width, height: height) }

    /// Pixels a point: always 1.
    public var scale: CGFloat { 1 }

    /// The picture as a JPEG file, without alpha; `compressionQuality` from 0 to 1 is brought into that range. Nil when there is
    /// no memory for it, or when a side has more than 65,500 pixels, JPEG's limit.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        JPEGFile.file(of: Pixels(width: width, height: height, bytes: rgba), quality: compressionQuality)
    }

    /// The picture as a PNG file, with alpha; up to half a second for 720 × 1280. Nil when there is no memory for it.
    public func pngData() -> Data? {
        PNGFile.file(of: Pixels(width: width, height: height, bytes: rgba))
    }

    /// Whether a picture of this size may be decoded.
    static func isAllowed(width: Int, height: Int) -> Bool {
        guard width > 0, height > 0 else { return false }
        let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return !isTooLarge && area <= pixelLimit
    }
}
