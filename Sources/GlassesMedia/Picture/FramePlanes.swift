import CPixels
import GlassesDomain

extension PlanarPicture {
    /// The picture of a frame that is not JPEG; what the frame says of its planes is checked once more.
    init(_ frame: CameraFrame) throws(MediaError) {
        let picture: PlanarPicture? = frame.bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { Self.picture(of: frame, at: $0) }
        }
        guard let picture else {
            throw .undecodable(reason: "a \(frame.format.rawValue) frame whose planes are not within its bytes")
        }
        self = picture
    }

    private static func picture(of frame: CameraFrame, at start: UnsafePointer<UInt8>) -> PlanarPicture? {
        let (width, height) = (frame.width, frame.height)
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        switch frame.format {
        case .i420:
            guard let luma = plane(0, of: frame, at: start, width: width, height: height),
                let blue = plane(1, of: frame, at: start, width: halfWidth, height: halfHeight),
                let red = plane(2, of: frame, at: start, width: halfWidth, height: halfHeight)
            else { return nil }
            return PlanarPicture(width: width, height: height, range: .video, luma: luma, blue: blue, red: red)
        case .nv12:
            guard let luma = plane(0, of: frame, at: start, width: width, height: height),
                let pairs = rows(1, of: frame, width: 2 * halfWidth, height: halfHeight)
            else { return nil }
            let (blue, red) = planes(width: halfWidth, height: halfHeight) { first, second in
                cpixels_split_pairs(start + pairs.offset, pairs.stride, halfWidth, halfHeight, first, second)
            }
            return PlanarPicture(width: width, height: height, range: .video, luma: luma, blue: blue, red: red)
        case .yuyv:
            guard let rows = rows(0, of: frame, width: 4 * halfWidth, height: height) else { return nil }
            var luma = Plane(width: 0, height: 0, shade: 0)
            let (blue, red) = planes(width: halfWidth, height: halfHeight) { first, second in
                luma = Plane(width: 2 * halfWidth, height: height) { target in
                    cpixels_split_yuyv(start + rows.offset, rows.stride, halfWidth, height, target, first, second)
                }
            }
            return PlanarPicture(width: width, height: height, range: .video, luma: luma, blue: blue, red: red)
        case .jpeg:
            return nil
        }
    }

    /// Two planes that are filled together.
    private static func planes(
        width: Int, height: Int, fill: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) -> (Plane, Plane) {
        var second = Plane(width: width, height: height, shade: 0)
        let first = Plane(width: width, height: height) { target in
            second.map { other, _ in fill(target, other) }
        }
        return (first, second)
    }

    /// A plane of the frame, brought to an even size if it is the luma's.
    private static func plane(
        _ number: Int, of frame: CameraFrame, at start: UnsafePointer<UInt8>, width: Int, height: Int
    ) -> Plane? {
        guard let rows = rows(number, of: frame, width: width, height: height) else { return nil }
        let isLuma = number == 0
        let (paddedWidth, paddedHeight) = isLuma ? (width + width % 2, height + height % 2) : (width, height)
        return Plane(width: paddedWidth, height: paddedHeight) { target in
            cpixels_copy(start + rows.offset, rows.stride, width, height, target, paddedWidth, paddedHeight)
        }
    }

    /// Where the rows of a plane lie; nil when they are not all within the frame's bytes.
    private static func rows(_ number: Int, of frame: CameraFrame, width: Int, height: Int) -> CameraPlane? {
        guard frame.planes.indices.contains(number) else { return nil }
        let plane = frame.planes[number]
        let (distance, isTooFar) = plane.stride.multipliedReportingOverflow(by: height - 1)
        guard plane.offset >= 0, plane.stride >= width, !isTooFar, plane.offset <= frame.bytes.count,
            distance <= frame.bytes.count - plane.offset, width <= frame.bytes.count - plane.offset - distance
        else { return nil }
        return plane
    }
}
