import CPixels
import Foundation
import GlassesDomain

/// Codes pictures with libjpeg-turbo. Stateless, so that any number of threads may use it at once.
///
/// Frames of a camera have the range of video (luma 16–235), JPEG files have all values (0–255): each is brought to the other's.
public final class TurboPictureCoder: PictureCoder {
    /// The most pixels a picture may have: 64 million, so that decoding one takes less than 300 MB.
    public static let maximumPixels = 64 * 1_024 * 1_024

    private let maximumPixels: Int
    private let timeZone: TimeZone

    /// A coder of pictures of up to `maximumPixels`; times are told in `timeZone`.
    public init(maximumPixels: Int = TurboPictureCoder.maximumPixels, timeZone: TimeZone = .current) {
        self.maximumPixels = maximumPixels
        self.timeZone = timeZone
    }

    /// A frame as a JPEG file, about 3 ms for 720 × 1280 pixels; a JPEG frame is decoded once, to be sure that it is whole, and gets
    /// the standard tables if it has none. One whose
    /// own orientation tells how it is turned keeps that, unless the frame is turned.
    public func jpeg(_ frame: CameraFrame, quality: Int, takenAt: Date?) throws(MediaError) -> EncodedPicture {
        guard frame.format == .jpeg else {
            try checkSize(frame.width, frame.height)
            let file = try JPEGEncoder().file(of: PlanarPicture(frame), quality: quality)
            return EncodedPicture(
                file: try stamped(file, rotation: frame.rotation, takenAt: takenAt), width: frame.width,
                height: frame.height)
        }
        let file = Data(frame.bytes)
        let header = try JPEGDecoder(maximumPixels: maximumPixels).check(file)
        let complete = Data(try JPEGSegments.completed(frame.bytes))
        return EncodedPicture(
            file: try stamped(complete, rotation: frame.rotation, takenAt: takenAt), width: Int(header.width),
            height: Int(header.height))
    }

    /// A frame as packed I420; an odd last column or row is left out, and a JPEG frame gets the range of video.
    public func packedI420(_ frame: CameraFrame) throws(MediaError) -> CameraFrame {
        let picture = try planarPicture(of: frame)
        let (width, height) = (picture.width & ~1, picture.height & ~1)
        guard width > 0, height > 0 else { throw .unsupportedSize(width: picture.width, height: picture.height) }
        var packed: [UInt8] = []
        packed.reserveCapacity(width * height * 3 / 2)
        packed += picture.luma.resized(width: width, height: height).bytes
        packed += picture.blue.resized(width: width / 2, height: height / 2).bytes
        packed += picture.red.resized(width: width / 2, height: height / 2).bytes
        let (luma, quarter) = (width * height, width * height / 4)
        return CameraFrame(
            bytes: packed, format: .i420, width: width, height: height, rotation: frame.rotation,
            planes: [
                CameraPlane(offset: 0, stride: width), CameraPlane(offset: luma, stride: width / 2),
                CameraPlane(offset: luma + quarter, stride: width / 2),
            ], time: frame.time, number: frame.number)
    }

    /// What the header of a JPEG, PNG, WebP or HEIC file says. A mirrored picture counts as one that is not.
    public func facts(of file: Data) throws(MediaError) -> PictureFacts { try PictureFacts(of: [UInt8](file)) }

    /// A JPEG file made upright and scaled down: each new pixel is the mean of what it covers.
    public func scaled(_ file: Data, longestSide: Int, quality: Int) throws(MediaError) -> EncodedPicture {
        guard longestSide > 0 else { throw .unsupportedSize(width: longestSide, height: longestSide) }
        let rotation = try jpegFacts(of: file).rotation
        let decoder = try JPEGDecoder(maximumPixels: maximumPixels)
        let header = try decoder.header(of: file)
        let size = Self.size(of: header, longestSide: longestSide)
        let decoded = try decoder.picture(in: file, longestSide: longestSide)
        let picture = try decoded.scaled(width: size.width, height: size.height).turned(by: rotation)
        return EncodedPicture(
            file: try JPEGEncoder().file(of: picture, quality: quality), width: picture.width, height: picture.height)
    }

