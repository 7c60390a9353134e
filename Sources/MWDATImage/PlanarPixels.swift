import CPixels
import CTurboJPEG

/// The colours of a camera's pictures.
enum PlanarPixels {
    /// The pixels of packed I420 in BT.601's colours and video's range, luma from 16 to 235.
    static func rgba(width: Int, height: Int, i420: UnsafeRawBufferPointer) throws(DecoderError) -> Pixels {
        guard UIImage.isAllowed(width: width, height: height),
            i420.count == width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        else { throw .invalidFormat }
        guard let handle = tjInitDecompress() else { throw .configurationError(OSStatus(TJERR_FATAL.rawValue)) }
        defer { tjDestroy(handle) }
        var planes = [UInt8](i420)
        var status: Int32 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { target, count in
            planes.withUnsafeMutableBufferPointer { planes in
                status = decode(planes, width: width, height: height, into: target, handle)
            }
            count = status == 0 ? 4 * width * height : 0
        }
        guard status == 0 else { throw .decodingFailed(tjGetErrorCode(handle)) }
        return Pixels(width: width, height: height, bytes: bytes)
    }

    /// Changes the planes to the range of libjpeg-turbo's colours, luma from 0 to 255, and decodes them.
    private static func decode(
        _ planes: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int,
        into target: UnsafeMutableBufferPointer<UInt8>, _ handle: tjhandle
    ) -> Int32 {
        guard let start = planes.baseAddress else { return -1 }
        let (luma, halfWidth) = (width * height, (width + 1) / 2)
        let chroma = (planes.count - luma) / 2
        cpixels_widen_luma(start, luma)
        cpixels_widen_chroma(start + luma, 2 * chroma)
        var sources: [UnsafePointer<UInt8>?] = [
            UnsafePointer(start), UnsafePointer(start + luma), UnsafePointer(start + luma + chroma),
        ]
        let strides = [Int32(width), Int32(halfWidth), Int32(halfWidth)]
        return tjDecodeYUVPlanes(
            handle, &sources, strides, Int32(TJSAMP_420.rawValue), target.baseAddress, Int32(width), 0, Int32(height),
            Int32(TJPF_RGBA.rawValue), TJFLAG_FASTUPSAMPLE)
    }
}
