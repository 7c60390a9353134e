import CGlassesPlugin
import CVideo4Linux
import GlassesPluginKit

/// How a driver's pictures lie in its buffers, and how they are copied into the host's slots: without gaps between rows.
struct PictureLayout {
    private struct Plane {
        var offset: Int
        var stride: Int
        var rowBytes: Int
        var rows: Int
    }

    private let format: PixelFormat
    private let width: Int
    private let height: Int
    private let planes: [Plane]

    /// The layout of `made`; nil when it is not what `wanted` says, or makes no sense.
    init?(_ made: cv4l_format, _ wanted: CameraConfiguration) {
        guard V4L2Modes.pixelFormat(made.pixels) == wanted.format, Int(made.width) == wanted.width,
            Int(made.height) == wanted.height
        else { return nil }
        (format, width, height) = (wanted.format, wanted.width, wanted.height)
        let rowBytes = format == .yuyv ? width * 2 : width
        // Some drivers leave the stride out when there is no gap.
        let stride = made.stride == 0 ? rowBytes : Int(made.stride)
        guard format == .jpeg || stride >= rowBytes, stride < 1 << 20 else { return nil }
        let luma = stride * height
        switch format {
        case .jpeg: planes = []
        case .yuyv: planes = [Plane(offset: 0, stride: stride, rowBytes: rowBytes, rows: height)]
        case .nv12:
            planes = [
                Plane(offset: 0, stride: stride, rowBytes: width, rows: height),
                Plane(offset: luma, stride: stride, rowBytes: width, rows: height / 2),
            ]
        case .i420:
            let chroma = (stride / 2) * (height / 2)
            planes = [
                Plane(offset: 0, stride: stride, rowBytes: width, rows: height),
                Plane(offset: luma, stride: stride / 2, rowBytes: width / 2, rows: height / 2),
                Plane(offset: luma + chroma, stride: stride / 2, rowBytes: width / 2, rows: height / 2),
            ]
        }
    }

    /// Copies a picture and says what it is; nil for one that is not whole, or does not fit.
    func copy(_ picture: UnsafeRawBufferPointer, to slot: UnsafeMutableRawBufferPointer) -> glasses_frame? {
        format == .jpeg ? copyFile(picture, to: slot) : copyPlanes(picture, to: slot)
    }

    private func copyFile(
        _ picture: UnsafeRawBufferPointer, to slot: UnsafeMutableRawBufferPointer
    ) -> glasses_frame? {
        guard let length = JPEGFile.wholeLength(picture), length <= slot.count,
            let size = JPEGFile.size(picture), size == (width, height)
        else { return nil }
        slot.copyMemory(from: UnsafeRawBufferPointer(rebasing: picture.prefix(length)))
        return glasses_frame(jpegOf: length, width: width, height: height)
    }

    private func copyPlanes(
        _ picture: UnsafeRawBufferPointer, to slot: UnsafeMutableRawBufferPointer
    ) -> glasses_frame? {
        var frame = glasses_frame()
        frame.format = format.number
        (frame.width, frame.height, frame.plane_count) = (UInt32(width), UInt32(height), UInt32(planes.count))
        var written = 0
        for (index, plane) in planes.enumerated() {
            let end = plane.offset + plane.stride * (plane.rows - 1) + plane.rowBytes
            let bytes = plane.rowBytes * plane.rows
            guard end <= picture.count, written + bytes <= slot.count else { return nil }
            frame.setPlane(index, offset: written, stride: plane.rowBytes)
            if plane.stride == plane.rowBytes {
                copy(picture, plane.offset, bytes, slot, written)
            } else {
                for row in 0..<plane.rows {
                    copy(
                        picture, plane.offset + row * plane.stride, plane.rowBytes, slot, written + row * plane.rowBytes
                    )
                }
            }
            written += bytes
        }
        frame.bytes = UInt32(written)
        return frame
    }

    private func copy(
        _ picture: UnsafeRawBufferPointer, _ from: Int, _ count: Int, _ slot: UnsafeMutableRawBufferPointer, _ to: Int
    ) {
        UnsafeMutableRawBufferPointer(rebasing: slot[to...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: picture[from..<from + count]))
    }
}

extension PixelFormat {
    var number: glasses_pixel_format {
        switch self {
        case .i420: glasses_pixel_format(GLASSES_PIXELS_I420)
        case .nv12: glasses_pixel_format(GLASSES_PIXELS_NV12)
        case .yuyv: glasses_pixel_format(GLASSES_PIXELS_YUYV)
        case .jpeg: glasses_pixel_format(GLASSES_PIXELS_JPEG)
        }
    }
}

extension glasses_frame {
    /// A whole JPEG file of that many bytes; time and number are to be set.
    init(jpegOf bytes: Int, width: Int, height: Int) {
        self.init()
        format = glasses_pixel_format(GLASSES_PIXELS_JPEG)
        (self.width, self.height, self.bytes, plane_count) = (UInt32(width), UInt32(height), UInt32(bytes), 1)
    }

    /// The place of one of at most three planes.
    mutating func setPlane(_ index: Int, offset: Int, stride: Int) {
        let plane = glasses_plane(offset: UInt32(offset), stride: UInt32(stride))
        switch index {
        case 0: planes.0 = plane
        case 1: planes.1 = plane
        default: planes.2 = plane
        }
    }
}