    /// A JPEG file with time and orientation in its EXIF, in place of the EXIF that it had; with a `rotation` of 0 its own orientation
    /// stays, and without a time, too, the whole file.
    public func stamped(_ file: Data, rotation: Int, takenAt: Date?) throws(MediaError) -> Data {
        let facts = try jpegFacts(of: file)
        guard rotation != 0 || takenAt != nil else { return file }
        let segment = EXIFSegment(
            rotation: rotation == 0 ? facts.rotation : rotation, takenAt: takenAt, timeZone: timeZone)
        return Data(try JPEGSegments.replacingEXIF(of: [UInt8](file), with: segment.bytes))
    }

    /// The pixels of a JPEG file, upright by its EXIF orientation.
    public func decoded(_ file: Data) throws(MediaError) -> PlatformImage {
        let quarters = try jpegFacts(of: file).rotation / 90
        let pixels = try JPEGDecoder(maximumPixels: maximumPixels).rgba(in: file)
        // The decoder's size and no other: what is read and what is written depend on it.
        let (width, height) = (pixels.width / 4, pixels.height)
        guard quarters != 0 else { return try Self.image(pixels.bytes, width: width, height: height) }
        let turned = pixels.bytes.withUnsafeBufferPointer { source in
            Plane(width: pixels.width, height: pixels.height) { target in
                if let start = source.baseAddress { cpixels_turn(start, width, height, 4, Int32(quarters), target) }
            }
        }
        let isUpright = quarters == 2
        return try Self.image(
            turned.bytes, width: isUpright ? width : height, height: isUpright ? height : width)
    }

    /// The picture of a frame, in the range of video.
    func planarPicture(of frame: CameraFrame) throws(MediaError) -> PlanarPicture {
        guard frame.format == .jpeg else {
            try checkSize(frame.width, frame.height)
            return try PlanarPicture(frame)
        }
        return try JPEGDecoder(maximumPixels: maximumPixels).picture(in: Data(frame.bytes)).converted(to: .video)
    }

    /// The true size of a frame: a JPEG frame's own.
    func size(of frame: CameraFrame) throws(MediaError) -> (width: Int, height: Int) {
        guard frame.format == .jpeg else {
            try checkSize(frame.width, frame.height)
            return (frame.width, frame.height)
        }
        let header = try JPEGDecoder(maximumPixels: maximumPixels).header(of: Data(frame.bytes))
        return (Int(header.width), Int(header.height))
    }

    private func checkSize(_ width: Int, _ height: Int) throws(MediaError) {
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        // JPEG's own limit is 65,535 a side; libjpeg refuses above 65,500.
        guard width > 0, height > 0, !isTooLarge, pixels <= maximumPixels, max(width, height) <= 65_500 else {
            throw .unsupportedSize(width: width, height: height)
        }
    }

    private func jpegFacts(of file: Data) throws(MediaError) -> PictureFacts {
        let facts = try facts(of: file)
        guard facts.mimeType == "image/jpeg" else { throw .undecodable(reason: "\(facts.mimeType) is not JPEG") }
        return facts
    }

    private static func size(of header: JPEGDecoder.Header, longestSide: Int) -> (width: Int, height: Int) {
        let (width, height) = (Int(header.width), Int(header.height))
        let longest = max(width, height)
        guard longest > longestSide else { return (width, height) }
        func scaled(_ side: Int) -> Int { max(1, (side * longestSide + longest / 2) / longest) }
        return (scaled(width), scaled(height))
    }

    private static func image(_ rgba: [UInt8], width: Int, height: Int) throws(MediaError) -> PlatformImage {
        guard let image = PlatformImage(width: width, height: height, rgba: Data(rgba)) else {
            throw .unsupportedSize(width: width, height: height)
        }
        return image
    }
}
