import CTurboJPEG
import FramePattern
import GlassesDomain

/// Reads the number that a frame of the stand-in or of the test pattern shows.
enum FrameNumber {
    /// The number; nil when it cannot be read, as in half a picture.
    static func read(_ frame: CameraFrame) -> UInt32? {
        switch frame.format {
        case .i420, .nv12:
            read(Array(frame.bytes[frame.planes[0].offset...]), frame, stride: frame.planes[0].stride)
        case .yuyv:
            read(
                stride(from: 0, to: frame.bytes.count, by: 2).map { frame.bytes[$0] }, frame,
                stride: frame.planes[0].stride / 2)
        case .jpeg: decoded(frame).flatMap { read($0, frame, stride: frame.width) }
        }
    }

    private static func read(_ luma: [UInt8], _ frame: CameraFrame, stride: Int) -> UInt32? {
        FrameNumberPattern.read(luma: luma, width: frame.width, height: frame.height, stride: stride)
    }

    /// The luma of a JPEG file; nil when it is not whole.
    private static func decoded(_ frame: CameraFrame) -> [UInt8]? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        var luma = [UInt8](repeating: 0, count: frame.width * frame.height)
        let result = tjDecompress2(
            decoder, frame.bytes, UInt(frame.bytes.count), &luma, Int32(frame.width), 0, Int32(frame.height),
            Int32(TJPF_GRAY.rawValue), TJFLAG_STOPONWARNING)
        return result == 0 ? luma : nil
    }
}
